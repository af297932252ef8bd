#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "sim/lower/ptx/module.h"

namespace warplens::sim::lower::ptx {

namespace {

constexpr std::size_t kMostBlocks = 50'000;
constexpr std::size_t kMostTargets = 1024;  // of a switch: each is a branch inside of the one before

bool ends_block(const Instruction& i) {
  return i.name() == "bra" || i.name() == "brx" || i.name() == "ret" || i.name() == "exit";
}

// Whether others may have written meanwhile what it gives.
bool reads_afresh(const Instruction& i) {
  const bool is_strong = i.has("volatile") || i.has("relaxed") || i.has("acquire");
  return i.name() == "atom" || (i.name() == "ld" && (is_strong || i.has("cg") || i.has("cv")));
}

class Maker {
 public:
  Maker(const std::vector<Statement>& body, Budget& budget) : body_(body), pace_(budget, Stage::Lowering) {}

  Graph run() {
    make_blocks();
    join_blocks();
    number_blocks();
    find_loops();
    find_meeting_points();
    return std::move(graph_);
  }

 private:
  [[noreturn]] static void fail(const cuda::SourceRange& range, Message message, Message remedy = {}) {
    throw cuda::Diagnostic{cuda::Severity::Error, range, std::move(message), std::move(remedy)};
  }

  void make_blocks() {
    bool is_open = false;
    for (std::size_t at = 0; at < body_.size(); ++at) {
      pace_.step();
      const Instruction& i = body_[at].instruction;
      if (!i.label.empty()) {
        if (!is_open || graph_.blocks.back().begin != at) open(at);
        graph_.blocks.back().begin = graph_.blocks.back().end = at + 1;
        is_open = true;
        const bool is_new = labels_.try_emplace(i.label, static_cast<int>(graph_.blocks.size()) - 1).second;
        if (!is_new)
          fail(body_[at].range, Message("the label '{}' is defined twice in the function", i.label));
        statements_.emplace(i.label, at);
        continue;
      }
      if (!is_open) open(at);
      Block& block = graph_.blocks.back();
      block.jump = at;
      is_open = !ends_block(i);
      if (is_open) block.end = at + 1;
      if (graph_.blocks.size() > kMostBlocks)
        fail(body_[at].range, Message("the kernel has more than {} basic blocks", kMostBlocks));
    }
    if (graph_.blocks.empty()) open(0);
  }
  void open(std::size_t at) {
    Block block;
    block.begin = block.end = block.jump = at;
    graph_.blocks.push_back(block);
  }

  int target(const Operand& operand, const cuda::SourceRange& range) {
    const auto found = labels_.find(operand.name);
    if (found != labels_.end()) return found->second;
    fail(range, Message("the function has no label '{}'", operand.name));
  }

  // The block behind one; -1: there is none.
  int behind(int block) const {
    return block + 1 < static_cast<int>(graph_.blocks.size()) ? block + 1 : returns_;
  }

  void join_blocks() {
    // Where a kernel's text ends without `ret`, it returns.
    open(body_.size());
    returns_ = static_cast<int>(graph_.blocks.size()) - 1;
    for (int b = 0; b < returns_; ++b) {
      Block& block = graph_.blocks[b];
      const bool jumps = block.jump < body_.size() && block.jump >= block.end &&
                         ends_block(body_[block.jump].instruction) &&
                         body_[block.jump].instruction.label.empty();
      if (!jumps) {
        block.exit = Block::Exit::Goto;
        block.next = {behind(b)};
        continue;
      }
      const Statement& jump = body_[block.jump];
      const Instruction& i = jump.instruction;
      if (i.name() == "brx") {
        join_switch(block, jump);
        continue;
      }
      const bool leaves = i.name() != "bra";
      if (!leaves && i.operands.size() != 1)
        fail(jump.range, Message("the PTX text is not understood: a jump to nowhere"));
      const int to = leaves ? returns_ : target(i.operands[0], jump.range);
      const bool stays = i.predicate.empty(), chooses = !stays && to != behind(b);
      block.exit = chooses ? Block::Exit::Branch : leaves && stays ? Block::Exit::Return : Block::Exit::Goto;
      if (chooses)
        block.next = {to, behind(b)};
      else if (block.exit == Block::Exit::Goto)
        block.next = {to};
    }
  }

