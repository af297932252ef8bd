// Which accesses of shared memory ptxas joins, and what it makes of them. Seen in machine code by ptxas 13.0,
// and in the counters of an H100 (tests/compiled/data/assembled). Of loads:
//
//   - It joins words, and double words, that lie in one 16 aligned bytes, in one stretch of code without
//     jumps, barriers, atomics and stores that may lead to shared memory. Three or four words, or two double
//     words, become one load of 16 bytes; two words that make an aligned pair become one of 8.
//   - An address is aligned where its low bits are known to be zero (known-bits analysis). Where only three
//     are, it joins pairs.
//   - It loads once what the stretch loads again.
//   - What only the kernel's last conditional stretch reads, it loads behind that condition: the other lanes
//     have ended by then.
//   - It leaves bytes and halves as they are, and loads of two or four words.
//
// Of stores:
//
//   - It joins those that fill 16 aligned bytes, 8 or 4, where no other access of shared memory, no fence and
//     no jump stands between them, whatever their order. What is stored lies in registers until the last.
#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/lower/ir/ir.h"

namespace warplens::sim::lower {
namespace {

constexpr int kUnit = 4;  // log2 of the bytes of the widest access
constexpr int kPair = 3;  // of a pair of words
constexpr int kMostComponents = 4;

class SharedAccesses {
 public:
  SharedAccesses(Ir& ir, Pace pace, bool joins)
      : ir_(ir), pace_(pace), joins_(joins), zeros_(ir.values.size(), kUnit) {}

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
    if (joins_) load_behind_last_condition();
  }

