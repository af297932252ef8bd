// Which scalar loads of shared memory the assembler may join. They stay as they are in nvcc's PTX; ptxas
// makes one LDS.128 of four of 4 bytes that lie side by side in 16 aligned ones, where they stand in one
// stretch of code without jumps: as written, or once their loop is unrolled (seen in machine code, and in the
// counters of an H100). Whether it does so is for it to say, so that nothing is counted otherwise here; the
// line says that it may be.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/lower/ir/issue.h"

namespace warplens::sim::lower {
namespace {

constexpr std::int64_t kUnit = 16;  // bytes of the widest access

// constant + the sum of coefficient * value, in bytes.
struct Linear {
  std::map<Value, std::int64_t> terms;
  std::int64_t constant = 0;

  void add(const Linear& more, std::int64_t times) {
    constant += more.constant * times;
    for (const auto& [value, coefficient] : more.terms) {
      std::int64_t& sum = terms[value];
      sum += coefficient * times;
      if (sum == 0) terms.erase(value);
    }
  }
};

class Joinable {
 public:
  Joinable(Ir& ir, const Program& program, Pace pace) : ir_(ir), program_(program), pace_(pace) {
    each_node(ir.body, pace_, [&](const Node& node) {
      if (node.kind != Node::Kind::Op) return;
      for_each_result(ir_, node.op, [&](Value v) {
        made_by_[v] = &node.op.instr;
        if (ir_.is_variable(v)) ++assignments_[v];
      });
    });
    for (const auto& [variable, times] : assignments_)  // a variable that is set once is what it is set to
      if (times > 1 || made_by_[variable]->op != Opcode::Mov) made_by_.erase(variable);
    for (const Value pointer : ir.volatile_pointers)
      volatile_arrays_.insert(ir.values[static_cast<std::size_t>(pointer)].origin.array);
  }

  void run() {
    if (!ir_.all_is_volatile) walk(ir_.body, {});
  }

 private:
  struct Load {
    Op* op = nullptr;
    int array = -1;
    Linear at;
  };

  using Loops = std::vector<const Node*>;  // one in the other, the innermost last; no branch between them

  void walk(List& list, const Loops& around) {
    stretch(list);
    if (!around.empty()) turns(list, around);
    for (Node& node : list) {
      pace_.step();
      walk(node.header, {});
      Loops inside = around;
      if (node.kind == Node::Kind::Loop) inside.push_back(&node);
      walk(node.body, node.kind == Node::Kind::Loop ? inside : Loops{});
      walk(node.other, {});
      for (List& inner : node.cases) walk(inner, {});
    }
  }

  // ---- one stretch of code: two loads in the same 16 bytes, side by side

  void stretch(List& list) {
    std::map<std::pair<int, std::map<Value, std::int64_t>>, std::map<std::int64_t, Op*>> places;
    for (Node& node : list) {
      if (node.kind == Node::Kind::Begin || node.kind == Node::Kind::Finish) continue;
      if (parts(node)) {
        places.clear();
        continue;
      }
      const Value assigned = node.op.instr.dst;
      if (ir_.is_variable(assigned))
        std::erase_if(places, [&](const auto& place) { return place.first.second.contains(assigned); });
      const Load load = load_of(node.op);
      if (load.op == nullptr || !is_aligned(load.at.terms, kNone)) continue;
      std::map<std::int64_t, Op*>& beside = places[{load.array, load.at.terms}];
      const std::int64_t bytes = bytes_of(node.op), at = load.at.constant;
      for (const std::int64_t other : {at - bytes, at + bytes}) {
        const auto found = beside.find(other);
        if (found == beside.end() || unit(found->first) != unit(at) || bytes_of(*found->second) != bytes)
          continue;
        mark(*found->second);
        mark(node.op);
      }
      beside.try_emplace(at, &node.op);
    }
  }

  // ---- the turns of a loop, which is unrolled: each loads what lies beside that of the turn before

