// One walk along the text: what lies where, as far as the stretch of code just reached can know it.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "sim/lower/ir/issue.h"
#include "sim/scalar/bits.h"

namespace warplens::sim::lower {
namespace {

// A value at a time: variables change.
struct Name {
  Value value = kNone;
  std::int64_t version = 0;
  friend bool operator==(const Name&, const Name&) = default;
};

// Where a number lies: the same root plus an offset is the same place.
struct Place {
  Name base, index;
  ScalarType index_type = ScalarType::I32;
  std::int64_t scale = 0, offset = 0;
  int bytes = 0;

  bool same_root(const Place& o) const {
    return base == o.base && index == o.index &&
           (index.value == kNone || (index_type == o.index_type && scale == o.scale));
  }
  bool is(const Place& o) const { return same_root(o) && offset == o.offset && bytes == o.bytes; }
  bool is_apart_from(const Place& o) const {
    return same_root(o) && (offset + bytes <= o.offset || o.offset + o.bytes <= offset);
  }
};

struct Known {
  Place place;
  ScalarType type = ScalarType::I32;
  Name value;
  Op op;          // that loaded or stored it
  int depth = 0;  // of the list in which it did
};

// Of `i < n && a[i] > 0`: where the flag has this value, the branch was taken that loaded a[i].
struct Outcome {
  Name flag;
  bool value = false;
  std::vector<Known> known;
  int depth = 0;
};
// A flag made of others.
struct Combined {
  Opcode op = Opcode::Not;
  Name a, b;
};

struct Stored {
  List* list = nullptr;
  List::iterator node;
  Place place;
};

class Repeats {
 public:
  Repeats(Ir& ir, Pace pace) : ir_(ir), pace_(pace), issuable_(ir) {
    version_.resize(ir.values.size(), 0);
    replaced_.resize(ir.values.size(), kNone);
    copies_.resize(ir.values.size());
  }

  bool run() {
    walk(ir_.body);
    for (DebugSymbol& symbol : ir_.symbols) symbol.value = current(symbol.value);
    return changed_;
  }

 private:
  static constexpr std::size_t kMostKnown = 128, kMostStored = 16;  // the last ones
  static constexpr std::size_t kMostOutcomes = 64;

  // ---- values

  Value current(Value v) const {
    while (v >= 0 && replaced_[v] != kNone) v = replaced_[v];
    return v;
  }
  Name now(Value v) const { return {v, v == kNone ? 0 : version_[v]}; }
  // What a value is a copy of.
  Name name(Value v) const {
    Name named = now(current(v));
    while (named.value != kNone && copies_[named.value].value != kNone &&
           now(copies_[named.value].value) == copies_[named.value])
      named = copies_[named.value];
    return named;
  }
  void change(Value v) {
    version_[v] = ++versions_;
    copies_[v] = {};
  }
  void change_all(const std::set<Value>& values) {
    for (const Value v : values) change(v);
  }
  std::set<Value> assigned_in(const List& list) {
    std::set<Value> assigned;
    collect_assigned(list, assigned);
    return assigned;
  }
  void collect_assigned(const List& list, std::set<Value>& assigned) {
    each_node(list, pace_, [&](const Node& node) {
      if (node.kind == Node::Kind::Op && ir_.is_variable(node.op.instr.dst))
        assigned.insert(node.op.instr.dst);
    });
  }
  // ---- what is known of memory