  void join_switch(Block& block, const Statement& jump) {
    const Instruction& i = jump.instruction;
    if (!i.predicate.empty())
      fail(jump.range, Message("a predicate on '{}' is not supported", i.text),
           Message("write an if around it"));
    const auto table = i.operands.size() == 2 ? statements_.find(i.operands[1].name) : statements_.end();
    if (table == statements_.end() || body_[table->second].targets.empty())
      fail(jump.range, Message("'{}' has no list of labels", i.text));
    if (body_[table->second].targets.size() > kMostTargets)
      fail(jump.range, Message("'{}' has more than {} labels", i.text, kMostTargets));
    block.exit = Block::Exit::Switch;
    for (const std::string& name : body_[table->second].targets)
      block.next.push_back(target({.name = name}, jump.range));
  }

  using Edges = std::vector<std::vector<int>>;  // by block

  Block& at(int block) { return graph_.blocks[block]; }

  Edges turned(const Edges& edges) {
    Edges other(edges.size());
    for (std::size_t from = 0; from < edges.size(); ++from)
      for (const int to : edges[from]) other[to].push_back(static_cast<int>(from));
    return other;
  }

  // Of what can be reached, by a stack of its own: a kernel may have thousands of blocks one behind the
  // other.
  std::vector<int> reverse_postorder(int first, const Edges& edges) {
    std::vector<int> order;
    std::vector<std::pair<int, std::size_t>> stack{{first, 0}};
    std::vector<bool> seen(edges.size());
    seen[first] = true;
    while (!stack.empty()) {
      pace_.step();
      auto& [block, next] = stack.back();
      const std::vector<int>& targets = edges[block];
      if (next < targets.size()) {
        const int to = targets[next++];  // where it jumps first: what it runs into comes first in the order
        if (!seen[to]) {
          seen[to] = true;
          stack.emplace_back(to, 0);
        }
        continue;
      }
      order.push_back(block);
      stack.pop_back();
    }
    std::ranges::reverse(order);
    return order;
  }

  // The immediate one of each block in the order, by the edges that lead to it; of the first itself, of what
  // is not in the order -1. K. Cooper, T. Harvey, K. Kennedy: A Simple, Fast Dominance Algorithm (2001).
  std::vector<int> dominators(const std::vector<int>& order, const Edges& before) {
    std::vector<int> place(before.size()), above(before.size(), -1);
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<int>(i);
    const auto meet = [&](int x, int y) {
      while (x != y) {
        pace_.step();
        int& later = place[x] > place[y] ? x : y;
        later = above[later];
      }
      return x;
    };
    above[order[0]] = order[0];
    for (bool changes = true; changes;) {
      changes = false;
      for (const int b : order) {
        if (b == order[0]) continue;
        int common = -1;
        for (const int from : before[b]) {
          pace_.step();
          if (above[from] >= 0) common = common < 0 ? from : meet(common, from);
        }
        changes |= common != std::exchange(above[b], common);
      }
    }
    return above;
  }

  void number_blocks() {
    Edges next;
    for (const Block& block : graph_.blocks) next.push_back(block.next);
    graph_.order = reverse_postorder(0, next);
    for (std::size_t i = 0; i < graph_.order.size(); ++i) at(graph_.order[i]).order = static_cast<int>(i);
    for (std::size_t b = 0; b < next.size(); ++b)
      if (graph_.blocks[b].order < 0) next[b].clear();
    before_ = turned(next);
    const std::vector<int> above = dominators(graph_.order, before_);
    for (const int b : graph_.order) at(b).dominator = b == 0 ? -1 : above[b];
  }

