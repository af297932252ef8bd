#include "app/source/host_run.h"

#include <algorithm>

namespace warplens::app::host {
namespace {

using cuda::Stmt;

// What one loop may take, when all together have taken much, so that loops are short and functions without a
// launch are not gone into; and what is gone through of what may happen. A step is a node of the syntax tree.
constexpr std::int64_t kLoopSteps = 250'000, kManySteps = 750'000, kShortSteps = 1'250, kOpenSteps = 62'500;
constexpr int kDeepest = 600;            // of expressions, statements and calls in one another
constexpr std::size_t kMostFrames = 64;  // of calls

template <typename Node>
const Node* node_of(const Stmt& stmt) {
  return std::get_if<Node>(&stmt.node);
}

}  // namespace

HostRun::HostRun(const cuda::TranslationUnit& unit, const std::string& text, Budget& budget, Seen seen)
    : unit_(unit), text_(text), pace_(budget, Stage::Reading), seen_(std::move(seen)) {
  for (const auto* list : {&unit.host.functions, &unit.functions})
    for (const Function& function : *list) {
      functions_.emplace(function.name, &function);
      find_calls(function);
    }
  for (const auto* list : {&unit.host.structs, &unit.structs})
    for (const cuda::Struct& known : *list) {
      for (const Function& function : known.functions) find_calls(function);
      if (known.is_specialisation) special_.insert(known.name);
      if (known.is_specialisation || !known.is_defined || !structs_.emplace(known.name, &known).second)
        continue;
      for (const Function& function : known.functions) {
        functions_.emplace(known.name + "::" + std::string(last_part(function.name)), &function);
        const std::string_view name = last_part(function.name);
        if (function.is_virtual && !name.starts_with('~')) virtual_.insert(name);
      }
    }
  for (const std::string_view name : special_) structs_.erase(std::string(name));  // which of them it is
  has_destructors_ = std::ranges::any_of(
      functions_, [](const auto& named) { return last_part(named.first).starts_with('~'); });
  frames_.emplace_back();
  (void)make_opaque();  // the first object: what stands for all others where there are too many
  globals();
}

void HostRun::find_calls(const Function& function) {
  if (!function.body || function.kind == Function::Kind::Kernel) return;
  each_within(*function.body, [&](const Expr& expr) {
    const auto* call = as<cuda::CallExpr>(expr);
    if (call == nullptr) return;
    const auto* member = as<cuda::MemberExpr>(*call->callee);
    const auto* callee = as<cuda::NameExpr>(*call->callee);
    const std::string_view name = member ? member->member : callee ? last_part(callee->name) : "";
    called_.emplace(name, expr.range.begin.offset);
    if (!call->configuration.empty() || launches_by_api(name)) launches_.insert(expr.range.begin.offset);
  });
}

void HostRun::globals() {
  globals_.clear();
  symbols_.clear();
  std::vector<const Stmt*> all;
  for (const auto* list : {&unit_.globals, &unit_.host.globals})
    for (const cuda::StmtPtr& stmt : *list)
      if (stmt) all.push_back(stmt.get());
  std::stable_sort(all.begin(), all.end(), [](const Stmt* a, const Stmt* b) {
    return a->range.begin.offset < b->range.begin.offset;
  });
  for (const Stmt* stmt : all) {
    if (const auto* alias = node_of<cuda::UsingStmt>(*stmt)) aliases_[alias->name] = alias;
    const auto* variables = node_of<cuda::DeclStmt>(*stmt);
    if (variables == nullptr || !variables->template_parameters.empty()) continue;
    const std::size_t before = entries_.size();
    for (const cuda::Declarator& declarator : variables->declarators) {
      declare(declarator, false);
      const auto [name, place, unused] = entries_.back();
      if (variables->is_device_memory) written_by_kernels_.insert(name);
      const Value value = read(place);
      const bool is_constant = declarator.type.is_const && value.kind == Kind::Integer;
      // Of several namespaces it is not known which; a class may have been read twice.
      const auto [global, is_new] = globals_.emplace(name, place);
      if (!is_new && !(is_constant && read(global->second).is_same(value))) global->second = {};
      if (is_constant) constants_[std::string(name)] = value.integer;
    }
    entries_.resize(before);
  }
}

// A notebook may have several; each begins with the globals as they are written.
void HostRun::main() {
  for (const Function& function : unit_.host.functions) {
    if (function.name != "main" || !function.body) continue;
    globals();
    go_through(function, nullptr, has_arguments_ ? Way::Unknown : Way::Run);
  }
}

void HostRun::the_rest() {
  explores_ = true;
  const cuda::SourceRange everything{{}, {static_cast<int>(text_.size()), 0, 0}};
  if (holds_unseen_launch(everything)) main();  // also where it does not go
  has_arguments_ = true;
  steps_ = 0;
  if (holds_unseen_launch(everything)) main();
  std::vector<std::pair<const Function*, const cuda::Struct*>> left;
  for (const Function& function : unit_.host.functions) {
    const std::size_t colons = function.name.rfind("::");
    const auto of = structs_.find(function.name.substr(0, colons == std::string::npos ? 0 : colons));
    if (function.body) left.emplace_back(&function, of == structs_.end() ? nullptr : of->second);
  }
  for (const cuda::Struct& known : unit_.host.structs)
    for (const Function& function : known.functions)
      if (function.body) left.emplace_back(&function, &known);
  bool is_first = true;
  for (const bool only_roots : {true, false})
    for (const auto& [function, of] : left) {
      if (!holds_unseen_launch(function->range) && (entered_.contains(function) || !only_roots)) continue;
      if (only_roots && is_called_elsewhere(*function)) continue;
      if (std::exchange(is_first, false) && !globals_.empty())  // which any function may have set by then
        for (const auto& [other, of_other] : left) go_through(*other, of_other, Way::Open);
      go_through(*function, of, Way::Unknown);
    }
}

bool HostRun::is_called_elsewhere(const Function& function) const {
  const auto [first, last] = called_.equal_range(last_part(function.name));
  return std::any_of(first, last, [&](const auto& call) {
    return call.second < function.range.begin.offset || call.second >= function.range.end.offset;
  });
}

bool HostRun::holds_unseen_launch(const cuda::SourceRange& range) const {
  const auto first = launches_.lower_bound(range.begin.offset);
  return first != launches_.end() && *first < range.end.offset;
}

// A function that nobody calls, with arguments that are not known, but for that of main() in a run.
void HostRun::go_through(const Function& function, const cuda::Struct* of, Way way) {
  gave_up_ = false;
  const bool is_run = way == Way::Run;
  if (is_run) steps_ = 0;
  const int self = of != nullptr ? make_object(types_.of(of->name)) : -1;
  if (self >= 0) forget({self});   // whoever set its members before
  const Values count{integer(1)};  // of main()'s arguments
  const Region region(*this);
  const auto run = [&] {
    (void)call({.function = &function, .self = self, .of = of}, is_run ? &count : nullptr);
  };
  if (way == Way::Open) return may_happen(run);
  run();
  for (std::size_t i = region.begin; !is_run && i < notes_.size(); ++i) at(notes_[i].object).is_known = false;
  if (!is_run) symbols_.clear();
  if (!is_run) (void)undo(region);
  may_have_left_ = may_have_returned_ = exited_ = false;
}

// ---- changes ----

// All is as it was before; what was changed, as it was then.
std::map<int, HostRun::Note> HostRun::undo(const Region& region) {
  std::map<int, Note> changed;
  for (std::size_t i = region.begin; i < notes_.size(); ++i)
    changed.emplace(notes_[i].object,
                    Note{notes_[i].object, at(notes_[i].object).value, at(notes_[i].object).bytes});
  for (std::size_t i = notes_.size(); i-- > region.begin;) {
    at(notes_[i].object).value = notes_[i].value;
    at(notes_[i].object).bytes = notes_[i].bytes;
  }
  notes_.resize(region.begin);
  return changed;
}

void HostRun::forget_changes(const Region& region) {
  for (std::size_t i = region.begin; i < notes_.size(); ++i) {
    Object& object = at(notes_[i].object);
    object.is_known &= object.is_drawn();  // by rand() alone, and nobody knows how many of them
    if (object.is_known) object.drawn_length = Held::kSome;
    const bool is_as_long = object.is_list() && object.bytes.is_same(notes_[i].bytes);
    if (!is_as_long) forget({notes_[i].object});
  }
}

// Whatever `what` does, in whichever way it goes and however often, is not known then.
void HostRun::may_happen(const std::function<void()>& what) {
  const Region region(*this);
  const bool is_open = is_open_;
  const Within open(is_open_, true), left(may_have_left_, may_have_left_),
      returned(may_have_returned_, may_have_returned_);
  if (!is_open) open_until_ = steps_ + kOpenSteps;
  what();
  exited_ = false;
  if (!is_open && steps_ > open_until_)  // not all of it was seen
    for (std::size_t i = 0; i < objects_.size(); ++i) forget({static_cast<int>(i)});
  forget_changes(region);
}

// One of several ways is gone, and which is not known: nor is what those that go on leave differently. Of two
// the first where the condition holds.
HostRun::Flow HostRun::either(const std::vector<std::function<Flow()>>& ways, const Value& condition) {
  std::set<int> objects, left;
  std::vector<std::map<int, Note>> ends;
  Flow all = Flow::Exit;
  bool first = true;
  for (const auto& way : ways) {
    const Region region(*this);
    const Scope scope(*this);
    Flow flow = way();
    if (std::exchange(exited_, false)) flow = Flow::Exit;
    std::map<int, Note> changed = undo(region);
    if (flow == Flow::Break || flow == Flow::Continue) may_have_left_ = true;
    if (flow == Flow::Return || flow == Flow::Goto) may_have_returned_ = true;
    all = first || flow == all ? flow : Flow::Next;
    first = false;
    for (const auto& [object, unused] : changed) (flow == Flow::Next ? objects : left).insert(object);
    if (flow != Flow::Next) continue;
    ends.push_back(std::move(changed));
  }
  for (const int object : left) {
    note(object);  // what a loop or a function around does not know then
    at(object).is_known = false;
  }
  if (ends.empty()) return all == Flow::Next ? Flow::Return : all;
  for (const int object : objects) {
    note(object);
    bool is_as_long = at(object).is_list();
    Values lasts{condition};
    for (const auto& end : ends) {
      const auto found = end.find(object);
      const Note now{object, at(object).value, at(object).bytes};
      const Note& last = found == end.end() ? now : found->second;
      if (ends.size() > 1) lead_anywhere(last.value);
      is_as_long &= last.bytes.is_same(now.bytes);
      lasts.push_back(last.value);
      if (ends.size() == 1) at(object).value = last.value, at(object).bytes = last.bytes;
    }
    if (ends.size() == 1) continue;
    forget({object, is_as_long ? Place::kSomewhere : Place::kWhole});
    if (ends.size() == 2 && at(object).kind == Object::Kind::Scalar)
      at(object).value.formula = Formula::made("?", 0, lasts);
  }
  return Flow::Next;
}

// What is changed through a pointer later may be what this one leads to, or not.
void HostRun::lead_anywhere(const Value& pointer) {
  if (pointer.kind != Kind::Pointer) return;
  Object& object = at(pointer.object);
  object.is_shared |= object.kind == Object::Kind::Scalar && !object.is_const;
  forget_contents(pointer);
}

// ---- statements ----

HostRun::Flow HostRun::exec_all(const std::vector<cuda::StmtPtr>& body, std::size_t from) {
  for (std::size_t i = from; i < body.size(); ++i) {
    if (!body[i]) continue;
    if (const Flow flow = exec(*body[i]); flow != Flow::Next) return flow;
  }
  return Flow::Next;
}

HostRun::Flow HostRun::exec(const Stmt& stmt) {
  pace_.step();
  gave_up_ |= depth_ > kDeepest || ++steps_ > kAllSteps;
  if (gave_up_ || (is_open_ && steps_ > open_until_)) return Flow::Exit;
  const Within deeper(depth_, depth_ + 1);
  if (const auto* e = node_of<cuda::ExprStmt>(stmt)) {
    if (!e->expr) return Flow::Next;
    const auto* call = as<cuda::CallExpr>(*e->expr);
    const auto* name = call ? as<cuda::NameExpr>(*call->callee) : nullptr;
    const std::string_view called = name != nullptr ? std::string_view(name->name) : "";
    thrown_ = called == "throw";
    if (is_open_ && (thrown_ || called == "goto")) return Flow::Next;
    const bool ends = thrown_ || called == "exit" || called == "abort" || called == "_Exit";
    if (called == "goto") return Flow::Goto;
    if (!ends) (void)eval(*e->expr);
    return ends || exited_ ? Flow::Exit : Flow::Next;
  }
  if (const auto* d = node_of<cuda::DeclStmt>(stmt)) {
    for (const cuda::Declarator& declarator : d->declarators) declare(declarator, d->is_static);
    return exited_ ? Flow::Exit : Flow::Next;
  }
  if (const auto* block = node_of<cuda::CompoundStmt>(stmt)) {
    const Scope scope(*this);
    const Flow flow = exec_all(block->body);
    if (flow != Flow::Exit && flow != Flow::Goto) end_lives(scope.entries);
    return flow;
  }
  if (const auto* branch = node_of<cuda::IfStmt>(stmt)) return exec_if(*branch);
  if (const auto* loop = node_of<cuda::ForStmt>(stmt)) {
    const Scope scope(*this);
    return exec_loop(loop->init.get(), loop->condition.get(), loop->increment.get(), loop->body.get(), false);
  }
  if (const auto* loop = node_of<cuda::WhileStmt>(stmt))
    return exec_loop(nullptr, loop->condition.get(), nullptr, loop->body.get(), false);
  if (const auto* loop = node_of<cuda::DoStmt>(stmt))
    return exec_loop(nullptr, loop->condition.get(), nullptr, loop->body.get(), true);
  if (const auto* choice = node_of<cuda::SwitchStmt>(stmt)) return exec_switch(*choice);
  if (node_of<cuda::BreakStmt>(stmt)) return Flow::Break;
  if (node_of<cuda::ContinueStmt>(stmt)) return Flow::Continue;
  if (const auto* back = node_of<cuda::ReturnStmt>(stmt)) {
    returned_ = back->value ? eval(*back->value) : Value{};
    if (const auto* list = written_as<cuda::InitListExpr>(returned_))
      returned_ = construct(resolve(frames_.back().function->result), values_of(list->elements));
    return Flow::Return;
  }
  if (const auto* code = node_of<cuda::AsmStmt>(stmt))
    for (const cuda::AsmOperand& operand : code->outputs) forget(eval(*operand.expr).place);
  if (const auto* alias = node_of<cuda::UsingStmt>(stmt); alias != nullptr && alias->extents.empty())
    frames_.back().types.emplace_back(alias->name, resolve(alias->type));
  return Flow::Next;
}

HostRun::Flow HostRun::exec_if(const cuda::IfStmt& node) {
  const auto way = [&](const Stmt* stmt) {
    return [this, stmt] { return stmt != nullptr ? exec(*stmt) : Flow::Next; };
  };
  const Value condition = eval(*node.condition);
  std::optional<bool> holds = truth(condition);
  const Stmt *then_branch = node.then_branch.get(), *else_branch = node.else_branch.get();
  if (holds && explores_) {
    const Stmt* passed = *holds ? else_branch : then_branch;
    if (passed != nullptr && holds_unseen_launch(passed->range)) holds.reset();
  }
  if (holds) {
    const Region region(*this);
    const Flow flow = way(*holds ? then_branch : else_branch)();
    const cuda::SourceRange behind{then_branch->range.end, frames_.back().function->range.end};
    const bool ends = flow == Flow::Return || flow == Flow::Exit;
    if (!ends || !explores_ || !has_arguments_ || !holds_unseen_launch(behind)) return flow;
    (void)undo(region), exited_ = false;  // elsewhere it goes on: with two GPUs, say, and not the one here
    each_within(*node.condition, [&](const Expr& part) { lose(part, false); });
    return Flow::Next;
  }
  const auto assumed = [&] { return assuming(condition, way(then_branch)); };
  return either({assumed, way(else_branch)}, condition.is_number() ? Value{} : condition);
}

// Where that is `n == 128`, what is launched on the way is told with the number in the place of n.
HostRun::Flow HostRun::assuming(const Value& condition, const std::function<Flow()>& way) {
  if (!condition.formula || condition.formula->op != "==") return way();
  const Value &value = condition.formula->operands[0], &number = condition.formula->operands[1];
  if (!value.formula || number.kind != Kind::Integer || !value.formula->assumed.empty()) return way();
  value.formula->assumed = number_text(number);
  const Flow flow = way();
  value.formula->assumed.clear();
  return flow;
}

HostRun::Flow HostRun::exec_loop(const Stmt* init, const Expr* condition, const Expr* increment,
                                 const Stmt* body, bool body_first) {
  if (init != nullptr) (void)exec(*init);
  const Region region(*this);
  const std::int64_t begin = steps_, most = steps_ < kManySteps ? kLoopSteps : kShortSteps;
  const Within left(may_have_left_, false);
  Flow flow = Flow::Next;
  bool is_lost = false;
  std::int64_t last_step = 0;
  for (int round = 0; !is_lost; ++round) {
    const std::int64_t before = distance_;
    distance_ = 0;
    if (condition != nullptr && !(body_first && round == 0)) {
      const Value value = eval(*condition);
      std::optional<bool> holds = truth(value);
      const bool counts = is_integer(value.type) && value.type->scalar != ScalarType::Bool;
      if (counts) distance_ = value.integer;  // n--
      if (holds == false && round == 0 && explores_ && body != nullptr && holds_unseen_launch(body->range))
        holds.reset();
      if (holds == false) break;
      if (!holds) is_lost = true;  // one round, and what it changes is not known
    }
    const std::int64_t distance = distance_, step = before - distance;
    // Are the rounds that are left too many? Of `p *= 2` the steps grow.
    if (round == 2 && step == last_step && step != 0 && distance / step > 0) {
      std::int64_t all = 0;
      is_lost |= __builtin_mul_overflow(distance / step, (steps_ - begin) / round, &all) || all > most;
      if (is_lost) break;
    }
    last_step = step;
    if (body != nullptr) flow = exec(*body);
    is_lost |= may_have_left_;
    if (flow != Flow::Next && flow != Flow::Continue) break;
    flow = Flow::Next;
    if (increment != nullptr) (void)eval(*increment);
    if (steps_ - begin > most || (condition == nullptr && round > 10'000)) is_lost = true;
    distance_ = distance;
  }
  if (is_lost) {
    const auto round = [&] {
      if (condition != nullptr) (void)eval(*condition);
      if (body != nullptr) (void)exec(*body);
      if (increment != nullptr) (void)eval(*increment);
    };
    if (!is_open_) may_happen(round);  // also in rounds that were not gone
    forget_changes(region);
  }
  if (flow == Flow::Break) return Flow::Next;
  may_have_returned_ |= is_lost && flow == Flow::Return;
  return is_lost && flow == Flow::Return ? Flow::Next : flow;
}

void HostRun::forget_globals() {
  steps_ += static_cast<std::int64_t>(globals_.size());
  for (const auto& [name, place] : globals_) {
    forget(place);
    forget_contents(read(place));
  }
}

// What is assigned to and not followed, `pick(a, b) = 1`: all that it names or leads to is not known then,
// nor what may be meant by an address that is not. `is_handed`: it may be changed at any time from now on.
void HostRun::lose(const Value& target, bool is_handed) {
  if (target.from != nullptr) lose(*target.from, is_handed);
}
void HostRun::lose(const Expr& target, bool is_handed) {
  steps_ += static_cast<std::int64_t>(handed_.size());
  for (const int object : handed_)
    if (at(object).kind != Object::Kind::Scalar || at(object).value.kind != Kind::Unknown)
      forget({object, Place::kSomewhere});
  if (const auto* name = as<cuda::NameExpr>(target)) {
    if (functions_.contains(name->name)) forget_globals();
    const auto found = lookup(name->name);
    if (!found) return;
    const Value value = read(*found);
    if (value.kind == Kind::Pointer) forget({value.object, Place::kSomewhere});
    if (is_handed)
      share(*found);
    else if (value.kind != Kind::Pointer)
      forget(found->index == Place::kWhole ? Place{found->object, Place::kSomewhere} : *found);
    return;
  }
  if (as<cuda::CallExpr>(target)) is_handed = true;
  const auto* element = as<cuda::IndexExpr>(target);
  const auto* sum = as<cuda::BinaryExpr>(target);
  if (sum != nullptr && sum->op != BinaryOp::Comma && !is_handed) return forget_contents(eval(target));
  if (element != nullptr && !is_handed) return lose(*element->base, false);
  cuda::each_child(target, [&](const Expr& child) { lose(child, is_handed); });
}

HostRun::Flow HostRun::exec_switch(const cuda::SwitchStmt& node) {
  const Region region(*this);
  const Within left(may_have_left_, false);
  const Value value = eval(*node.condition);
  const bool is_known = value.kind == Kind::Integer && !explores_ && !is_open_;
  std::map<std::size_t, Value> begins;  // of the ways that it may go, and what the value is there
  std::size_t otherwise = node.body.size();
  for (const cuda::SwitchLabel& label : node.labels) {
    if (label.value == nullptr) otherwise = label.before;
    const Value wanted = label.value ? eval(*label.value) : Value{};
    const bool fits = wanted.kind == Kind::Integer && wanted.integer == value.integer;
    if (label.value == nullptr || (is_known && (!fits || !begins.empty()))) continue;
    const auto [way, is_new] = begins.emplace(label.before, wanted);
    if (!is_new) way->second = {};
  }
  if (!is_known || begins.empty()) begins[otherwise] = {};
  std::vector<std::function<Flow()>> ways;
  for (const auto& [from, number] : begins)
    ways.push_back([&, from = from, number = number] {
      const Flow flow =
          assuming(combined(BinaryOp::Eq, value, number), [&] { return exec_all(node.body, from); });
      return flow == Flow::Break ? Flow::Next : flow;
    });
  const Scope scope(*this);
  const Flow flow = is_known ? ways.front()() : either(ways);
  if (may_have_left_) forget_changes(region);
  return flow;
}

void HostRun::declare(const cuda::Declarator& declarator, bool is_static) {
  Place made;
  const Value given = declarator.initializer ? eval(*declarator.initializer) : Value{};
  const bool refers = declarator.type.reference && declarator.initializer;
  const bool may_change = refers && !declarator.type.is_const && !declarator.type.takes_values;
  if (refers) made = referred(given, declarator.type);
  if (may_change && !made.is_valid()) lose(given, true);
  if (!made.is_valid() && declarator.type.name == "auto" && declarator.initializer) {
    made = {make_object(given.type)};
    write(made, given);
  } else if (!made.is_valid()) {
    made = {make_object(resolve(declarator.type), numbers_of(declarator.extents))};
    if (declarator.points_to_array) made = {make_opaque()};
    if (declarator.initializer) {
      initialise(made.object, given);
      if (may_change && is_number(at(made.object).type) && !written_as<cuda::InitListExpr>(given))
        share(made);
    } else if (at(made.object).kind == Object::Kind::Struct) {
      make_struct(made.object, {});
    }
  }
  if (is_static && frames_.size() > 1 && !declarator.type.is_const) forget(made);  // as another call left it
  Object& object = at(made.object);
  const bool is_value = !refers && object.type != nullptr && object.type->pointers == 0;
  object.is_const |= declarator.type.is_const && is_value;
  entries_.push_back({declarator.name, made, !is_static && !refers});
}

// Of a block, from the last one on; what is returned lives on.
void HostRun::end_lives(std::size_t from) {
  if (!has_destructors_) return;
  const int returned = returned_.kind == Kind::Object ? returned_.object : -1;
  const Within result(returned_, returned_);
  for (std::size_t i = entries_.size(); i-- > from;)
    if (entries_[i].is_own && entries_[i].place.object != returned) destroy(entries_[i].place.object);
}

// By its destructor, and those of its members, elements and bases.
void HostRun::destroy(int object) {
  if (object < 0 || depth_ > kDeepest || ++steps_ > kAllSteps) return;
  const cuda::Struct* of = at(object).kind == Object::Kind::Struct ? find_struct(at(object).type) : nullptr;
  const Within deeper(depth_, depth_ + 1);
  if (const Function* own = of != nullptr ? find_method(*of, "~", {}) : nullptr)
    (void)call({.function = own, .self = object, .of = of}, {});
  const auto parts = at(object).parts;
  for (const auto& [unused, member] : parts)
    if (at(member).within == object) destroy(member);  // and is no reference
}

// ---- functions ----

// `given` says what template parameters of a parameter's type stand for.
void HostRun::deduce(const cuda::TypeName& wanted, const Type* given, const Function& function,
                     Callable& callable) {
  if (given == nullptr) return;
  const auto stands_for = [&](const std::string& name, const Type* type) {
    const auto is_it = [&](const cuda::TemplateParameter& of) { return of.is_type && of.name == name; };
    const auto is_known = [&](const auto& known) { return known.first == name; };
    if (type != nullptr && std::ranges::any_of(function.template_parameters, is_it) &&
        std::ranges::none_of(callable.types, is_known))
      callable.types.emplace_back(name, type);
  };
  const Type* type = given;
  for (int level = 0; level < wanted.pointers && type != nullptr; ++level) type = type->pointee;
  if (wanted.arguments.empty()) stands_for(wanted.name, type);
  if (wanted.name != given->name) return;
  for (std::size_t i = 0; i < wanted.arguments.size() && i < given->arguments.size(); ++i) {
    const cuda::TemplateArgument& argument = wanted.arguments[i];
    const auto* name = argument.value ? as<cuda::NameExpr>(*argument.value) : nullptr;
    if (argument.type) deduce(*argument.type, given->arguments[i], function, callable);
    if (name != nullptr) stands_for(name->name, given->arguments[i]);
  }
}

// Without arguments they are not known. The frame of the function is open already, for its types; its entries
// come when all arguments have been looked at.
void HostRun::bind_parameters(const Function& function, const Values* arguments, Callable& callable,
                              std::vector<Entry>* entries) {
  for (std::size_t i = 0; i < function.template_parameters.size(); ++i) {
    const cuda::TemplateParameter& parameter = function.template_parameters[i];
    const bool is_given = i < callable.templates.size();
    TemplateValue given = is_given ? callable.templates[i] : TemplateValue{};
    if (parameter.is_type) {
      if (given.type != nullptr) callable.types.emplace_back(parameter.name, given.type);
      continue;
    }
    if (!is_given && parameter.fallback && parameter.fallback->value)
      given.value = eval(*parameter.fallback->value);
    const Value value = given.value.value_or(Value{});
    const int object = make_object(value.type != nullptr ? value.type : types_.of(ScalarType::I32));
    write({object}, value);
    entries->push_back({parameter.name, {object}});
  }
  std::vector<std::tuple<const cuda::Parameter*, Value, bool>> values;
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const cuda::Parameter& parameter = function.parameters[i];
    if (parameter.type.name == "..." && !parameter.name.empty()) {  // each that is left, as an element
      const int pack = make_object(nullptr, {-1});
      for (std::size_t k = i; arguments != nullptr && k < arguments->size(); ++k) {
        const Value& value = (*arguments)[k];
        const bool refers = parameter.type.reference;
        Place own = refers && value.place.index == Place::kWhole ? value.place : Place{};
        if (refers && !parameter.type.is_const && !parameter.type.takes_values) hand_over(value, true);
        if (!own.is_valid()) write(own = {make_object(value.type)}, value);
        at(pack).parts.emplace(std::to_string(k - i), own.object);
      }
      entries->push_back({parameter.name, {pack}});
      continue;
    }
    const bool is_written = arguments != nullptr && i < arguments->size();
    const bool is_given = is_written || (arguments != nullptr && parameter.fallback);
    const Value value = is_written ? (*arguments)[i] : is_given ? eval(*parameter.fallback) : Value{};
    const bool refers = is_given && parameter.type.reference;
    const Place itself = refers ? referred(value, parameter.type) : Place{};
    if (refers && !itself.is_valid() && !parameter.type.is_const && !parameter.type.takes_values)
      lose(value, true);
    deduce(parameter.type, itself.is_valid() ? read(itself).type : value.type, function, callable);
    if (itself.is_valid())
      entries->push_back({parameter.name, itself});
    else
      values.emplace_back(&parameter, value, is_given);
  }
  frames_.back().types.insert(frames_.back().types.end(), callable.types.begin(), callable.types.end());
  for (const auto& [parameter, value, is_given] : values) {
    const Type* type = resolve(parameter->type);
    const bool is_open = type == nullptr || value.kind == Kind::Function;
    if (!parameter->extents.empty()) type = types_.pointer_to(type);
    const int object = make_object(is_open && value.type != nullptr ? value.type : type);
    if (is_given)
      initialise(object, value);
    else if (at(object).kind != Object::Kind::Scalar)
      forget({object});
    entries->push_back({parameter->name, {object}});
  }
}

Value HostRun::call(Callable callable, const Values* arguments) {
  const Function& function = *callable.function;
  const bool is_virtual = callable.of != nullptr && virtual_.contains(last_part(function.name));
  const bool is_open = frames_.size() > 1 && is_virtual;  // which it is
  const bool is_tired = steps_ > kManySteps && !holds_unseen_launch(function.range);
  const bool is_again = is_open_ && std::ranges::count(frames_, &function, &Frame::function) > 0;
  if (!function.body || frames_.size() > kMostFrames || is_open || is_tired || is_again) {
    for (std::size_t i = 0; arguments && i < arguments->size() && !function.parameters.empty(); ++i) {
      const cuda::TypeName& type = function.parameters[std::min(i, function.parameters.size() - 1)].type;
      hand_over((*arguments)[i], type.reference && !type.is_const);
    }
    if (callable.self >= 0) hand_over(read({callable.self})), forget({callable.self});
    forget_globals();
    return {};
  }
  steps_ += 50;
  std::vector<Entry> entries;
  // Arguments belong to the caller's frame, which has the callee's types until they are known.
  const std::size_t types = frames_.back().types.size();
  bind_parameters(function, arguments, callable, &entries);
  frames_.back().types.resize(types);
  frames_.push_back({callable, entries_.size()});
  entries_.insert(entries_.end(), callable.captured.begin(), callable.captured.end());
  entries_.insert(entries_.end(), entries.begin(), entries.end());
  if (!is_open_) entered_.insert(&function);
  const Region region(*this);
  std::optional<OwnParameters> own;
  if (callable.of != nullptr && callable.self >= 0 && at(callable.self).type != nullptr)
    own.emplace(*this, *callable.of, at(callable.self).type);
  if (callable.self >= 0 && function.is_constructor) make_members(callable.self, function.member_inits);
  const Within left(may_have_left_, false), returned(may_have_returned_, false);
  returned_ = {};
  const Flow flow = exec(*function.body);
  const bool has_jumped = flow == Flow::Goto || (flow == Flow::Exit && std::exchange(thrown_, false));
  if (has_jumped) may_happen([&] { (void)exec(*function.body); });  // where to?
  Value result = std::exchange(returned_, {});
  if (may_have_returned_ || has_jumped) {
    result = Value{};
    forget_changes(region);
  }
  const Type* type = resolve(function.result);
  const Place refers_to = function.result.reference ? result.place : Place{};
  if (!function.result.reference) result = copied(result);
  if (is_number(type)) result = cast(result, type);
  if (function.result.pointers > 0 && result.kind == Kind::Pointer && type != nullptr) result.type = type;
  own.reset();
  entries_.resize(frames_.back().begin);
  frames_.pop_back();
  exited_ |= flow == Flow::Exit && !has_jumped;
  result.place = refers_to;
  return result;
}

}  // namespace warplens::app::host
