// What arrays of host code hold: loops that fill them, without a walk for each element, and what a launch is
// told of it.
#include <algorithm>
#include <cstring>
#include <utility>

#include "app/source/host_run.h"
#include "sim/cuda/parse/children.h"

namespace warplens::app::host {
namespace {

using Numbers = std::vector<std::int64_t>;

bool is_named(const Expr& expr, std::string_view name) {
  const auto* node = as<cuda::NameExpr>(expr);
  return node != nullptr && node->name == name;
}

}  // namespace

// What an expression does beside coming to a number.
struct HostRun::Doing {
  bool has_counter = false;  // of the loop
  bool reads = false;        // what arrays hold
  bool calls = false, calls_own = false, changes = false;
  // The same whenever it is worked out while arrays alone are changed.
  bool is_constant() const { return !has_counter && !reads && !calls && !changes; }
  bool is_harmless() const { return !calls_own && !changes; }
};

HostRun::Doing HostRun::doing(const Expr& whole, std::string_view counter) const {
  Doing all;
  each_within(whole, [&](const Expr& expr) {
    const auto* unary = as<cuda::UnaryExpr>(expr);
    const auto* call = as<cuda::CallExpr>(expr);
    const auto* name = call != nullptr ? as<cuda::NameExpr>(*call->callee) : nullptr;
    all.has_counter |= is_named(expr, counter);
    all.reads |= as<cuda::IndexExpr>(expr) || (unary && unary->op == cuda::UnaryOp::Dereference);
    all.calls |= call != nullptr;
    all.calls_own |= call != nullptr && (name == nullptr || functions_.contains(name->name));
    all.changes |= as<cuda::AssignExpr>(expr) || as<cuda::LambdaExpr>(expr) ||
                   as<cuda::ConstructExpr>(expr) || (unary && unary->op >= cuda::UnaryOp::PreIncrement);
  });
  return all;
}

// An expression over a loop's counter, made ready to be worked out for each of its values.
struct Ready {
  using Number = std::optional<std::int64_t>;
  ScalarType type = ScalarType::I32;
  std::function<Number(std::int64_t counter)> at = nullptr;  // null: it cannot be
};

// Makes Ready of expressions of a loop, and its stores of them.
class HostRun::Filling {
 public:
  Filling(HostRun& run, std::string_view counter, ScalarType type)
      : run_(run), counter_(counter), type_(type) {}

  bool is_of_floats() const { return stores_.empty(); }  // of which nothing is kept

  // Every store of the body, or nothing where it does anything else.
  bool read(const cuda::Stmt& body) {
    if (const auto* block = std::get_if<cuda::CompoundStmt>(&body.node))
      return std::all_of(block->body.begin(), block->body.end(),
                         [&](const cuda::StmtPtr& stmt) { return stmt == nullptr || read(*stmt); });
    const auto* statement = std::get_if<cuda::ExprStmt>(&body.node);
    if (statement == nullptr || !statement->expr) return statement != nullptr;
    const auto* assign = as<cuda::AssignExpr>(*statement->expr);
    const auto* target = assign != nullptr ? as<cuda::IndexExpr>(*assign->target) : nullptr;
    if (target == nullptr || assign->op || as<cuda::NameExpr>(*target->base) == nullptr) return false;
    const int object = array_of(*target->base);
    const Doing value = run_.doing(*assign->value, counter_);
    if (object == kOfFloats && value.is_harmless() && run_.doing(*target->index, counter_).is_harmless())
      return true;
    // One loop's stores do not read what another of them writes.
    const bool is_again = std::any_of(stores_.begin(), stores_.end(),
                                      [&](const Store& other) { return other.object == object; });
    if (object < 0 || is_again) return false;
    Store store{object};
    if (value.calls) {  // a number that rand() draws
      if (!value.is_harmless() || value.has_counter || !is_named(*target->index, counter_)) return false;
      const Value drawn = run_.eval(*assign->value);
      store.least = drawn.least;
      store.most = drawn.most;
      stores_.push_back(std::move(store));
      return drawn.is_drawn();
    }
    store.index = make(*target->index);
    store.value = make(*assign->value);
    stores_.push_back(std::move(store));
    return stores_.back().index.at && stores_.back().value.at;
  }

