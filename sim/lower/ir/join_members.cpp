// Members of one object that lies on a multiple of their common width, accessed one after the other: one
// access. Which ones go together was seen in what nvcc makes of every choice of members of a float4 and of a
// struct of four floats on 16 bytes:
//   loads   of a pair that lies on its width, that pair; three, or the first and more, all four; two that are
//   no
//           such pair, each by itself.
//           (Numbers and integers of one width go together where they are neighbours: their bits are loaded.)
//   stores  of neighbours only, in a run that begins on the width of a pair: all four, or pairs, the rest
//   alone.
#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "sim/lower/ir/issue.h"

namespace warplens::sim::lower {
namespace {

constexpr int kMostMembers = 4, kMostBytes = 16;

// What the members of one object have in common.
struct Object {
  Value base = kNone, index = kNone;
  std::int64_t scale = 0, offset = 0;  // offset: of the object's aligned stretch
  ScalarType index_type = ScalarType::I32;
  Opcode op = Opcode::Load;
  int members = 0, bytes = 0;  // that it has room for, and of each
  friend bool operator==(const Object&, const Object&) = default;
};

struct Member {
  List::iterator node;
  int first = 0, count = 1;  // which of the object's
};

struct Gathered {
  Object object;
  std::vector<Member> members;  // in the order of the text
};

// From `first` on as many as go together.
struct Piece {
  int first = 0, count = 1;
};

std::vector<Piece> pieces_of_load(unsigned mask, int bytes, int room) {
  std::vector<Piece> pieces;
  if (are_read_apart(mask, bytes, room)) return pieces;
  while (mask != 0) {
    const int first = std::countr_zero(mask), last = static_cast<int>(std::bit_width(mask)) - 1;
    int count = 1;
    if (first == 0 && last > 0) count = last >= 2 ? room : 2;
    if (first == 2 && last == 3) count = 2;
    pieces.push_back({first, count});
    mask &= ~(((1U << count) - 1U) << first);
  }
  return pieces;
}

std::vector<Piece> pieces_of_store(unsigned mask) {
  std::vector<Piece> pieces;
  while (mask != 0) {
    const int first = std::countr_zero(mask), run = std::countr_one(mask >> first);
    int left = run, at = first;
    while (left > 0) {
      const int count = first % 2 != 0 || left < 2 ? 1 : at == 0 && left == 4 ? 4 : 2;
      pieces.push_back({at, count});
      at += count;
      left -= count;
    }
    mask &= ~(((1U << run) - 1U) << first);
  }
  return pieces;
}

class Joiner {
 public:
  Joiner(Ir& ir, Pace pace) : ir_(ir), pace_(pace), issuable_(ir), replaced_(ir.values.size(), kNone) {}

  void run() {
    walk(ir_.body);
    if (!any_) return;
    rename(ir_.body);
    for (DebugSymbol& symbol : ir_.symbols) symbol.value = current(symbol.value);
  }

 private:
  void walk(List& list) {
    for (auto node = list.begin(); node != list.end(); ++node) {
      pace_.step();
      if (node->kind == Node::Kind::Begin || node->kind == Node::Kind::Finish) continue;
      if (node->kind == Node::Kind::Op) {
        operation(list, node);
        continue;
      }
      flush(list);
      for (List* inner : {&node->header, &node->body, &node->other}) walk(*inner);
      for (List& inner : node->cases) walk(inner);
    }
    flush(list);
  }

  void operation(List& list, List::iterator node) {
    const Op& op = node->op;
    switch (op.instr.op) {
      case Opcode::Barrier:
      case Opcode::SyncWarp:
      case Opcode::Pause:
      case Opcode::Passed:
      case Opcode::Shuffle:
      case Opcode::Vote:
      case Opcode::Assert:
      case Opcode::Atomic:
        return flush(list);
      case Opcode::Load:
      case Opcode::Store:
        return access(list, node);
      default:
        break;
    }
    if (op.instr.dst == kNone || !ir_.is_variable(op.instr.dst)) return;
    flush_if(list, [&](const Gathered& g) {  // the address changes, or a value that is still to be stored
      return g.object.base == op.instr.dst || g.object.index == op.instr.dst;
    });
  }

  // ---- gathering