  // What goes back goes to a block that dominates it, the header of a loop.
  void find_loops() {
    graph_.around.assign(graph_.blocks.size(), -1);
    std::vector<std::vector<int>> closing(graph_.blocks.size());
    for (const int b : graph_.order) {
      for (const int to : at(b).next) {
        if (at(to).order > at(b).order) {
          ++at(to).entered;
        } else if (graph_.dominates(to, b)) {
          at(to).is_header = true;
          closing[to].push_back(b);
        } else {  // no loop that has one entry
          fail(body_[std::min(at(b).jump, body_.size() - 1)].range,
               Message("this jump enters a loop in its middle: such control flow is not simulated"),
               Message("compile with less optimisation (-O1), or without goto into a loop"));
        }
      }
    }
    // Inner loops come later in the order than those around them.
    for (auto header = graph_.order.rbegin(); header != graph_.order.rend(); ++header) {
      if (!at(*header).is_header) continue;
      std::vector<int> left = closing[*header];
      claim(*header, *header);
      while (!left.empty()) {
        pace_.step();
        int b = left.back();
        left.pop_back();
        if (b == *header || graph_.is_in(b, *header)) continue;
        // An inner loop is gone through as one, from its header on.
        while (at(b).loop >= 0 && outermost(b) != b && outermost(b) != *header) b = outermost(b);
        claim(b, *header);
        for (const int from : before_[b])
          if (from != *header) left.push_back(from);
      }
    }
  }
  // The header of the outermost loop known so far that holds the block; the block itself: none.
  int outermost(int block) const {
    int header = graph_.blocks[block].loop;
    if (header < 0) return block;
    while (graph_.around[header] >= 0) header = graph_.around[header];
    return header;
  }
  void claim(int block, int header) {
    Block& one = at(block);
    if (one.loop < 0)
      one.loop = header;
    else if (one.is_header && one.loop == block && block != header)
      graph_.around[block] = header;
  }

  // ---- where lanes that leave a loop in different turns come together again

  // ptxas makes a predicated EXIT of a jump to `ret`: no way that others would wait for.
  std::vector<int> ways(int block) {
    std::vector<int> to = at(block).next;
    if (to.size() > 1) std::erase_if(to, [&](int one) { return at(one).returns_at_once(); });
    return to;
  }

  // Behind all ends stands one more node, `end`.
  std::vector<int> post_dominators(int end) {
    Edges next(graph_.blocks.size() + 1);
    const auto lead = [&](int b, std::vector<int> to) {
      next[b] = to.empty() ? std::vector<int>{end} : std::move(to);
    };
    for (const int b : graph_.order) lead(b, ways(b));
    std::vector<int> order = reverse_postorder(end, turned(next));
    if (order.size() <= graph_.order.size()) {  // the only way out of a loop is one after all
      std::vector<bool> ends(next.size());
      for (const int b : order) ends[b] = true;
      for (const int b : graph_.order)
        if (!ends[b]) lead(b, at(b).next);
      order = reverse_postorder(end, turned(next));
    }
    return dominators(order, next);
  }

  // All that can be reached from these blocks without passing `until`, outside of a loop.
  std::vector<bool> reached(std::vector<int> from, int until, int header) {
    std::vector<bool> seen(graph_.blocks.size());
    while (!from.empty()) {
      pace_.step();
      const int b = from.back();
      from.pop_back();
      if (b == until || seen[b] || graph_.is_in(b, header)) continue;
      seen[b] = true;
      for (const int to : at(b).next) from.push_back(to);
    }
    return seen;
  }

  // Lanes that leave a loop come together where all ways out of it meet, its post-dominator; what stands
  // before that each turn's lanes do by themselves, and it counts as of the loop. Where every way ends, ptxas
  // waits at the one with the most code, of straight ones at the last of the text (H200, by SASS and
  // counters).
  void find_meeting_points() {
    if (std::ranges::none_of(graph_.blocks, &Block::is_header)) return;
    const int end = static_cast<int>(graph_.blocks.size());
    const std::vector<int> above = post_dominators(end);
    std::vector<std::size_t> sizes(graph_.blocks.size(), 1);  // of what each dominates
    for (auto b = graph_.order.rbegin(); b != graph_.order.rend(); ++b)
      if (at(*b).dominator >= 0) sizes[at(*b).dominator] += sizes[*b];
    for (auto b = graph_.order.rbegin(); b != graph_.order.rend(); ++b)
      if (at(*b).is_header) take_in_what_stands_apart(*b, above, end, sizes);
  }