  Place place_of(const Op& op, int component) const {
    Place place;
    place.base = name(op.instr.a);
    const std::vector<Term>& terms = ir_.accesses[op.access].terms;
    place.bytes = size_of(op.instr.type);
    place.offset = op.instr.offset + std::int64_t{component} * place.bytes;
    if (!terms.empty()) {
      place.index = name(terms[0].index);
      place.index_type = terms[0].type;
      place.scale = terms[0].scale;
    }
    return from_root(place);
  }
  // A pointer that was computed, &a[i], leads to where a[i] lies.
  Place from_root(Place place) const {
    const auto computed = pointers_.find(place.base.value);
    if (computed != pointers_.end() && is_still(computed->second) &&
        (place.index.value == kNone || computed->second.index.value == kNone)) {
      Place root = computed->second;
      if (place.index.value != kNone) {
        root.index = place.index;
        root.index_type = place.index_type;
        root.scale = place.scale;
      }
      root.offset += place.offset;
      root.bytes = place.bytes;
      place = root;
    }
    // i + 1 is one further than i: signed numbers do not wrap in what compilers assume.
    const auto sum = sums_.find(place.index.value);
    if (sum == sums_.end() || !is_signed(place.index_type) ||
        now(sum->second.first.value) != sum->second.first)
      return place;
    place.index = sum->second.first;
    place.offset += sum->second.second * place.scale;
    return place;
  }
  bool is_still(const Place& place) const {
    return now(place.base.value) == place.base &&
           (place.index.value == kNone || now(place.index.value) == place.index);
  }
  // Steps of a pointer's arithmetic: an index made wide, times an element's size, added to a pointer.
  void note_pointer(const Instr& i) {
    if (ir_.is_variable(i.dst) || ir_.values[i.dst].group >= 0) return;
    const auto index_of = [&](Value v) {
      const auto known = indices_.find(v);
      return known != indices_.end() ? known->second : Place{{}, name(v), ScalarType::I64, 1, 0, 0};
    };
    if (i.op == Opcode::Convert && size_of(i.to) == 8 && !is_floating(i.type) && !is_floating(i.to)) {
      indices_[i.dst] = {{}, name(i.a), i.type, 1, 0, 0};
    } else if (i.op == Opcode::Mul && i.type == ScalarType::I64 && ir_.is_constant(i.b)) {
      Place index = index_of(i.a);
      index.scale *= integer_of(i.type, ir_.values[i.b].bits);
      indices_[i.dst] = index;
    } else if (i.op == Opcode::Add && i.type == ScalarType::U64) {
      Place place{name(i.a), {}, ScalarType::I32, 0, 0, 0};
      if (ir_.is_constant(i.b)) {
        place.offset = static_cast<std::int64_t>(ir_.values[i.b].bits);
      } else {
        place = index_of(i.b);
        place.base = name(i.a);
      }
      pointers_[i.dst] = from_root(place);
    }
  }
  // The same operation on the same values is the same value, also where it is written in two branches.
  void number(const Instr& i) {
    switch (i.op) {
      case Opcode::Convert:
      case Opcode::Add:
      case Opcode::Sub:
      case Opcode::Mul:
      case Opcode::And:
      case Opcode::Or:
      case Opcode::Xor:
      case Opcode::Shl:
      case Opcode::Shr:
        break;
      default:
        return;
    }
    if (ir_.is_variable(i.dst) || ir_.values[i.dst].group >= 0) return;
    const Name a = name(i.a), b = i.b == kNone ? Name{} : name(i.b);
    const auto [first, is_new] =
        numbered_.try_emplace({i.op, i.type, i.to, a.value, a.version, b.value, b.version}, now(i.dst));
    if (is_new) return;
    if (now(first->second.value) == first->second && first->second.value != i.dst)
      copies_[i.dst] = first->second;
    else
      first->second = now(i.dst);
  }
  void note_sum(const Instr& i) {
    if ((i.op != Opcode::Add && i.op != Opcode::Sub) || !is_signed(i.type) || is_floating(i.type)) return;
    if (ir_.is_variable(i.dst) || ir_.values[i.dst].group >= 0) return;
    for (const auto& [v, other] : {std::pair{i.a, i.b}, std::pair{i.b, i.a}}) {
      if (!ir_.is_constant(other) || (i.op == Opcode::Sub && other == i.a)) continue;
      const std::int64_t by = integer_of(i.type, ir_.values[other].bits);
      sums_[i.dst] = {name(v), i.op == Opcode::Sub ? -by : by};
      return;
    }
  }
  Place whole_place(const Op& op) const {
    Place place = place_of(op, 0);
    place.bytes *= std::max<int>(1, op.instr.components);
    return place;
  }
  CacheOperator cache_of(const Op& op) const { return ir_.accesses[op.access].cache; }
  // What an access like `op` finds there.
  const Known* find(const Op& op, int component) const {
    const Place place = place_of(op, component);
    for (const Known& known : known_) {
      if (known.type == op.instr.type && cache_of(known.op) == cache_of(op) && known.place.is(place) &&
          now(known.value.value) == known.value)
        return &known;
    }
    return nullptr;
  }
  void know(const Op& op, int component, Name value) {
    const Place place = place_of(op, component);
    std::erase_if(known_, [&](const Known& known) {
      return cache_of(known.op) == cache_of(op) && known.place.is(place);
    });
    if (known_.size() >= kMostKnown) known_.erase(known_.begin());
    known_.push_back({place, op.instr.type, value, op, depth_});
  }
  template <class Is>
  void forget(Is is) {
    std::erase_if(known_, is);
    for (Outcome& outcome : outcomes_) std::erase_if(outcome.known, is);
  }
  void forget_what_changes(const Op& writer, bool anywhere) {
    const Place place = whole_place(writer);
    forget([&](const Known& known) {
      return (anywhere || !place.is_apart_from(known.place)) && issuable_.may_change(writer, known.op);
    });
  }
  // Other threads go on, and what they stored is seen.
  void forget_shared() {
    forget([&](const Known& known) { return !issuable_.is_private(known.op); });
    stored_.clear();
  }
  static bool writes(const Op& op) { return op.instr.op == Opcode::Store || op.instr.op == Opcode::Atomic; }
  // What another turn of the loop may have stored.
  void forget_what_changes_in(const List& list) {
    each_node(list, pace_, [&](const Node& node) {
      if (lets_others_go_on(node))
        forget_shared();
      else if (node.kind == Node::Kind::Op && writes(node.op) && !(known_.empty() && outcomes_.empty()))
        forget_what_changes(node.op, true);
    });
  }

