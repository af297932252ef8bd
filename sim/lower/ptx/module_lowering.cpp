#include "sim/lower/ptx/module_lowering.h"

#include <algorithm>
#include <utility>

namespace warplens::sim::lower {

namespace {

constexpr std::size_t kMostDepth = 400;       // of constructs in each other
constexpr std::size_t kMostFollowers = 2000;  // of one block: each stands around those before it

}  // namespace

void Lowering::entry(const ptx::Module& module, const ptx::Function& entry, const CompileRequest& request,
                     const Declared& declared, Program& program) {
  stack_ = static_cast<const std::byte*>(__builtin_frame_address(0));
  program_ = &program;
  b.ir.module = request.text.data();
  b.ir.drops_loads = module.target.find("debug") == std::string::npos;
  statement_ = entry.range;
  frames_.push_back(std::make_unique<Frame>());
  program.kernel = ptx::plain_name(entry.name);
  const auto product = [](const std::vector<std::uint64_t>& extents) {
    std::uint64_t threads = extents.empty() ? 0 : 1;
    for (const std::uint64_t extent : extents) threads *= std::min<std::uint64_t>(extent, 4096);
    return threads <= 1024 ? static_cast<int>(threads) : 0;
  };
  program.max_threads_per_block = product(entry.threads.empty() ? entry.most_threads : entry.threads);
  program.block = entry.threads;
  if (entry.cluster.empty()) program.cluster = request.cluster;
  for (std::size_t d = 0; d < entry.cluster.size() && d < 3; ++d)
    program.cluster[d] = static_cast<std::uint32_t>(std::min<std::uint64_t>(entry.cluster[d], 64));
  try {
    const ListScope scope(b, b.ir.body, 0);
    tried([&] { PtxModuleLowering(*this, module, entry, request, declared).run(program); });
  } catch (const cuda::Diagnostic& error) {
    diagnostics.push_back(error);
  } catch (const TooManyNodes&) {
    say_too_large();
  }
}

void PtxModuleLowering::run(Program& program) {
  Budget& budget = l_.pace().budget();
  code_ = ptx::inline_calls(module_, entry_, budget);
  graph_ = ptx::graph_of(code_.body, budget);
  find_uses();
  find_roots();
  bind_parameters(program);
  bind_shared(program);
  bind_local(program);
  bind_globals(program);
  make_variables();
  find_places();
  subtree(0, -1);
}

// ---- registers

void PtxModuleLowering::find_uses() {
  for (const int block : graph_.order) {
    const auto note = [&](std::size_t i) {
      l_.pace().step();
      ptx::each_register(code_.body[i].instruction, [&](const std::string& name, bool is_written) {
        Use& use = uses_[name];
        (is_written ? use.writes : use.reads).emplace_back(block, i);
      });
    };
    for (std::size_t i = at(block).begin; i < at(block).end; ++i) note(i);
    const bool jumps =
        at(block).exit == ptx::Block::Exit::Branch || at(block).exit == ptx::Block::Exit::Switch;
    if (jumps) note(at(block).jump);
  }
}

// Whether a value is enough: one block writes the register, and all that read it come behind, in the same
// turn of each loop. A lane that has left a loop keeps what it had while others go round.
bool PtxModuleLowering::is_value(const Use& use) const {
  if (use.writes.empty()) return true;
  const auto& first = use.writes.front();
  const int home = first.first, around = at(home).loop;
  if (std::ranges::any_of(use.writes, [&](const auto& w) { return w.first != home; })) return false;
  return std::ranges::all_of(use.reads, [&](const auto& read) {
    if (read.first == home) return read.second > first.second;
    return graph_.dominates(home, read.first) && (around < 0 || graph_.is_in(read.first, around));
  });
}

void PtxModuleLowering::make_variables() {
  for (const auto& [name, use] : uses_) {
    l_.pace().step();
    const auto type = declared_type(name);
    if (!type || is_value(use)) continue;
    Cell cell{b_.ir.variable(*type, -1), *type};
    cell.stays = true;
    cell.array = array_of(name);
    cells_[name] = cell;
  }
}

int PtxModuleLowering::array_of(const std::string& name) const {
  const auto roots = roots_.find(name);
  if (roots == roots_.end()) return -1;
  int found = -1;
  for (const std::string& root : roots->second) {
    const auto array = arrays_.find(root);
    if (array == arrays_.end()) continue;
    if (found >= 0) return -1;
    found = array->second;
  }
  return found;
}

std::optional<ScalarType> PtxModuleLowering::declared_type(const std::string& name) const {
  const auto found = code_.types.find(name);
  return found == code_.types.end() ? std::nullopt : ptx_type(found->second);
}

// A variable of the module, a parameter; a register that nothing has written yet holds anything.
const PtxLowering::Cell* PtxModuleLowering::first_value(const std::string& name) {
  if (const auto symbol = symbols_.find(name); symbol != symbols_.end()) return &symbol->second;
  const auto type = declared_type(name);
  if (!type) return nullptr;
  const Cell cell{b_.ir.constant(*type, 0), *type};
  return &symbols_.emplace(name, cell).first->second;
}

bool PtxModuleLowering::is_read(const std::string& name) const {
  const auto use = uses_.find(name);
  return use != uses_.end() && !use->second.reads.empty();
}

// A variable is declared in the innermost region that holds all of its uses.
void PtxModuleLowering::touch(const Cell& cell) {
  if (!cell.stays) return;
  int& home = b_.ir.values[cell.value].region;
  if (home < 0) home = b_.region;
  const auto depth = [&](int region) {
    int levels = 0;
    for (; region >= 0; region = b_.ir.regions[region].parent) ++levels;
    return levels;
  };
  int other = b_.region;
  for (int x = depth(home), y = depth(other); home != other;) {
    int& deeper = x >= y ? home : other;
    --(x >= y ? x : y);
    deeper = b_.ir.regions[deeper].parent;
  }
}

AccessText PtxModuleLowering::text_of(const Instruction& i, const Operand& operand) const {
  std::string place = operand.name;
  for (const Operand& more : operand.parts) place += "+" + more.name;
  if (operand.number != 0) place += (operand.number > 0 ? "+" : "") + std::to_string(operand.number);
  AccessText text{b_.place, i.text + " [" + place + "]", source_};
  if (!source_text_.is_empty()) text.text = source_text_.text_of(text.range);
  return text;
}

// ---- the tree

// What several jump to stands behind the block that dominates it; what follows a loop, behind the loop.
void PtxModuleLowering::find_places() {
  merges_.resize(graph_.blocks.size());
  followers_.resize(graph_.blocks.size());
  for (const int block : graph_.order) {  // so each list is in that order too
    const int above = at(block).dominator;
    if (above < 0) continue;
    int outermost = -1;  // of the loops around `above` that `block` is not in
    for (int loop = at(above).loop; loop >= 0; loop = graph_.around[loop])
      if (!graph_.is_in(block, loop)) outermost = loop;
    if (outermost >= 0)
      followers_[outermost].push_back(block);
    else if (at(block).entered > 1)
      merges_[above].push_back(block);
  }
  const auto not_needed = [&](int block) { return at(block).returns_at_once(); };
  for (auto* lists : {&merges_, &followers_})
    for (std::vector<int>& list : *lists) std::erase_if(list, not_needed);
}

// Whether the code of `to` stands where `from` jumps to it.
bool PtxModuleLowering::stands_inside(int from, int to) const {
  if (at(to).dominator != from || at(to).entered > 1 || at(to).returns_at_once()) return false;
  const int loop = at(from).loop;
  return loop < 0 || graph_.is_in(to, loop);
}

void PtxModuleLowering::subtree(int block, int next) {
  const auto nested = [&](std::size_t depth, std::size_t most) {
    if (depth <= most) return;
    range_ = code_.body[std::min(at(block).begin, code_.body.size() - 1)].range;
    l_.stand_at(range_);
    complain(Message("branches and loops are nested more than {} deep here", most));
  };
  nested(++depth_, kMostDepth);
  // What stands one behind the other is not nested.
  while (block >= 0) {
    l_.step();
    const std::vector<int>& behind = (at(block).is_header ? followers_ : merges_)[block];
    nested(behind.size(), kMostFollowers);
    if (behind.empty() && !at(block).is_header) {
      block = code(block, next);
      continue;
    }
    block = before(behind, behind.size(), next, [&](int inner) {
      if (at(block).is_header)
        loop(block, inner);
      else
        run_on(code(block, inner), inner);
    });
  }
  --depth_;
}

// `inner`, and behind it the first `count` followers one after the other, but for the last, which it gives;
// each is left to by jumps. -1: there is none.
int PtxModuleLowering::before(const std::vector<int>& followers, std::size_t count, int next,
                              const Body& inner) {
  l_.pace().step();
  if (count == 0) return inner(next), -1;
  const int last = followers[count - 1];
  const int region = b_.ir.add_region(b_.region);
  List list;
  targets_of_jumps_.push_back({last, region});
  {
    const ListScope scope(b_, list, region);
    if (const int end = before(followers, count - 1, last, inner); end >= 0) subtree(end, last);
  }
  append_part(b_, list, region, targets_of_jumps_.back().is_used);
  targets_of_jumps_.pop_back();
  return last;
}

void PtxModuleLowering::loop(int header, int next) {
  Node made;
  made.kind = Node::Kind::Loop;
  made.region = b_.ir.add_region(b_.region);
  made.body_region = b_.ir.add_region(made.region);
  made.test_first = false;
  made.condition = b_.integer(ScalarType::Bool, 1);
  if (at(header).begin < code_.body.size()) made.range = source_text_.range_of(code_.body[at(header).begin]);
  if (next >= 0) targets_of_jumps_.push_back({next, made.region});
  List turn;
  const int turn_region = b_.ir.add_region(made.body_region);
  targets_of_jumps_.push_back({header, turn_region});
  {
    const ListScope scope(b_, turn, turn_region);
    const std::vector<int>& merges = merges_[header];
    const int end =
        before(merges, merges.size(), header, [&](int inner) { run_on(code(header, inner), inner); });
    if (end >= 0) subtree(end, header);
  }
  {
    const ListScope scope(b_, made.body, made.body_region);
    append_part(b_, turn, turn_region, targets_of_jumps_.back().is_used);
    // do { ... if (c) break; } while (true) is do { ... } while (!c).
    Node* last = made.body.empty() ? nullptr : &made.body.back();
    const bool leaves = last != nullptr && last->kind == Node::Kind::If && last->other.empty() &&
                        last->body.size() == 1 && last->body.front().kind == Node::Kind::Exit &&
                        last->body.front().region == made.region;
    if (leaves) {
      const Value condition = last->condition;
      made.body.pop_back();
      const auto known = opposite_.find(condition);
      made.condition =
          known != opposite_.end() ? known->second : b_.op(Opcode::Not, ScalarType::Bool, condition);
    }
  }
  targets_of_jumps_.pop_back();
  if (next >= 0) targets_of_jumps_.pop_back();
  b_.append(Node::Kind::Loop) = std::move(made);
}

// Complaints are about the PTX; what runs stands where its source says.
void PtxModuleLowering::stand_at(const ptx::Statement& one) {
  range_ = one.range;
  l_.stand_at(range_);
  b_.place = source_text_.range_of(one);
  source_ = text_.data() + one.range.begin.offset;
}

int PtxModuleLowering::code(int block, int next) {
  for (std::size_t i = at(block).begin; i < at(block).end; ++i) {
    const ptx::Statement& one = code_.body[i];
    l_.step();
    stand_at(one);
    instruction(one.instruction);
  }
  if (at(block).jump < code_.body.size()) stand_at(code_.body[at(block).jump]);
  switch (at(block).exit) {
    case ptx::Block::Exit::Return:
      b_.append(Node::Kind::Return);
      return -1;
    case ptx::Block::Exit::Goto:
      return go(block, at(block).next[0], next);
    case ptx::Block::Exit::Branch:
      return branch(block, next);
    case ptx::Block::Exit::Switch: {
      const Value index = read(code_.body[at(block).jump].instruction.operands[0], ScalarType::U32);
      return choose(block, 0, b_.settled(ScalarType::U32, index), next);
    }
  }
  return -1;
}

int PtxModuleLowering::branch(int block, int next) {
  const Instruction& jump = code_.body[at(block).jump].instruction;
  Value holds = read({.name = jump.predicate}, ScalarType::Bool);
  holds = b_.settled(ScalarType::Bool, holds);
  int to[2] = {at(block).next[0], at(block).next[1]};
  if (jump.negated) std::swap(to[0], to[1]);
  if (const auto known = b_.bits(holds)) return go(block, to[*known == 0 ? 1 : 0], next);
  const auto fails = [&] {
    const Value negated = b_.op(Opcode::Not, ScalarType::Bool, holds);
    opposite_[negated] = holds;
    return negated;
  };
  // Lanes that leave do so first, and what the others do need not stand inside of a branch.
  if (leaves(block, to[0], next)) {
    where(b_, holds, b_.place, [&] { run_on(go(block, to[0], next), next); });
    return go(block, to[1], next);
  }
  if (leaves(block, to[1], next)) {
    where(b_, fails(), b_.place, [&] { run_on(go(block, to[1], next), next); });
    return go(block, to[0], next);
  }
  const bool first_runs_on = !stands_inside(block, to[0]), second_runs_on = !stands_inside(block, to[1]);
  const auto side = [&](int which) { return [&, which] { run_on(go(block, to[which], next), next); }; };
  if (first_runs_on && second_runs_on) return -1;
  if (first_runs_on)
    where(b_, fails(), b_.place, side(1));
  else if (second_runs_on)
    where(b_, holds, b_.place, side(0));
  else
    where(b_, holds, b_.place, side(0), side(1));
  return -1;
}

// brx.idx: the last label is where all larger indices go, which PTX leaves open.
int PtxModuleLowering::choose(int block, std::size_t from, Value index, int next) {
  const std::vector<int>& targets = at(block).next;
  for (; from + 1 < targets.size(); ++from) {
    l_.pace().step();
    const int to = targets[from];
    const Value is_it = b_.op(Opcode::Eq, ScalarType::U32, index, number(from));
    if (leaves(block, to, next)) {
      where(b_, is_it, b_.place, [&] { run_on(go(block, to, next), next); });
      continue;
    }
    where(
        b_, is_it, b_.place, [&] { run_on(go(block, to, next), next); },
        [&, from] { run_on(choose(block, from + 1, index, next), next); });
    return -1;
  }
  return targets.empty() ? -1 : go(block, targets.back(), next);
}

// Whether a jump ends what stands here, for the lanes that take it.
bool PtxModuleLowering::leaves(int from, int to, int next) const {
  return to != next && !stands_inside(from, to);
}

int PtxModuleLowering::go(int from, int to, int next) {
  if (stands_inside(from, to)) return to;
  if (to == next) return -1;
  if (at(to).returns_at_once()) {
    b_.append(Node::Kind::Return);
    return -1;
  }
  for (auto target = targets_of_jumps_.rbegin(); target != targets_of_jumps_.rend(); ++target) {
    if (target->block != to) continue;
    target->is_used = true;
    b_.append(Node::Kind::Exit).region = target->region;
    return -1;
  }
  complain(Message("this jump is not understood: its place among the blocks is not known"));
}

}  // namespace warplens::sim::lower