  bool find_object(const Op& op, Object& object, Member& member) const {
    if (!issuable_(op) || is_small_float(op.instr.type)) return false;
    const Access& access = ir_.accesses[op.access];
    const int bytes = size_of(op.instr.type);
    const int room = std::min({access.aligned, kMostBytes, kMostMembers * bytes}) / bytes;
    if (room < 2 || !std::has_single_bit(static_cast<unsigned>(room)) || access.within < 0) return false;
    const int at = access.within % (room * bytes);
    if (at % bytes != 0) return false;
    object = {.base = op.instr.a, .offset = op.instr.offset - at, .op = op.instr.op};
    object.members = room;
    object.bytes = bytes;
    if (!access.terms.empty()) {
      object.index = access.terms[0].index;
      object.index_type = access.terms[0].type;
      object.scale = access.terms[0].scale;
    }
    member.first = at / bytes;
    member.count = op.instr.components;
    return member.first + member.count <= room;
  }

  void access(List& list, List::iterator node) {
    const Op op = node->op;
    Object object;
    Member member;
    const bool can_join = find_object(op, object, member);
    const auto joins = [&](const Gathered& g) { return can_join && g.object == object; };
    flush_if(list, [&](const Gathered& g) { return !joins(g) && stands_in_the_way(op, g); });
    if (!can_join) return;
    member.node = node;
    auto found = std::find_if(gathered_.begin(), gathered_.end(), joins);
    if (found != gathered_.end() && op.instr.op == Opcode::Store && overlaps(*found, member)) {
      flush_if(list, joins);
      found = gathered_.end();
    }
    constexpr std::size_t kMostGathered = 32;
    if (found == gathered_.end()) {
      if (gathered_.size() >= kMostGathered) flush(list);
      found = gathered_.insert(gathered_.end(), Gathered{object, {}});
    }
    found->members.push_back(member);
  }
  static bool overlaps(const Gathered& g, const Member& member) {
    return std::any_of(g.members.begin(), g.members.end(), [&](const Member& o) {
      return member.first < o.first + o.count && o.first < member.first + member.count;
    });
  }

  // Whether `op` must stay before or behind what is gathered: loads move up to the first of them, stores down
  // to the last.
  bool stands_in_the_way(const Op& op, const Gathered& g) const {
    const Op& other = g.members.front().node->op;
    if (op.instr.op == Opcode::Load && g.object.op == Opcode::Load) return false;
    if (is_elsewhere(op, g.object)) return false;
    const bool op_writes = op.instr.op == Opcode::Store;
    return op_writes ? issuable_.may_change(op, other) : issuable_.may_change(other, op);
  }
  bool is_elsewhere(const Op& op, const Object& object) const {
    const std::vector<Term>& terms = ir_.accesses[op.access].terms;
    const bool same_root =
        op.instr.a == object.base &&
        (terms.empty() ? object.index == kNone
                       : terms[0].index == object.index && terms[0].type == object.index_type &&
                             terms[0].scale == object.scale);
    const std::int64_t end = op.instr.offset + op.instr.components * size_of(op.instr.type);
    return same_root &&
           (end <= object.offset || op.instr.offset >= object.offset + object.members * object.bytes);
  }

