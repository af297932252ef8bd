// Which loads of shared memory ptxas may join. Of neighbours in 16 aligned bytes, in one stretch of code
// without jumps, it makes one wider load (seen in machine code, and in the counters of an H100:
// tests/compiled). Whether it does so is for it to say, so that nothing is counted otherwise here.
#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <vector>

#include "sim/lower/ir/ir.h"

namespace warplens::sim::lower {
namespace {

constexpr int kUnit = 4;  // log2 of the bytes of the widest access

class Joinable {
 public:
  Joinable(Ir& ir, Pace pace) : ir_(ir), pace_(pace), zeros_(ir.values.size(), kUnit) {}

  void run() {
    for (std::size_t v = 0; v < zeros_.size(); ++v) {
      const ValueInfo& info = ir_.values[v];
      if (info.kind == ValueInfo::Kind::Constant)
        zeros_[v] = std::min(kUnit, std::countr_zero(info.bits));
      else if (info.kind == ValueInfo::Kind::Input)
        zeros_[v] = 0;
    }
    do {  // a value only ever loses zeros, at most kUnit times
      changed_ = false;
      each_node(ir_.body, pace_, [&](const Node& node) {
        if (node.kind == Node::Kind::Op) take(node.op);
      });
    } while (changed_);
    stretches(ir_.body);
  }

 private:
  // How many bits at the end of each value are zero: the known-bits analysis, as far as it tells alignment.
  void take(const Op& op) {
    const Instr& i = op.instr;
    for_each_result(ir_, op, [&](Value v) {
      int& zeros = zeros_[static_cast<std::size_t>(v)];
      const int now = std::min(zeros, zeros_of(i));
      changed_ = changed_ || now != zeros;
      zeros = now;
    });
  }
  int zeros_of(const Instr& i) const {
    const auto of = [&](Value v) { return zeros_[static_cast<std::size_t>(v)]; };
    if (is_floating(i.type)) return 0;
    switch (i.op) {
      case Opcode::Mov:
        return of(i.a);
      case Opcode::Convert:
        return is_floating(i.to) || i.to == ScalarType::Bool ? 0 : of(i.a);
      case Opcode::Add:
      case Opcode::Sub:
      case Opcode::Or:
      case Opcode::Xor:
        return std::min(of(i.a), of(i.b));
      case Opcode::And:
        return std::max(of(i.a), of(i.b));
      case Opcode::Mul:
        return std::min(kUnit, of(i.a) + of(i.b));
      case Opcode::Shl: {
        const ValueInfo& by = ir_.values[static_cast<std::size_t>(i.b)];
        const bool known = by.kind == ValueInfo::Kind::Constant;
        return known && by.bits < kUnit ? std::min(kUnit, of(i.a) + static_cast<int>(by.bits))
               : known                  ? kUnit
                                        : of(i.a);
      }
      default:
        return 0;
    }
  }

  using Index = std::tuple<Value, ScalarType, std::int64_t>;  // of a term: value, type, scale
  using Base = std::tuple<Value, std::vector<Index>>;         // what is the same of neighbours
  using Loads = std::map<std::int64_t, const Op*>;            // by offset
  using Places = std::map<Base, Loads>;

  void stretches(const List& list) {
    Places places;
    for (const Node& node : list) {
      pace_.step();
      if (node.kind == Node::Kind::Op)
        take_load(node.op, places);
      else if (node.kind != Node::Kind::Begin && node.kind != Node::Kind::Finish)
        places.clear();
      for (const List* inner : {&node.header, &node.body, &node.other}) stretches(*inner);
      for (const List& inner : node.cases) stretches(inner);
    }
  }

  void take_load(const Op& op, Places& places) {
    const Instr& i = op.instr;
    // A later store may change what is read, and so may whoever waits at a barrier.
    if (i.op == Opcode::Store || i.op == Opcode::Atomic || i.op == Opcode::Barrier ||
        i.op == Opcode::SyncWarp)
      return places.clear();
    // What was loaded by the old value of a variable has no neighbours by the new one.
    if (ir_.is_variable(i.dst))
      std::erase_if(places, [&](const auto& place) { return reads(place.first, i.dst); });
    if (i.op != Opcode::Load || op.access < 0 || i.components != 1) return;
    const Access& access = ir_.accesses[static_cast<std::size_t>(op.access)];
    if (access.is_volatile || access.form != AccessForm::Plain || !is_shared(i.a) || !is_aligned(i.a, access))
      return;
    Base base{i.a, {}};
    for (const Term& term : access.terms) std::get<1>(base).emplace_back(term.index, term.type, term.scale);
    Loads& beside = places[base];
    for (const std::int64_t other : {i.offset - access.bytes, i.offset + access.bytes}) {
      const auto found = beside.find(other);
      if (found == beside.end() || found->second->instr.type != i.type || other >> kUnit != i.offset >> kUnit)
        continue;
      mark(*found->second), mark(op);
    }
    beside.try_emplace(i.offset, &op);
  }
  static bool reads(const Base& base, Value value) {
    const auto& [pointer, terms] = base;
    return pointer == value ||
           std::ranges::any_of(terms, [&](const Index& t) { return std::get<0>(t) == value; });
  }
  void mark(const Op& op) { ir_.accesses[static_cast<std::size_t>(op.access)].joinable = true; }

  bool is_shared(Value base) const {
    const Origin& origin = ir_.values[static_cast<std::size_t>(base)].origin;
    const bool is_array = origin.kind == Origin::Kind::Array;
    return (is_array ? ir_.arrays[static_cast<std::size_t>(origin.array)].space : origin.kind) ==
           Origin::Kind::Shared;
  }
  bool is_aligned(Value base, const Access& access) const {
    return zeros_[static_cast<std::size_t>(base)] == kUnit &&
           std::ranges::all_of(access.terms, [&](const Term& t) {
             const int scale = std::countr_zero(static_cast<std::uint64_t>(t.scale));
             return zeros_[static_cast<std::size_t>(t.index)] + scale >= kUnit;
           });
  }

  Ir& ir_;
  Pace pace_;
  std::vector<int> zeros_;  // by value
  bool changed_ = false;
};

}  // namespace

void find_joinable_loads(Ir& ir, Budget& budget) {
  Joinable(ir, Pace(budget, Stage::Optimising)).run();
}

}  // namespace warplens::sim::lower