  struct Turns {
    std::map<Value, std::pair<int, const Op*>> assigned;  // variables: how often, and where
    std::set<Value> made;                                 // what else is new in each turn
    bool parted = false;
  };
  const Turns& turns_of(const Node& loop) {
    const auto [known, is_new] = turns_.try_emplace(&loop);
    Turns& its = known->second;
    if (!is_new) return its;
    for (const List* list : {&loop.header, &loop.body, &loop.other})
      each_node(*list, pace_, [&](const Node& node) {
        if (node.kind == Node::Kind::Op ? parts(node)
                                        : node.kind == Node::Kind::Fence || is_of_unknown_length(node))
          its.parted = true;
        if (node.kind != Node::Kind::Op) return;
        for_each_result(ir_, node.op, [&](Value v) {
          if (!ir_.is_variable(v)) {
            its.made.insert(v);
            return;
          }
          auto& [times, where] = its.assigned[v];
          ++times, where = &node.op;
        });
      });
    return its;
  }
  bool is_of_unknown_length(const Node& node) const {
    return node.kind == Node::Kind::Loop && ir_.regions[static_cast<std::size_t>(node.region)].divergent;
  }
  // Whether the variable counts the turns of one of the loops from there on inwards.
  bool counts_inside(Value variable, const Loops& around, std::size_t from) {
    for (std::size_t i = from; i < around.size(); ++i) {
      const auto found = turns_of(*around[i]).assigned.find(variable);
      if (found != turns_of(*around[i]).assigned.end() && found->second.first == 1) return true;
    }
    return false;
  }

  void turns(List& body, const Loops& around) {
    for (Node& node : body) {
      if (node.kind != Node::Kind::Op) continue;
      const Load load = load_of(node.op);
      for (std::size_t i = load.op == nullptr ? 0 : around.size(); i-- > 0;) {
        const Turns& its = turns_of(*around[i]);
        if (its.parted) break;
        Value counter = kNone;
        bool known = true;
        for (const auto& [value, coefficient] : load.at.terms) {
          known = known && !its.made.contains(value);
          const auto found = its.assigned.find(value);
          if (found == its.assigned.end() || counts_inside(value, around, i + 1)) continue;
          const auto& [times, where] = found->second;
          known = known && counter == kNone && times == 1 &&
                  std::abs(coefficient * step_of(value, *where)) == bytes_of(node.op);
          counter = value;
        }
        if (known && counter != kNone && is_aligned(load.at.terms, counter)) mark(node.op);
        if (is_of_unknown_length(*around[i]))
          break;  // its turns are no constants, so none around it is unrolled
      }
    }
  }

  // By how much the assignment changes the variable; 0: that is not known.
  std::int64_t step_of(Value variable, const Op& assignment) {
    if (assignment.instr.op != Opcode::Mov) return 0;
    Linear change = linear(assignment.instr.a, 0);
    change.add({{{variable, 1}}, 0}, -1);
    return change.terms.empty() ? change.constant : 0;
  }

  // ---- addresses

  static std::int64_t unit(std::int64_t at) { return at >= 0 ? at / kUnit : -1 - (-1 - at) / kUnit; }
  static bool is_aligned(const std::map<Value, std::int64_t>& terms, Value but) {
    for (const auto& [value, coefficient] : terms)
      if (value != but && coefficient % kUnit != 0) return false;
    return true;
  }
  static std::int64_t bytes_of(const Op& op) { return size_of(op.instr.type); }
  void mark(const Op& op) { ir_.accesses[static_cast<std::size_t>(op.access)].joinable = true; }

  // Whether loads before and behind it are not joined.
  bool parts(const Node& node) const {
    if (node.kind != Node::Kind::Op) return true;
    const Instr& i = node.op.instr;
    if (i.op == Opcode::Store || i.op == Opcode::Atomic) {
      const Origin::Kind space = space_of(i.a);
      return space != Origin::Kind::Global && space != Origin::Kind::Local;
    }
    return shows_stores_of_others(node);
  }
  Origin::Kind space_of(Value base) const {
    const Origin& origin = ir_.values[static_cast<std::size_t>(base)].origin;
    return origin.kind == Origin::Kind::Array ? ir_.arrays[static_cast<std::size_t>(origin.array)].space
                                              : origin.kind;
  }