  // For the counter from `begin` up to `end`; false, and nothing is changed, where a store leaves what is
  // kept of its array.
  bool run(std::int64_t begin, std::int64_t end) {
    for (Store& store : stores_) {
      Object& array = run_.at(store.object);
      if (store.most >= store.least) {
        if (begin > (array.is_drawn() ? std::max(array.drawn_length, kept(array)) : 0)) return false;
        continue;
      }
      if (array.is_drawn() || std::cmp_greater(end, kMostNumbers)) return false;
      store.numbers = array.numbers ? std::make_shared<Numbers>(*array.numbers) : std::make_shared<Numbers>();
      for (std::int64_t i = begin; i < end; ++i) {
        if (i % 4096 == 0) run_.pace_.step();
        const auto index = store.index.at(i), value = store.value.at(i);
        const auto size = static_cast<std::int64_t>(store.numbers->size());
        if (!index || !value || *index < 0 || std::cmp_greater_equal(*index, kMostNumbers) ||
            (*index > size && !array.is_zero))
          return false;
        if (*index >= size) store.numbers->resize(static_cast<std::size_t>(*index) + 1);
        (*store.numbers)[static_cast<std::size_t>(*index)] = wrapped(*value, *array.type->scalar);
      }
    }
    for (Store& store : stores_) {
      run_.note(store.object);
      Object& array = run_.at(store.object);
      if (store.most >= store.least) {
        if (!array.is_drawn()) array.numbers = nullptr;
        array.add_drawn(store.least, store.most);
        array.drawn_length = std::max(array.drawn_length, end);
      } else {
        run_.numbers_kept_ += store.numbers->size();
        array.numbers = std::move(store.numbers);
      }
    }
    return true;
  }

 private:
  struct Store {
    int object = -1;
    Ready index = {}, value = {};
    std::int64_t least = 0, most = -1;  // of what rand() draws
    std::shared_ptr<Numbers> numbers = {};
  };
  static constexpr int kOfFloats = -2;

  static std::int64_t kept(const Object& array) {
    return array.numbers ? static_cast<std::int64_t>(array.numbers->size()) : 0;
  }

  // The array of integers that a name stands for; -1: it is another thing. Of floating numbers none is kept.
  int array_of(const Expr& base) const {
    const auto place = run_.lookup(as<cuda::NameExpr>(base)->name);
    if (!place || place->index != Place::kWhole) return -1;
    int object = place->object;
    if (run_.at(object).kind == Object::Kind::Scalar) {
      const Value& value = run_.at(object).value;
      const Type* type = run_.at(object).type;
      if (value.kind != Kind::Pointer || value.integer != 0 || !value.has_offset || type == nullptr)
        return -1;
      object = value.object;
      if (run_.at(object).type == nullptr) run_.at(object).type = type->pointee;
      if (run_.at(object).type != type->pointee) return -1;
    } else if (run_.at(object).value.kind == Kind::Pointer) {
      return -1;  // a unique_ptr
    }
    const Object& array = run_.at(object);
    if (!array.is_list() || !array.is_plain()) return -1;
    if (is_real(array.type)) return kOfFloats;
    return array.is_known && !array.is_shared ? object : -1;
  }

  Ready make(const Expr& expr) {
    if (is_named(expr, counter_)) return {type_, [](std::int64_t counter) { return counter; }};
    if (run_.doing(expr, counter_).is_constant()) {
      const Value value = run_.eval(expr);
      if (value.kind != Kind::Integer || !is_number(value.type)) return {};
      return {*value.type->scalar, [number = value.integer](std::int64_t) { return number; }};
    }
    if (const auto* binary = as<cuda::BinaryExpr>(expr)) return made_of(*binary);
    if (const auto* cast = as<cuda::CastExpr>(expr)) {
      const Type* type = run_.resolve(cast->type);
      const Ready operand = make(*cast->operand);
      if (!is_integer(type) || !operand.at) return {};
      return {*type->scalar, [operand, to = *type->scalar](std::int64_t counter) {
                const auto value = operand.at(counter);
                return value ? wrapped(*value, to) : value;
              }};
    }
    if (const auto* choice = as<cuda::ConditionalExpr>(expr)) {
      const Ready condition = make(*choice->condition);
      const Ready first = make(*choice->then_value), second = make(*choice->else_value);
      if (!condition.at || !first.at || !second.at || first.type != second.type) return {};
      return {first.type, [=](std::int64_t counter) {
                const auto holds = condition.at(counter);
                return holds ? (*holds != 0 ? first : second).at(counter) : holds;
              }};
    }
    const auto* element = as<cuda::IndexExpr>(expr);
    if (element == nullptr || as<cuda::NameExpr>(*element->base) == nullptr) return {};
    const int object = array_of(*element->base);
    const bool is_written = std::any_of(stores_.begin(), stores_.end(),
                                        [&](const Store& store) { return store.object == object; });
    if (object < 0 || is_written || !run_.at(object).numbers || run_.at(object).is_drawn()) return {};
    const Ready index = make(*element->index);
    if (!index.at) return {};
    const std::shared_ptr<const Numbers> numbers = run_.at(object).numbers;
    return {*run_.at(object).type->scalar, [index, numbers](std::int64_t counter) {
              const auto i = index.at(counter);
              const bool is_kept = i && std::cmp_less(static_cast<std::uint64_t>(*i), numbers->size());
              return is_kept ? Ready::Number((*numbers)[static_cast<std::size_t>(*i)]) : std::nullopt;
            }};
  }