  void take_in_what_stands_apart(int header, const std::vector<int>& above, int end,
                                 const std::vector<std::size_t>& sizes) {
    std::vector<int> left;
    for (const int b : graph_.order) {
      pace_.step();
      if (!graph_.is_in(b, header)) continue;
      for (const int to : ways(b))
        if (!graph_.is_in(to, header)) left.push_back(to);
    }
    std::ranges::sort(left);
    left.erase(std::unique(left.begin(), left.end()), left.end());
    const bool alone = lets_go(header, left);
    if (left.size() < 2 && !alone) return;
    int meets = alone ? -1 : header;
    while (meets >= 0 && meets != end && graph_.is_in(meets, header)) meets = above[meets];
    if (meets < 0 && !alone) return;
    if (!alone && (meets == end || at(meets).returns_at_once())) {
      std::erase_if(left, [&](int b) { return at(b).returns_at_once(); });
      if (left.size() < 2) return;
      meets = *std::ranges::max_element(left, {}, [&](int b) { return std::pair(sizes[b], at(b).begin); });
    }
    const std::vector<bool> apart = reached(left, meets, header),
                            behind = alone ? std::vector<bool>(apart.size()) : reached({meets}, -1, header);
    const int outer = graph_.around[header];
    for (const int b : graph_.order) {
      const bool stays = apart[b] && !behind[b] && !at(b).returns_at_once() && graph_.dominates(header, b);
      if (!stays) continue;
      int inner = at(b).loop;
      if (inner == outer) {
        at(b).loop = header;
        continue;
      }
      while (inner >= 0 && inner != header && graph_.around[inner] != outer) inner = graph_.around[inner];
      if (inner >= 0 && inner != header) graph_.around[inner] = header;
    }
  }

  // Whether lanes may wait there for others: in a loop, not within another, whose only way out hangs on what
  // is read afresh. ptxas puts a YIELD into it, which lets go those that wait behind it, to the end (SASS of
  // 31 loops, counters of two kernels). What makes a warp's lanes meet behind it is not followed.
  bool lets_go(int header, const std::vector<int>& left) {
    if (graph_.around[header] >= 0) return false;
    std::vector<const Instruction*> inside;
    std::vector<std::string> ways_out;
    for (const int b : graph_.order) {
      if (!graph_.is_in(b, header)) continue;
      for (std::size_t k = at(b).begin; k < at(b).end; ++k) inside.push_back(&body_[k].instruction);
      for (const int to : at(b).next)
        if (!graph_.is_in(to, header)) ways_out.push_back(body_[at(b).jump].instruction.predicate);
    }
    std::set<std::string> fresh;
    for (bool grows = ways_out.size() == 1; std::exchange(grows, false);)
      for (const Instruction* i : inside) {
        pace_.step();
        bool is_fresh = reads_afresh(*i);
        each_register(*i, [&](const std::string& name, bool is_written) {
          if (is_written && is_fresh) grows |= fresh.insert(name).second;
          is_fresh |= !is_written && fresh.contains(name);
        });
      }
    if (ways_out.size() != 1 || !fresh.contains(ways_out[0])) return false;
    const std::vector<bool> behind = reached(left, -1, header);
    for (const int b : graph_.order)
      for (std::size_t k = at(b).begin; k < at(b).end && behind[b]; ++k)
        inside.push_back(&body_[k].instruction);
    return std::ranges::none_of(inside, [](const Instruction* i) {
      return i->has("sync") || i->name().starts_with("bar") || i->name() == "nanosleep";
    });
  }

  const std::vector<Statement>& body_;
  Pace pace_;
  Graph graph_;
  std::map<std::string, int> labels_;
  std::map<std::string, std::size_t> statements_;
  Edges before_;
  int returns_ = -1;
};

}  // namespace

bool Graph::dominates(int above, int below) const {
  const auto at = [&](int block) -> const Block& { return blocks[block]; };
  while (below >= 0 && at(below).order > at(above).order) below = at(below).dominator;
  return below == above;
}

bool Graph::is_in(int block, int header) const {
  int loop = blocks[block].loop;
  while (loop >= 0 && loop != header) loop = around[loop];
  return loop == header;
}

Graph graph_of(const std::vector<Statement>& body, Budget& budget) {
  return Maker(body, budget).run();
}

}  // namespace warplens::sim::lower::ptx