  // ---- what a flag says

  // The variable that the branch sets last: `&&` and `||` leave their result in one.
  Value flag_of(const List& list) const {
    for (auto node = list.rbegin(); node != list.rend(); ++node) {
      if (node->kind == Node::Kind::Begin || node->kind == Node::Kind::Finish) continue;
      const bool sets = node->kind == Node::Kind::Op && node->op.instr.op == Opcode::Mov &&
                        node->op.instr.type == ScalarType::Bool && ir_.is_variable(node->op.instr.dst);
      return sets ? node->op.instr.dst : kNone;
    }
    return kNone;
  }
  void note_flag(const Instr& i) {
    const bool combines = i.op == Opcode::Not || i.op == Opcode::And || i.op == Opcode::Or;
    if (combines && i.type == ScalarType::Bool && !ir_.is_variable(i.dst))
      combined_[i.dst] = {i.op, name(i.a), i.b == kNone ? Name{} : name(i.b)};
  }
  const Combined* combination(const Name& flag) const {
    const auto found = combined_.find(flag.value);
    return found != combined_.end() && now(found->second.a.value) == found->second.a ? &found->second
                                                                                     : nullptr;
  }
  void collect(const Name& flag, bool value, std::vector<Known>& into, int levels = 0) const {
    constexpr int kMostLevels = 16;
    if (levels > kMostLevels) return;
    for (const Outcome& outcome : outcomes_)
      if (outcome.flag == flag && outcome.value == value)
        into.insert(into.end(), outcome.known.begin(), outcome.known.end());
    const Combined* of = combination(flag);
    if (of == nullptr) return;
    if (of->op == Opcode::Not) return collect(of->a, !value, into, levels + 1);
    if ((of->op == Opcode::And) != value) return;
    collect(of->a, value, into, levels + 1);
    if (now(of->b.value) == of->b) collect(of->b, value, into, levels + 1);
  }
  // At this depth the condition has this value.
  void learn(Value condition, bool value) {
    if (condition == kNone || outcomes_.empty()) return;
    std::vector<Known> learnt;
    collect(name(condition), value, learnt);
    for (Known& known : learnt) {
      if (known_.size() >= kMostKnown) return;
      known.depth = depth_;
      known_.push_back(known);
    }
  }

  // ---- the walk

  void walk(List& list) {
    ++depth_;
    nodes(list);
    leave();
  }
  void leave() {
    --depth_;
    std::erase_if(known_, [&](const Known& known) { return known.depth > depth_; });
    std::erase_if(outcomes_, [&](const Outcome& outcome) { return outcome.depth > depth_; });
    stored_.clear();
  }
  void nodes(List& list) {
    for (auto node = list.begin(); node != list.end();) {
      pace_.step();
      if (node->kind == Node::Kind::Op) {
        node = operation(list, node);
      } else {
        construct(*node);
        ++node;
      }
    }
  }

