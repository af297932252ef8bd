// Loads whose values nothing needs go, and with them what was computed from them and shown alone. Of a vector
// that is loaded as a whole for the sake of one member, that member is loaded; of two that make no pair,
// both.
#include <bit>
#include <map>
#include <utility>

#include "sim/lower/ir/issue.h"

namespace warplens::sim::lower {
namespace {

class Unread {
 public:
  Unread(Ir& ir, Pace pace)
      : ir_(ir),
        pace_(pace),
        issuable_(ir),
        writers_(ir.values.size()),
        readers_(ir.values.size()),
        needed_(ir.values.size(), 0),
        gone_(ir.values.size(), 0) {}

  void run() {
    collect(ir_.body, -1);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (acts(*entries_[i].node)) keep(i);
    }
    while (!due_.empty()) look_at(pop());
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const Node& node = *entries_[i].node;
      if (node.kind == Node::Kind::Op && node.op.instr.op == Opcode::Load) look_at_load(i);
      if (node.kind == Node::Kind::Op && node.op.instr.op == Opcode::Atomic) look_at_atomic(i);
    }
    while (!due_.empty()) spread(pop());
    if (!any_gone_) return;
    sweep(ir_.body);
    for (DebugSymbol& symbol : ir_.symbols) {
      if (is_gone(symbol.value)) symbol.value = kNone;
    }
  }

 private:
  struct Entry {
    Node* node = nullptr;
    int around = -1;  // the entry of the construct that it stands in
    bool kept = false, gone = false;
  };

  void collect(List& list, int around) {
    for (Node& node : list) {
      pace_.step();
      const std::size_t index = entries_.size();
      entries_.push_back({&node, around});
      const auto read = [&](Value v) {
        if (v != kNone) readers_[v].push_back(index);
      };
      if (node.kind == Node::Kind::Op) {
        for_each_operand(ir_, node.op, read);
        for_each_result(ir_, node.op, [&](Value v) { writers_[v].push_back(index); });
      }
      read(node.condition);
      for (List* inner : {&node.header, &node.body, &node.other}) collect(*inner, static_cast<int>(index));
      for (List& inner : node.cases) collect(inner, static_cast<int>(index));
    }
  }

  // Whether it has an effect by itself.
  bool acts(const Node& node) const {
    switch (node.kind) {
      case Node::Kind::Op: {
        const Instr& i = node.op.instr;
        if (i.op == Opcode::Load) return !issuable_.may_leave_out(node.op);
        if (i.op == Opcode::Shuffle || i.op == Opcode::Vote) return false;
        return !is_pure(ir_, i) && i.op != Opcode::Mov;
      }
      case Node::Kind::Loop:
      case Node::Kind::Switch:
      case Node::Kind::Exit:
      case Node::Kind::Skip:
      case Node::Kind::Return:
      case Node::Kind::Fence:
        return true;
      default:
        return false;
    }
  }

  std::size_t pop() {
    const std::size_t index = due_.back();
    due_.pop_back();
    return index;
  }
  void keep(std::size_t index) {
    if (!std::exchange(entries_[index].kept, true)) due_.push_back(index);
  }
  void need(Value v) {
    if (v == kNone || std::exchange(needed_[v], char{1}) != 0) return;
    for (const std::size_t writer : writers_[v]) keep(writer);
  }
  void look_at(std::size_t index) {
    pace_.step();
    const Entry& entry = entries_[index];
    const Node& node = *entry.node;
    if (node.kind == Node::Kind::Op) for_each_operand(ir_, node.op, [&](Value v) { need(v); });
    need(node.condition);
    for (const CaseLabel& label : node.labels) need(label.condition);
    if (entry.around >= 0) keep(static_cast<std::size_t>(entry.around));
  }

  // ---- what goes

  bool is_gone(Value v) const { return v != kNone && gone_[v] != 0; }
  void lose(Value v) {
    if (std::exchange(gone_[v], char{1}) != 0) return;
    any_gone_ = true;
    for (const std::vector<std::size_t>* users : {&readers_[v], &writers_[v]})
      due_.insert(due_.end(), users->begin(), users->end());
  }