  Ready made_of(const cuda::BinaryExpr& node) {
    const BinaryOp op = node.op;
    if (op == BinaryOp::And || op == BinaryOp::Or || op == BinaryOp::Comma) return {};
    const Ready left = make(*node.left), right = make(*node.right);
    if (!left.at || !right.at) return {};
    const ScalarType operands = operand_type(op, left.type, right.type), result = result_type(op, operands);
    const bool shifts = op == BinaryOp::Shl || op == BinaryOp::Shr;
    return {result, [=](std::int64_t counter) {
              const auto x = left.at(counter), y = right.at(counter);
              if (!x || !y) return Ready::Number();
              const auto value =
                  apply_integer(op, operands, wrapped(*x, operands), shifts ? *y : wrapped(*y, operands));
              return value ? wrapped(*value, result) : value;
            }};
  }

  HostRun& run_;
  std::string_view counter_;
  ScalarType type_;
  std::vector<Store> stores_;
};

// `for (int i = 0; i < n; ++i) { a[i] = i % 7; b[i] = rand() % n; }`, whose counter stands at its begin.
bool HostRun::fill_at_once(const Expr& condition, const Expr& increment, const cuda::Stmt& body) {
  const auto* compared = as<cuda::BinaryExpr>(condition);
  const auto* name = compared != nullptr ? as<cuda::NameExpr>(*compared->left) : nullptr;
  const bool is_below = name != nullptr && (compared->op == BinaryOp::Lt || compared->op == BinaryOp::Le);
  if (!is_below || !doing(*compared->right, name->name).is_constant()) return false;
  const auto* counts = as<cuda::UnaryExpr>(increment);
  const bool is_by_one =
      counts != nullptr && is_named(*counts->operand, name->name) &&
      (counts->op == cuda::UnaryOp::PreIncrement || counts->op == cuda::UnaryOp::PostIncrement);
  const auto place = lookup(name->name);
  if (!is_by_one || !place || place->index != Place::kWhole) return false;
  const Value first = read(*place), last = eval(*compared->right);
  const bool is_plain = first.kind == Kind::Integer && is_number(first.type) && last.kind == Kind::Integer &&
                        sim::size_of(*first.type->scalar) >= 4;
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  if (!is_plain || first.integer < 0 || last.integer < first.integer || last.integer >= kMost) return false;
  const std::int64_t end = last.integer + (compared->op == BinaryOp::Le ? 1 : 0);
  Filling filling(*this, name->name, *first.type->scalar);
  if (!filling.read(body) || !filling.run(first.integer, end)) return false;
  constexpr std::int64_t kAtOnce = 64;  // elements, for as much time as one step takes
  steps_ += filling.is_of_floats() ? 1 : (end - first.integer) / kAtOnce + 1;
  write(*place, integer(end, *first.type->scalar));
  return true;
}

// All of an array's elements are the same, as a vector is made; a value that is not known: nothing is yet.
void HostRun::fill_whole(int object, const Value& value) {
  note(object);
  Object& array = at(object);
  const auto bytes = size_of(array.type);
  const std::int64_t count =
      array.bytes.kind == Kind::Integer && bytes && *bytes > 0 ? array.bytes.integer / *bytes : -1;
  static_cast<Held&>(array) = {};
  array.parts.clear();
  array.is_zero = value.kind == Kind::Integer && value.integer == 0;
  const bool fits = count >= 0 && std::cmp_less_equal(count, kMostNumbers) && value.kind == Kind::Integer;
  if (array.is_zero || !fits || !is_integer(array.type)) return;
  array.numbers = std::make_shared<Numbers>(static_cast<std::size_t>(count),
                                            converted(value, *array.type->scalar, types_).integer);
  numbers_kept_ += array.numbers->size();
}

std::optional<Written> HostRun::written_of(const Value& pointer, const Type* taken,
                                           std::optional<std::uint64_t> elements) {
  if (pointer.kind != Kind::Pointer) return {};
  const Object& array = at(pointer.object);
  const bool is_one = array.kind == Object::Kind::Scalar && array.value.kind == Kind::Integer;
  if (array.is_shared || !array.is_known || !is_integer(array.type) || !(array.is_list() || is_one) ||
      !array.extents.empty())
    return {};
  const ScalarType element = *array.type->scalar;
  const std::shared_ptr<const Numbers> numbers =
      is_one ? std::make_shared<Numbers>(1, array.value.integer) : array.numbers;
  const std::int64_t all = is_one                              ? 1
                           : array.bytes.kind == Kind::Integer ? array.bytes.integer / sim::size_of(element)
                                                               : 0;
  const std::int64_t kept =
      std::max(numbers ? static_cast<std::int64_t>(numbers->size()) : 0, array.drawn_length);
  if (all <= 0 || (kept < all && (!array.is_zero || array.is_drawn()))) return {};
  Written out;
  out.elements = elements.value_or(static_cast<std::uint64_t>(all));
  const bool is_alike =
      taken == nullptr || (is_integer(taken) && sim::size_of(*taken->scalar) == sim::size_of(element));
  if (array.is_drawn() && is_alike) {
    out.fill = sim::Fill::Random;
    out.range = {std::to_string(array.least), std::to_string(array.most)};
  }
  const auto follows = [&](auto&& formula) { return follow(*numbers, formula); };
  if (array.is_drawn() || !numbers || follows([](std::int64_t) { return 0; })) return out;
  const bool is_whole = is_alike && std::cmp_equal(numbers->size(), all);
  const bool is_small = is_whole && follows([](std::int64_t i) { return i % 7; });
  const bool is_iota = is_whole && follows([](std::int64_t i) { return i; });
  out.fill = is_small && !is_iota ? sim::Fill::Small : sim::Fill::Iota;
  if (is_small || is_iota) return out;
  out.words = words_of(*numbers, all);
  auto& bytes = bytes_[{numbers, element}];
  const auto size = static_cast<std::size_t>(sim::size_of(element));
  std::string text(bytes ? 0 : numbers->size() * size, '\0');
  for (std::size_t i = 0; i < text.size() / size; ++i)
    std::memcpy(text.data() + i * size, &(*numbers)[i], size);  // the low bytes come first
  if (!bytes) bytes = std::make_shared<const std::string>(std::move(text));
  out.bytes = bytes;
  return out;
}

// What an array holds, in as few words as a formula of its index i takes, where one does.
std::string words_of(const std::vector<std::int64_t>& numbers, std::int64_t elements) {
  const auto follows = [&](auto&& formula) { return host::follow(numbers, formula); };
  const auto text = [](std::int64_t number) { return std::to_string(number); };
  if (std::cmp_equal(numbers.size(), elements) && !numbers.empty()) {
    const std::int64_t first = numbers[0], step = numbers.size() > 1 ? numbers[1] - first : 0;
    if (follows([&](std::int64_t) { return first; })) return text(first);
    if (first > -(std::int64_t{1} << 31) && first < std::int64_t{1} << 31 && std::abs(step) < 1 << 20 &&
        follows([&](std::int64_t i) { return first + step * i; })) {
      const std::string product = std::abs(step) == 1 ? "i" : text(std::abs(step)) + " * i";
      if (step < 0) return text(first) + " - " + product;
      return first == 0 ? product : product + (first < 0 ? " - " : " + ") + text(std::abs(first));
    }
    const std::int64_t most = *std::max_element(numbers.begin(), numbers.end());
    if (first == 0 && step == 1 && most > 0 && follows([&](std::int64_t i) { return i % (most + 1); }))
      return "i % " + text(most + 1);
    const auto run = std::find(numbers.begin(), numbers.end(), 1) - numbers.begin();
    if (first == 0 && run > 1 && follows([&](std::int64_t i) { return i / run; })) return "i / " + text(run);
  }
  const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
  const bool has_zeros = std::cmp_less(numbers.size(), elements);
  return text(elements) + " values from " + text(has_zeros ? std::min<std::int64_t>(*least, 0) : *least) +
         " to " + text(has_zeros ? std::max<std::int64_t>(*most, 0) : *most);
}

}  // namespace warplens::app::host