  void construct(Node& node) {
    if (node.kind == Node::Kind::Begin || node.kind == Node::Kind::Finish) return;
    node.condition = current(node.condition);
    if (node.kind == Node::Kind::Fence) return forget_shared();
    stored_.clear();
    for (CaseLabel& label : node.labels) label.condition = current(label.condition);
    if (node.kind == Node::Kind::Loop) return loop(node);
    if (node.kind == Node::Kind::If) return branch(node);
    for (List* list : {&node.body, &node.other}) {
      walk(*list);
      change_all(assigned_in(*list));
    }
    std::set<Value> assigned;
    for (const List& list : node.cases) collect_assigned(list, assigned);
    for (List& list : node.cases) {  // reached from before the switch, or from the case above
      change_all(assigned);
      walk(list);
    }
    change_all(assigned);
  }

  // What holds behind a branch holds behind both of its sides, or behind the one that is not left.
  void branch(Node& node) {
    const Value flag = node.other.empty() ? flag_of(node.body) : kNone;
    const Name before = name(flag), condition = name(node.condition);
    const Combined* of = combination(condition);
    const bool is_negated = of != nullptr && of->op == Opcode::Not && of->a == before;
    const std::vector<Known> known = known_;
    const std::vector<Outcome> outcomes = outcomes_;
    std::vector<Known> at_end = side(node, node.body, true);
    change_all(assigned_in(node.body));
    std::vector<Known> behind = std::exchange(known_, known);
    std::vector<Outcome> outcomes_behind = std::exchange(outcomes_, outcomes);
    side(node, node.other, false);
    if (leaves(node.other)) {
      known_ = std::move(behind);
      outcomes_ = std::move(outcomes_behind);
    } else if (!leaves(node.body)) {
      keep_common(known_, behind);
      for (std::size_t i = 0; i < outcomes_.size(); ++i)
        keep_common(outcomes_[i].known, outcomes_behind[i].known);
    }
    change_all(assigned_in(node.other));
    if (flag != kNone && !at_end.empty() && (before == condition || is_negated) &&
        outcomes_.size() < kMostOutcomes)
      outcomes_.push_back({now(flag), !is_negated, std::move(at_end), depth_});
    if (node.other.empty() && leaves(node.body)) learn(node.condition, false);
  }
  // One side of it; what is known at its end that was not before.
  std::vector<Known> side(const Node& node, List& list, bool value) {
    std::vector<Known> at_end;
    ++depth_;
    learn(node.condition, value);
    nodes(list);
    std::copy_if(known_.begin(), known_.end(), std::back_inserter(at_end),
                 [&](const Known& known) { return known.depth == depth_; });
    leave();
    return at_end;
  }
  static void keep_common(std::vector<Known>& known, const std::vector<Known>& other) {
    std::erase_if(known, [&](const Known& one) {
      return std::none_of(other.begin(), other.end(), [&](const Known& same) {
        return same.place.is(one.place) && same.value == one.value && same.type == one.type;
      });
    });
  }

  void loop(Node& node) {
    std::set<Value> assigned;
    for (const List* list : {&node.header, &node.body, &node.other}) {
      collect_assigned(*list, assigned);
      forget_what_changes_in(*list);
    }
    change_all(assigned);
    ++depth_;
    if (node.test_first) nodes(node.header);
    ++depth_;
    if (node.test_first) learn(node.condition, true);
    nodes(node.body);
    leave();
    change_all(assigned_in(node.body));  // of those that went on before its end
    walk(node.other);
    if (!node.test_first) nodes(node.header);
    leave();
    node.condition = current(node.condition);
    change_all(assigned);
  }

  List::iterator operation(List& list, List::iterator node) {
    Instr& i = node->op.instr;
    for (Value* operand : {&i.a, &i.b, &i.d}) *operand = current(*operand);
    if (!(i.op == Opcode::Store && i.components > 1)) i.c = current(i.c);
    if (node->op.access >= 0) {
      for (Term& term : ir_.accesses[node->op.access].terms) term.index = current(term.index);
    }
    if (shows_stores_of_others(*node)) forget_shared();
    if (i.op == Opcode::Load) return load(list, node);
    if (i.op == Opcode::Store) return store(list, node);
    if (i.op == Opcode::Atomic) {
      forget_what_changes(node->op, false);
      stored_.clear();
    }
    if (i.op == Opcode::Mov) {
      const Name source = name(i.a);
      if (source.value == i.dst) return std::next(node);
      change(i.dst);
      copies_[i.dst] = source;
    } else if (i.dst != kNone) {
      for_each_result(ir_, node->op, [&](Value v) { change(v); });
      number(i);
      note_sum(i);
      note_pointer(i);
      note_flag(i);
    }
    return std::next(node);
  }