  template <class F>
  void flush_if(List& list, F f) {
    for (std::size_t i = 0; i < gathered_.size();) {
      if (!f(gathered_[i])) {
        ++i;
        continue;
      }
      join(list, gathered_[i]);
      gathered_.erase(gathered_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  void flush(List& list) {
    flush_if(list, [](const Gathered&) { return true; });
  }

  // ---- joining

  void join(List& list, const Gathered& g) {
    unsigned mask = 0;
    for (const Member& m : g.members) mask |= ((1U << m.count) - 1U) << m.first;
    const bool loads = g.object.op == Opcode::Load;
    const unsigned run = mask >> std::countr_zero(mask);
    const bool has_gap = (run & (run + 1)) != 0;
    if (has_gap && loads && are_of_different_types(g.members)) return;
    for (const Piece& piece :
         loads ? pieces_of_load(mask, g.object.bytes, g.object.members) : pieces_of_store(mask)) {
      std::vector<Member> members;
      for (const Member& m : g.members) {
        if (m.first >= piece.first && m.first + m.count <= piece.first + piece.count) members.push_back(m);
      }
      if (members.size() < 2) continue;
      any_ = true;
      loads ? join_loads(list, piece, members) : join_stores(list, piece, members);
    }
  }

  static bool are_of_different_types(const std::vector<Member>& members) {
    return std::any_of(members.begin(), members.end(), [&](const Member& m) {
      return m.node->op.instr.type != members[0].node->op.instr.type;
    });
  }

  // The joined access in the place of `like`, a member of it.
  Op joined(const Member& like, const Piece& piece, const std::vector<Member>& members, Value group) {
    Op op = like.node->op;
    const int bytes = size_of(op.instr.type), back = (like.first - piece.first) * bytes;
    Access access = ir_.accesses[op.access];
    access.bytes = piece.count * bytes;
    access.within -= back;
    access.written = 0;
    for (const Member& m : members) access.written += ir_.accesses[m.node->op.access].written;
    if (const std::size_t dot = access.text.rfind('.'); dot != std::string::npos) access.text.resize(dot);
    op.instr.components = static_cast<std::uint8_t>(piece.count);
    op.instr.offset -= back;
    (op.instr.op == Opcode::Load ? op.instr.dst : op.instr.c) = group;
    op.access = static_cast<int>(ir_.accesses.size());
    ir_.accesses.push_back(std::move(access));
    return op;
  }
  std::vector<Value> new_group(ScalarType type, int count) {
    const std::vector<Value> group = ir_.group(ValueInfo::Kind::Temp, type, count, 0);
    replaced_.resize(ir_.values.size(), kNone);
    return group;
  }
  static Node move(const Node& like, ScalarType type, Value to, Value from) {
    Node node;
    node.range = like.range;
    node.op = {Instr{.op = Opcode::Mov, .type = type, .a = from}, like.op.range, -1};
    node.op.instr.dst = to;
    return node;
  }

  void join_loads(List& list, const Piece& piece, const std::vector<Member>& members) {
    const ScalarType type = members[0].node->op.instr.type;
    const std::vector<Value> group = new_group(type, piece.count);
    Node whole;
    whole.range = members[0].node->range;
    whole.op = joined(members[0], piece, members, group[0]);
    list.insert(members[0].node, std::move(whole));
    for (const Member& m : members) {
      std::vector<Value> results;
      for_each_result(ir_, m.node->op, [&](Value v) { results.push_back(v); });
      for (std::size_t k = 0; k < results.size(); ++k) {
        const Value from = group[static_cast<std::size_t>(m.first - piece.first) + k];
        const ValueInfo& to = ir_.values[results[k]];
        if (to.kind == ValueInfo::Kind::Temp && to.group < 0)
          replaced_[results[k]] = from;
        else
          list.insert(m.node, move(*m.node, type, results[k], from));
      }
      list.erase(m.node);
    }
  }

  void join_stores(List& list, const Piece& piece, const std::vector<Member>& members) {
    const ScalarType type = members[0].node->op.instr.type;
    const std::vector<Value> group = new_group(type, piece.count);
    Node whole;
    whole.range = members.back().node->range;
    whole.op = joined(members.back(), piece, members, group[0]);
    for (const Member& m : members) {
      std::vector<Value> values{m.node->op.instr.c};
      if (m.count > 1) values = ir_.groups[ir_.values[values[0]].group];
      for (std::size_t k = 0; k < values.size(); ++k) {
        const Value to = group[static_cast<std::size_t>(m.first - piece.first) + k];
        list.insert(m.node, move(*m.node, type, to, values[k]));
      }
    }
    list.insert(members.back().node, std::move(whole));
    for (const Member& m : members) list.erase(m.node);
  }

  // ---- renaming

  Value current(Value v) const {
    while (v >= 0 && replaced_[v] != kNone) v = replaced_[v];
    return v;
  }
  void rename(List& list) {
    for (Node& node : list) {
      pace_.step();
      node.condition = current(node.condition);
      for (CaseLabel& label : node.labels) label.condition = current(label.condition);
      if (node.kind == Node::Kind::Op) {
        Instr& i = node.op.instr;
        for (Value* operand : {&i.a, &i.b, &i.d}) *operand = current(*operand);
        if (!(i.op == Opcode::Store && i.components > 1)) i.c = current(i.c);
        if (node.op.access >= 0) {
          for (Term& term : ir_.accesses[node.op.access].terms) term.index = current(term.index);
        }
      }
      for (List* inner : {&node.header, &node.body, &node.other}) rename(*inner);
      for (List& inner : node.cases) rename(inner);
    }
  }

  Ir& ir_;
  Pace pace_;
  const Issuable issuable_;
  std::vector<Gathered> gathered_;  // in the stretch of code since the last jump
  std::vector<Value> replaced_;
  bool any_ = false;
};

}  // namespace

void join_members(Ir& ir, Pace pace) {
  Joiner(ir, pace).run();
}

}  // namespace warplens::sim::lower