 private:
  // How many bits at the end of each value are zero: the known-bits analysis, as far as it tells alignment.
  void take(const Op& op) {
    const Instr& i = op.instr;
    for_each_result(ir_, op, [&](Value v) {
      int& zeros = zeros_[v];
      const int now = std::min(zeros, zeros_of(i));
      changed_ = changed_ || now != zeros;
      zeros = now;
    });
  }
  int zeros_of(const Instr& i) const {
    const auto of = [&](Value v) { return zeros_[v]; };
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
        const ValueInfo& by = ir_.values[i.b];
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
  using Accesses = std::vector<List::iterator>;               // in the order of the code
  using Places = std::map<Base, Accesses>;

  void stretches(List& list) {
    Places places;
    Run run;
    for (auto node = list.begin(); node != list.end(); ++node) {
      pace_.step();
      if (node->kind != Node::Kind::Begin && node->kind != Node::Kind::Finish) take_store(list, node, run);
      if (node->kind == Node::Kind::Op)
        take_load(list, node, places);
      else if (node->kind != Node::Kind::Begin && node->kind != Node::Kind::Finish)
        end(list, places);
      for (List* inner : {&node->header, &node->body, &node->other}) stretches(*inner);
    }
    end(list, places);
    settle(list, run);
  }

  // Stores from one pointer and index into one place of 16 bytes, without another access of shared memory
  // and without a fence between them.
  struct Run {
    Base base{};
    std::int64_t place = 0;
    int fences = 0;
    Accesses stores{};
  };
  void take_store(List& list, List::iterator node, Run& run) {
    const Op& op = node->op;
    const Instr& i = op.instr;
    const bool is_op = node->kind == Node::Kind::Op;
    if (is_op && i.op == Opcode::Store && is_plain(op)) {
      Run own{base_of(op), i.offset >> kUnit, access_of(op).fences};
      if (own.base != run.base || own.place != run.place || own.fences != run.fences) {
        settle(list, run);
        run = std::move(own);
      }
      run.stores.push_back(node);
    } else if (!is_op || (is_access(i.op) ? may_be_shared(i.a) : is_fence(i))) {
      settle(list, run);
    }
    // What is stored by the old value of a variable has no neighbours by the new one.
    if (is_op)
      for_each_result(ir_, op, [&](Value written) {
        if (ir_.is_variable(written) && reads(run.base, written)) settle(list, run);
      });
  }

  void take_load(List& list, List::iterator node, Places& places) {
    const Op& op = node->op;
    const Instr& i = op.instr;
    if (is_fence(i)) return end(list, places);
    if (i.op == Opcode::Load && is_plain(op) && access_of(op).bytes >= 4) places[base_of(op)].push_back(node);
    // What was loaded by the old value of a variable has no neighbours by the new one.
    for_each_result(ir_, op, [&](Value written) {
      if (!ir_.is_variable(written)) return;
      for (const auto& [base, loads] : places)
        if (reads(base, written)) settle(list, loads);
      std::erase_if(places, [&](const auto& place) { return reads(place.first, written); });
    });
  }
  bool is_plain(const Op& op) {
    if (op.instr.components != 1 || op.access < 0 || !is_shared(op.instr.a)) return false;
    const Access& access = access_of(op);
    return access.form == AccessForm::Plain && !access.is_volatile;
  }
  Base base_of(const Op& op) {
    Base base{op.instr.a, {}};
    for (const Term& t : access_of(op).terms) std::get<1>(base).emplace_back(t.index, t.type, t.scale);
    return base;
  }
  // A later store may change what is read, and so may whoever waits at a barrier.
  bool is_fence(const Instr& i) const {
    return (i.op == Opcode::Store && may_be_shared(i.a)) || i.op == Opcode::Atomic ||
           i.op == Opcode::Barrier || i.op == Opcode::SyncWarp;
  }
  bool has_fence(const Node& node) {
    pace_.step();
    if (node.kind == Node::Kind::Op) return is_fence(node.op.instr);
    const auto within = [&](const List& list) {
      return std::ranges::any_of(list, [&](const Node& inner) { return has_fence(inner); });
    };
    return node.kind != Node::Kind::If || within(node.body) || within(node.other);
  }
  void end(List& list, Places& places) {
    for (const auto& [base, loads] : places) settle(list, loads);
    places.clear();
  }

  // Loads of one base in one stretch: those of one aligned place of 16 or 8 bytes, and of one width, may
  // become one.
  void settle(List& list, const Accesses& loads) {
    const int zeros = known_zeros(loads.front()->op);
    std::map<std::pair<std::int64_t, int>, std::set<std::int64_t>> in_unit;  // by place of 16 bytes and width
    for (const List::iterator load : loads)
      in_unit[{load->op.instr.offset >> kUnit, access_of(load->op).bytes}].insert(load->op.instr.offset);
    std::map<std::tuple<std::int64_t, int, int>, Accesses>
        joined;  // by where it begins, its bytes and their width
    for (const List::iterator load : loads) {
      const std::int64_t offset = load->op.instr.offset;
      const int width = access_of(load->op).bytes;
      const std::size_t used = in_unit[{offset >> kUnit, width}].size() * static_cast<std::size_t>(width);
      const int bytes = zeros == kUnit && used > 8 ? 16 : zeros >= kPair ? 8 : width;
      joined[{offset & -bytes, bytes, width}].push_back(load);
    }
    for (const auto& [wide, parts] : joined) {
      const auto& [begin, bytes, width] = wide;
      const std::int64_t first = parts.front()->op.instr.offset;
      const bool is_wider = std::ranges::any_of(
          parts, [&](const List::iterator part) { return part->op.instr.offset != first; });
      if (joins_ && parts.size() > 1)
        join(list, parts, parts.front(), is_wider ? begin : first, is_wider ? bytes / width : 1);
      else if (is_wider)
        for (const List::iterator part : parts) access_of(part->op).joinable = true;
    }
  }

  // One access of `components` of the width of `parts`, and a move where each of these was: a load in front
  // of `at`, of the parts the first; a store behind it, the last.
  void join(List& list, const Accesses& parts, List::iterator at, std::int64_t begin, int components) {
    Node wide = *at;
    Instr& instr = wide.op.instr;
    const bool loads = instr.op == Opcode::Load;
    Access access = access_of(wide.op);
    const int width = std::exchange(access.bytes, access.bytes * components);
    const std::vector<Value> values = components == 1
                                          ? std::vector<Value>{ir_.temp(instr.type)}
                                          : ir_.group(ValueInfo::Kind::Temp, instr.type, components, 0);
    (loads ? instr.dst : instr.c) = values[0];
    instr.offset = begin;
    instr.components = static_cast<std::uint8_t>(components);
    wide.op.access = static_cast<int>(ir_.accesses.size());
    ir_.accesses.push_back(std::move(access));
    list.insert(loads ? at : std::next(at), std::move(wide));
    for (const List::iterator one : parts) {
      Instr& part = one->op.instr;
      const Value value = values[(part.offset - begin) / width];
      part = {
          .op = Opcode::Mov, .type = part.type, .dst = loads ? part.dst : value, .a = loads ? value : part.c};
      one->op.access = -1;
    }
  }

  // Of one aligned place of 16 bytes, of 8 or of 4, what is stored as a whole.
  void settle(List& list, Run& run) {
    const Accesses stores = std::exchange(run.stores, {});
    if (stores.empty()) return;
    const int zeros = known_zeros(stores.front()->op);
    std::map<std::pair<std::int64_t, int>, List::iterator> at;  // the last one, by offset and width
    for (const List::iterator store : stores)
      at.insert_or_assign({store->op.instr.offset, access_of(store->op).bytes}, store);
    for (const int bytes : {1 << kUnit, 1 << kPair, 4}) {
      if (std::countr_zero(static_cast<unsigned>(bytes)) > zeros) continue;
      for (auto first = at.begin(); first != at.end();) {
        const auto [begin, width] = first->first;
        Accesses parts;
        if (begin % bytes == 0 && width < bytes && bytes / width <= kMostComponents)
          for (std::int64_t place = begin; place < begin + bytes; place += width)
            if (const auto part = at.find({place, width}); part != at.end()) parts.push_back(part->second);
        ++first;
        if (static_cast<int>(parts.size()) * width != bytes) continue;
        for (const List::iterator part : parts) {
          access_of(part->op).joinable = true;
          if (first != at.end() && first->second == part) ++first;
          at.erase({part->op.instr.offset, width});
        }
        if (!joins_) continue;
        const auto last = std::find_if(stores.rbegin(), stores.rend(), [&](const List::iterator store) {
          return std::ranges::find(parts, store) != parts.end();
        });
        join(list, parts, *last, begin, bytes / width);
      }
    }
  }

  void load_behind_last_condition() {
    List& list = ir_.body;
    auto last = list.end();
    do {
      if (last == list.begin()) return;
      --last;
    } while (last->kind == Node::Kind::Return || last->kind == Node::Kind::Finish);
    if (last->kind != Node::Kind::If || !last->other.empty()) return;
    std::map<Value, int> uses;
    const auto count = [&](int by) {
      return [&, by](const Node& node) {
        if (node.condition != kNone) uses[node.condition] += by;
        if (node.kind == Node::Kind::Op) for_each_operand(ir_, node.op, [&](Value v) { uses[v] += by; });
      };
    };
    each_node(list, pace_, count(1));
    each_node(last->body, pace_, count(-1));
    for (auto node = last; node != list.begin();) {
      const auto before = std::prev(node);
      if (has_fence(*before)) return;
      const Instr& i = before->op.instr;
      const bool moves = before->kind == Node::Kind::Op && i.op == Opcode::Load && i.components == 1 &&
                         before->op.access >= 0 && is_shared(i.a) && !access_of(before->op).is_volatile &&
                         !ir_.is_variable(i.dst) && uses[i.dst] == 0;
      if (moves)
        last->body.splice(last->body.begin(), list, before);
      else
        node = before;
    }
  }

  Access& access_of(const Op& op) { return ir_.accesses[op.access]; }
  static bool reads(const Base& base, Value value) {
    const auto& [pointer, terms] = base;
    return pointer == value ||
           std::ranges::any_of(terms, [&](const Index& t) { return std::get<0>(t) == value; });
  }
  bool is_shared(Value base) const { return ir_.space_of(base) == Origin::Kind::Shared; }
  bool may_be_shared(Value base) const {
    const Origin::Kind space = ir_.space_of(base);
    return space != Origin::Kind::Global && space != Origin::Kind::Local;
  }
  int known_zeros(const Op& op) {
    int zeros = zeros_[op.instr.a];
    for (const Term& t : access_of(op).terms) {
      const int scale = std::countr_zero(static_cast<std::uint64_t>(t.scale));
      zeros = std::min(zeros, zeros_[t.index] + scale);
    }
    return zeros;
  }

  Ir& ir_;
  Pace pace_;
  bool joins_;              // else they are marked
  std::vector<int> zeros_;  // by value
  bool changed_ = false;
};

}  // namespace

void find_joinable_accesses(Ir& ir, Budget& budget) {
  SharedAccesses(ir, Pace(budget, Stage::Optimising), false).run();
}

void join_accesses(Ir& ir, Budget& budget) {
  SharedAccesses(ir, Pace(budget, Stage::Optimising), true).run();
}

}  // namespace warplens::sim::lower