  List::iterator load(List& list, List::iterator node) {
    const Op op = node->op;
    std::vector<Value> results;
    for_each_result(ir_, op, [&](Value v) { results.push_back(v); });
    std::vector<Value> values;
    if (issuable_.may_leave_out(op)) {
      for (int k = 0; k < op.instr.components; ++k) {
        const Known* known = find(op, k);
        if (known != nullptr) values.push_back(known->value.value);
      }
    }
    if (values.size() == results.size()) {
      note_unissued(ir_, op, UnissuedAccess::Why::Known);
      changed_ = true;
      for (std::size_t k = 0; k < results.size(); ++k) take(list, node, results[k], values[k]);
      return list.erase(node);
    }
    for (const Value v : results) change(v);
    std::erase_if(stored_, [&](const Stored& stored) { return may_read(op, stored); });
    if (issuable_.may_leave_out(op)) {
      for (int k = 0; k < op.instr.components; ++k) know(op, k, now(results[static_cast<std::size_t>(k)]));
    }
    return std::next(node);
  }
  bool may_read(const Op& load, const Stored& stored) const {
    return !whole_place(load).is_apart_from(stored.place) && issuable_.may_change(stored.node->op, load);
  }
  // `result` is `value`, in place of `node`.
  void take(List& list, List::iterator node, Value result, Value value) {
    const ValueInfo &to = ir_.values[result], &from = ir_.values[value];
    if (to.kind == ValueInfo::Kind::Temp && to.group < 0 && from.kind != ValueInfo::Kind::Variable) {
      replaced_[result] = value;
      return;
    }
    Node& move = *list.emplace(node);
    move.range = node->range;
    move.op = {Instr{.op = Opcode::Mov, .type = node->op.instr.type, .a = value}, node->range, -1};
    move.op.instr.dst = result;
    const Name source = name(value);
    change(result);
    copies_[result] = source;
  }

  List::iterator store(List& list, List::iterator node) {
    const Op op = node->op;
    if (!issuable_(op)) {
      forget_what_changes(op, false);
      return std::next(node);
    }
    std::vector<Value> values{op.instr.c};
    if (op.instr.components > 1) values = ir_.groups[ir_.values[op.instr.c].group];
    bool is_there = true;
    for (int k = 0; k < op.instr.components; ++k) {
      const Known* known = find(op, k);
      is_there = is_there && known != nullptr &&
                 name(known->value.value) == name(values[static_cast<std::size_t>(k)]);
    }
    if (is_there) {
      note_unissued(ir_, op, UnissuedAccess::Why::Unchanged);
      changed_ = true;
      return list.erase(node);
    }
    forget_what_changes(op, false);
    for (int k = 0; k < op.instr.components; ++k) know(op, k, now(values[static_cast<std::size_t>(k)]));
    overwrite(list, node);
    return std::next(node);
  }

  void overwrite(List& list, List::iterator node) {
    const Place place = whole_place(node->op);
    std::erase_if(stored_, [&](const Stored& stored) {
      if (stored.list != &list || !stored.place.is(place)) return false;
      note_unissued(ir_, stored.node->op, UnissuedAccess::Why::Overwritten);
      list.erase(stored.node);
      return changed_ = true;
    });
    if (stored_.size() >= kMostStored) stored_.erase(stored_.begin());
    stored_.push_back({&list, node, place});
  }

  Ir& ir_;
  Pace pace_;
  const Issuable issuable_;
  std::vector<Known> known_;  // oldest first
  std::vector<Outcome> outcomes_;
  std::map<Value, Combined> combined_;  // temporaries
  using Operation = std::tuple<Opcode, ScalarType, ScalarType, Value, std::int64_t, Value, std::int64_t>;
  std::map<Operation, Name> numbered_;  // temporaries: where it is written first
  std::vector<Stored> stored_;          // in the stretch of code since the last jump, oldest first
  std::vector<std::int64_t> version_;
  std::vector<Value> replaced_;
  std::vector<Name> copies_;
  std::map<Value, std::pair<Name, std::int64_t>> sums_;  // temporaries: a value plus a constant
  std::map<Value, Place> indices_, pointers_;            // temporaries on the way to a pointer; such pointers
  std::int64_t versions_ = 0;
  int depth_ = 0;
  bool changed_ = false;
};

}  // namespace

bool leave_out_repeated(Ir& ir, Pace pace) {
  return Repeats(ir, pace).run();
}

}  // namespace warplens::sim::lower