  Load load_of(Op& op) {
    const Instr& i = op.instr;
    if (i.op != Opcode::Load || op.access < 0 || i.components != 1 || bytes_of(op) >= kUnit) return {};
    const Access& access = ir_.accesses[static_cast<std::size_t>(op.access)];
    const int array = ir_.values[static_cast<std::size_t>(i.a)].origin.array;
    if (space_of(i.a) != Origin::Kind::Shared || access.form != AccessForm::Plain || access.is_literal ||
        array < 0 || volatile_arrays_.contains(array))
      return {};
    Load load{&op, array, linear(i.a, 0)};
    load.at.constant += i.offset;
    for (const Term& term : access.terms) load.at.add(linear(term.index, 0), term.scale);
    for (const SharedArray& shared :
         program_.shared_arrays)  // wherever it lies, it begins at a multiple of 16
      if (shared.name == ir_.arrays[static_cast<std::size_t>(array)].name) load.at.constant -= shared.offset;
    load.at.constant -= static_cast<std::int64_t>(kSharedWindow);
    return load;
  }

  Linear linear(Value v, int depth) {
    constexpr int kDeepest = 24;
    const ValueInfo& info = ir_.values[static_cast<std::size_t>(v)];
    if (info.kind == ValueInfo::Kind::Constant) {
      const bool is_signed_word = size_of(info.type) == 4;
      return {{},
              is_signed_word ? static_cast<std::int32_t>(info.bits) : static_cast<std::int64_t>(info.bits)};
    }
    const Linear itself{{{v, 1}}, 0};
    const auto made = made_by_.find(v);
    if (made == made_by_.end() || depth > kDeepest) return itself;
    pace_.step();
    const Instr& i = *made->second;
    if (ir_.is_variable(v)) {  // unless what it is computed from has changed since
      Linear set = linear(i.a, depth + 1);
      const bool changes = std::any_of(set.terms.begin(), set.terms.end(), [&](const auto& term) {
        const auto times = assignments_.find(term.first);
        return times != assignments_.end() && times->second > 1;
      });
      return changes ? itself : set;
    }
    const auto number = [&](Value of) -> std::optional<std::int64_t> {
      const Linear known = of == kNone ? itself : linear(of, kDeepest);
      return known.terms.empty() ? std::optional(known.constant) : std::nullopt;
    };
    const auto sum = [&](Value a, std::int64_t times_a, Value b, std::int64_t times_b) {
      Linear result;
      result.add(linear(a, depth + 1), times_a);
      if (b != kNone) result.add(linear(b, depth + 1), times_b);
      return result;
    };
    if (is_floating(i.type) ||
        (i.op == Opcode::Convert && (is_floating(i.to) || size_of(i.to) < size_of(i.type))))
      return itself;
    switch (i.op) {
      case Opcode::Mov:
      case Opcode::Convert:
        return sum(i.a, 1, kNone, 0);
      case Opcode::Add:
        return sum(i.a, 1, i.b, 1);
      case Opcode::Sub:
        return sum(i.a, 1, i.b, -1);
      case Opcode::Mul:
        if (const auto right = number(i.b)) return sum(i.a, *right, kNone, 0);
        if (const auto left = number(i.a)) return sum(i.b, *left, kNone, 0);
        return itself;
      case Opcode::Shl:
        if (const auto by = number(i.b); by && *by >= 0 && *by < 32)
          return sum(i.a, std::int64_t{1} << *by, kNone, 0);
        return itself;
      default:
        return itself;
    }
  }

  Ir& ir_;
  const Program& program_;
  Pace pace_;
  std::map<Value, const Instr*> made_by_;
  std::map<Value, int> assignments_;  // of variables
  std::set<int> volatile_arrays_;
  std::map<const Node*, Turns> turns_;
};

}  // namespace

void find_joinable_loads(Ir& ir, const Program& program, Budget& budget) {
  Joinable(ir, program, Pace(budget, Stage::Optimising)).run();
}

}  // namespace warplens::sim::lower