  void look_at_load(std::size_t index) {
    Op& op = entries_[index].node->op;
    if (!entries_[index].kept) {
      note_unissued(ir_, op, UnissuedAccess::Why::Unread);
      return go(index);
    }
    if (op.instr.components == 1 || !issuable_(op) || is_small_float(op.instr.type)) return;
    const std::vector<Value> members = ir_.groups[ir_.values[op.instr.dst].group];
    unsigned used = 0;
    for (std::size_t k = 0; k < members.size(); ++k)
      if (needed_[members[k]] != 0) used |= 1U << k;
    const int room = ir_.accesses[op.access].aligned >= 16 ? static_cast<int>(members.size()) : 0;
    const bool apart = are_read_apart(used, size_of(op.instr.type), room);
    if (!std::has_single_bit(used) && !apart) return;
    for (const Value v : members)
      if (needed_[v] == 0) lose(v);
    const Op whole = op;
    const auto first = static_cast<std::size_t>(std::countr_zero(used)),
               last = static_cast<std::size_t>(std::bit_width(used)) - 1;
    op = member_of(whole, members, first, whole.access, first);
    if (!apart) return;
    ir_.accesses.push_back(ir_.accesses[whole.access]);
    beside_[entries_[index].node] =
        member_of(whole, members, last, static_cast<int>(ir_.accesses.size() - 1), last - first);
  }

  // An atomic whose old value nothing needs is a reduction, but for those that exchange and inline PTX.
  void look_at_atomic(std::size_t index) {
    Op& op = entries_[index].node->op;
    const auto function = static_cast<AtomicFunction>(op.instr.function);
    const bool exchanges = function == AtomicFunction::Exchange || function == AtomicFunction::CompareAndSwap;
    if (op.instr.dst == kNone || op.access < 0 || needed_[op.instr.dst] != 0 || exchanges) return;
    if (ir_.accesses[op.access].is_literal) return;
    lose(op.instr.dst);
    op.instr.dst = kNone;
    ir_.accesses[op.access].op = memory::Op::Reduction;
  }

  // The load of one member of `whole`, told as that access, which is `moved` members before it.
  Op member_of(const Op& whole, const std::vector<Value>& members, std::size_t k, int access_number,
               std::size_t moved) {
    Op op = whole;
    const int bytes = size_of(op.instr.type);
    Access& access = ir_.accesses[access_number];
    access.bytes = bytes;
    access.within += static_cast<int>(moved) * bytes;
    op.access = access_number;
    op.instr.dst = members[k];
    op.instr.components = 1;
    op.instr.offset += static_cast<std::int64_t>(k) * bytes;
    return op;
  }

  void go(std::size_t index) {
    Entry& entry = entries_[index];
    if (entry.kept || std::exchange(entry.gone, true)) return;
    const Node& node = *entry.node;
    if (node.kind == Node::Kind::Op) for_each_result(ir_, node.op, [&](Value v) { lose(v); });
    any_gone_ = true;
  }

  // Nothing that is kept reads what is gone.
  void spread(std::size_t index) {
    pace_.step();
    Entry& entry = entries_[index];
    if (entry.kept || entry.gone) return;
    go(index);
    if (entry.node->kind == Node::Kind::Op) return;
    for (std::size_t inside = index + 1;
         inside < entries_.size() && stands_in(inside, static_cast<int>(index)); ++inside)
      go(inside);
  }
  bool stands_in(std::size_t inside, int construct) const {
    int around = entries_[inside].around;
    while (around > construct) around = entries_[static_cast<std::size_t>(around)].around;
    return around == construct;
  }

  void sweep(List& list) {
    for (auto node = list.begin(); node != list.end();) {
      pace_.step();
      const Entry& entry = entries_[swept_++];
      for (List* inner : {&node->header, &node->body, &node->other}) sweep(*inner);
      for (List& inner : node->cases) sweep(inner);
      if (const auto other = beside_.find(&*node); other != beside_.end()) {
        Node second;
        second.range = node->range;
        second.op = other->second;
        list.insert(node, std::move(second));
      }
      node = entry.gone ? list.erase(node) : std::next(node);
    }
  }

  Ir& ir_;
  Pace pace_;
  const Issuable issuable_;
  std::vector<Entry> entries_;                               // in the order of the text
  std::vector<std::vector<std::size_t>> writers_, readers_;  // by value: entries
  std::vector<char> needed_, gone_;                          // by value
  std::vector<std::size_t> due_;
  std::map<const Node*, Op> beside_;  // second loads of what one node loaded as a whole
  std::size_t swept_ = 0;
  bool any_gone_ = false;
};

}  // namespace

void leave_out_unread(Ir& ir, Pace pace) {
  Unread(ir, pace).run();
}

}  // namespace warplens::sim::lower
