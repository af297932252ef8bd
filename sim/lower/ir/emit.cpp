// Ir -> Program: a line of instructions with jumps, frames where lanes may part, sites, places, registers.
#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "sim/lower/ir/ir.h"

// How much of its source an asynchronous copy reads, as the assembler sees it: see memory::CopySize.

namespace warplens::sim::lower {

namespace {

class CopySizes {
 public:
  CopySizes(const Ir& ir, Pace pace) : ir_(ir), pace_(pace) {
    each_node(ir.body, pace_, [&](const Node& node) {
      if (node.kind == Node::Kind::Op)
        for_each_result(ir_, node.op, [&](Value v) { made_by_[v].push_back(&node.op.instr); });
    });
  }

  memory::CopySize of(const Access& access) {
    const auto all = static_cast<std::uint64_t>(access.bytes);
    if (ir_.is_constant(access.source_bytes) && ir_.values[access.source_bytes].bits >= all)
      return memory::CopySize::Whole;
    return is_none_or(access.source_bytes, all) ? memory::CopySize::NoneOrWhole : memory::CopySize::AnyNumber;
  }

 private:
  // Whether the value is 0 or `all`, whatever chooses between the two.
  bool is_none_or(Value value, std::uint64_t all) {
    std::vector<Value> left{value};
    std::unordered_set<Value> seen;
    while (!left.empty()) {
      pace_.step();
      const Value v = left.back();
      left.pop_back();
      if (!seen.insert(v).second) continue;
      if (ir_.is_constant(v)) {
        if (ir_.values[v].bits != 0 && ir_.values[v].bits < all) return false;
        continue;
      }
      const auto made = made_by_.find(v);
      if (made == made_by_.end()) return false;
      for (const Instr* instr : made->second) {
        if (instr->op == Opcode::Select)
          left.insert(left.end(), {instr->b, instr->c});
        else if (instr->op == Opcode::Mov || instr->op == Opcode::Convert)
          left.push_back(instr->a);
        else
          return false;
      }
    }
    return true;
  }

  const Ir& ir_;
  Pace pace_;
  std::unordered_map<Value, std::vector<const Instr*>> made_by_;
};

}  // namespace

void decide_copy_sizes(Ir& ir, Budget& budget) {
  const auto has_size = [](const Access& access) { return access.source_bytes != kNone; };
  if (std::ranges::none_of(ir.accesses, has_size)) return;
  CopySizes sizes(ir, Pace(budget, Stage::Lowering));
  for (Access& access : ir.accesses)
    if (has_size(access)) access.copy_size = sizes.of(access);
}

namespace {

// What Exit needs to know of the construct that it leaves.
struct Construct {
  int frame = -1;  // -1: lanes stay together, a jump will do
  int label = -1;  // where it ends
};

class Emitter {
 public:
  Emitter(const Ir& ir, std::int64_t dynamic_shared_offset, Program& program, Budget& budget)
      : ir_(ir),
        pace_(budget, Stage::Optimising),
        dynamic_shared_offset_(dynamic_shared_offset),
        program_(program),
        uses_(ir.values.size(), 0) {}

  void run() {
    each_node(ir_.body, pace_,
              [&](const Node& node) { for_each_read(ir_, node, [&](Value v) { ++uses_[v]; }); });
    for (const DebugSymbol& symbol : ir_.symbols) {
      if (symbol.value != kNone) ++uses_[symbol.value];
    }
    const int end = new_label();
    join_ = end;
    list(ir_.body, 0);
    bind(end);
    place({});
    emit({.op = Opcode::End});
    patch_targets();
    give_registers(ir_, dynamic_shared_offset_, visible_, program_);
    program_.frames = most_frames_;
  }

 private:
  // ---- labels, frames, places

  int new_label() {
    labels_.push_back(-1);
    return static_cast<int>(labels_.size()) - 1;
  }
  void bind(int label) {
    labels_[label] = position();
    last_label_ = position();
  }
  int position() const { return static_cast<int>(program_.code.size()); }

  int open_frame() {
    most_frames_ = std::max(most_frames_, frames_ + 1);
    return frames_++;
  }
  void close_frame() { --frames_; }

  void place(const cuda::SourceRange& range) {
    const auto [known, is_new] = places_.try_emplace({range.begin.offset, range.end.offset}, 0);
    if (is_new) {
      known->second = static_cast<int>(program_.places.size());
      program_.places.push_back(range);
    }
    place_ = known->second;
  }

  Instr& emit(Instr instr) {
    instr.place = place_;
    return program_.code.emplace_back(instr);
  }
  // A mask or jump instruction; `target` is a label.
  void control(Opcode op, int frame, int target, Value condition = kNone) {
    Instr instr{.op = op, .type = ScalarType::Bool, .a = condition};
    instr.frame = frame;
    instr.target = target;
    emit(instr);
  }

  void patch_targets() {
    for (Instr& instr : program_.code) {
      if (instr.target >= 0) instr.target = labels_[instr.target];
    }
  }

  bool varies(Value v) const { return ir_.values[v].varying; }

  // ---- the tree

  static bool does_nothing(const List& nodes) {
    return std::ranges::all_of(nodes, [](const Node& node) {
      return node.kind == Node::Kind::Begin || node.kind == Node::Kind::Finish;
    });
  }

  void list(const List& nodes, int region) {
    std::vector<int> begun;
    for (const Node& node : nodes) {
      if (node.kind == Node::Kind::Begin && is_shown(node.symbol)) begun.push_back(node.symbol);
      visit(node, region);
    }
    for (const int symbol : begun) {
      if (visible_[symbol].second < 0) visible_[symbol].second = position();
    }
  }

  void visit(const Node& node, int region) {
    pace_.step();
    switch (node.kind) {
      case Node::Kind::Op:
        return operation(node.op, region);
      case Node::Kind::If:
        return branch(node);
      case Node::Kind::Loop:
        return loop(node);
      case Node::Kind::Call:
        return call(node);
      case Node::Kind::Exit: {
        place(node.range);
        const Construct& left = constructs_.at(node.region);
        if (left.frame < 0) return control(Opcode::Jump, -1, left.label);
        return control(Opcode::Exit, left.frame, join_);
      }
      case Node::Kind::Return:
        place(node.range);
        return control(Opcode::Return, -1, join_);
      case Node::Kind::Begin:
        if (is_shown(node.symbol)) visible_[node.symbol] = {position(), -1};
        return;
      case Node::Kind::Finish:
        if (is_shown(node.symbol)) visible_[node.symbol].second = position();
        return;
    }
  }

  // Not a variable whose value was not loaded, since nothing needs it.
  bool is_shown(int symbol) const { return ir_.symbols[symbol].value != kNone; }

  void list_with_join(const List& nodes, int region, int join) {
    const int outer = std::exchange(join_, join);
    list(nodes, region);
    join_ = outer;
  }

  void branch(const Node& node) {
    const bool has_other = !does_nothing(node.other);
    if (does_nothing(node.body) && !has_other) return;
    const int other = new_label(), end = new_label();
    place(node.range);
    if (!varies(node.condition)) {
      control(Opcode::Branch, -1, has_other ? other : end, node.condition);
      list(node.body, node.region);
      if (has_other) {
        place(node.range);
        if (falls_through()) control(Opcode::Jump, -1, end);
        bind(other);
        list(node.other, node.other_region);
      }
      bind(end);
      return;
    }
    const int frame = open_frame();
    control(Opcode::If, frame, has_other ? other : end, node.condition);
    list_with_join(node.body, node.region, has_other ? other : end);
    if (has_other) {
      bind(other);
      place(node.range);
      control(Opcode::Else, frame, end);
      list_with_join(node.other, node.other_region, end);
    }
    bind(end);
    place(node.range);
    control(Opcode::EndIf, frame, join_);
    close_frame();
  }

  // False after a jump to elsewhere.
  bool falls_through() const {
    if (program_.code.empty() || last_label_ == position()) return true;
    const Opcode op = program_.code.back().op;
    return op != Opcode::Jump && op != Opcode::Exit && op != Opcode::Return;
  }

  void loop(const Node& node) {
    const bool parts = ir_.regions[node.region].divergent;  // lanes leave one by one
    const int frame = parts ? open_frame() : -1;
    const int top = new_label(), end = new_label();
    const bool turns = !parts && node.test_first && can_turn(node);
    const int outer = join_, leave = parts ? end : outer;
    constructs_[node.region] = {frame, end};
    place(node.range);
    if (parts) control(Opcode::Enter, frame, -1);
    if (turns) test(node, -1, end, leave);
    bind(top);
    if (node.test_first && !turns) test(node, frame, end, leave);
    list_with_join(node.body, node.body_region, leave);
    place(node.range);
    list_with_join(node.other, node.region, leave);
    if (!node.test_first) test(node, frame, end, leave);
    place(node.range);
    if (turns)
      turn(node, top);
    else if (falls_through())
      control(Opcode::Jump, -1, top);
    bind(end);
    if (parts) {
      control(Opcode::Leave, frame, outer);
      close_frame();
    }
  }

  void test(const Node& node, int frame, int end, int leave) {
    list_with_join(node.header, node.region, leave);
    const ValueInfo& condition = ir_.values[node.condition];
    const bool is_constant = condition.kind == ValueInfo::Kind::Constant;
    if (is_constant && condition.bits != 0) return;
    place(node.range);
    if (is_constant && frame < 0) return control(Opcode::Jump, -1, end);  // do { ... } while (0)
    control(frame >= 0 ? Opcode::Test : Opcode::Branch, frame, end, node.condition);
  }

  // Whether a loop can test once before its first turn and then at its end, which saves a jump a turn: the
  // test is cheap, and an integer comparison, which has an opposite.
  bool can_turn(const Node& node) const {
    if (node.header.empty() || node.header.size() > 4) return false;
    const bool is_plain = std::ranges::all_of(node.header, [&](const Node& inner) {
      return inner.kind == Node::Kind::Op && is_pure(ir_, inner.op.instr) && inner.op.access < 0;
    });
    const Instr& last = node.header.back().op.instr;
    return is_plain && last.dst == node.condition && uses_[node.condition] == 1 && last.op >= Opcode::Lt &&
           last.op <= Opcode::Ne && !is_floating(last.type);
  }

  void turn(const Node& node, int top) {
    list_with_join(node.header, node.region, join_);
    static constexpr Opcode kOpposites[] = {Opcode::Ge, Opcode::Gt, Opcode::Le,
                                            Opcode::Lt, Opcode::Ne, Opcode::Eq};
    Opcode& op = program_.code.back().op;
    op = kOpposites[static_cast<int>(op) - static_cast<int>(Opcode::Lt)];
    place(node.range);
    control(Opcode::Branch, -1, top, node.condition);
  }

  void call(const Node& node) {
    const bool parts = ir_.regions[node.region].divergent;
    const int end = new_label();
    const int frame = parts ? open_frame() : -1;
    constructs_[node.region] = {frame, end};
    place(node.range);
    if (parts) control(Opcode::Enter, frame, -1);
    list_with_join(node.body, node.region, parts ? end : join_);
    place(node.range);
    if (parts && falls_through()) control(Opcode::Exit, frame, end);
    drop_jump_to_here(end);
    bind(end);
    if (parts) {
      control(Opcode::Leave, frame, join_);
      close_frame();
    }
  }

  void drop_jump_to_here(int label) {
    if (program_.code.empty() || last_label_ == position()) return;
    const Instr& last = program_.code.back();
    if (last.op == Opcode::Jump && last.target == label) program_.code.pop_back();
  }

  // ---- operations

  void operation(const Op& op, int region) {
    Instr instr = op.instr;
    place(op.range);
    if (instr.op == Opcode::Mov && (write_directly(instr, region) || load_directly(instr))) return;
    if (instr.op == Opcode::Add && multiply_and_add(instr)) return;
    if (op.access >= 0) address(instr, ir_.accesses[op.access]);
    emit(instr);
  }

  // The instruction just emitted, where it computes `v` for the next one alone.
  Instr* only_source_of(Value v) {
    if (program_.code.empty() || last_label_ == position()) return nullptr;
    Instr& last = program_.code.back();
    const bool is_only = last.dst == v && uses_[v] == 1 && ir_.values[v].kind == ValueInfo::Kind::Temp &&
                         ir_.values[v].group < 0;
    return is_only ? &last : nullptr;
  }

  // t = load of four; x.x = t.x; x.y = t.y ...  ->  x = load of four: a load heeds the mask.
  bool load_directly(const Instr& move) {
    const int from = ir_.values[move.a].group, to = ir_.values[move.dst].group;
    if (from < 0 || to < 0 || varies(move.a) != varies(move.dst)) return false;
    const std::vector<Value>&sources = ir_.groups[from], &targets = ir_.groups[to];
    const std::size_t count = sources.size(), here = program_.code.size();
    if (targets.size() != count || move.a != sources.back() || move.dst != targets.back() || here < count)
      return false;
    if (last_label_ > position() - static_cast<int>(count)) return false;
    Instr& load = program_.code[here - count];
    if (load.op != Opcode::Load || load.components != count || load.dst != sources[0]) return false;
    for (std::size_t i = 0; i < count; ++i) {
      if (uses_[sources[i]] != 1) return false;
      if (i + 1 == count) break;
      const Instr& other = program_.code[here - count + 1 + i];
      if (other.op != Opcode::Mov || other.a != sources[i] || other.dst != targets[i]) return false;
    }
    load.dst = targets[0];
    program_.code.resize(here - count + 1);
    return true;
  }

  // t = a + b; x = t  ->  x = a + b, where all lanes that know x are here, or the instruction heeds the mask.
  bool write_directly(const Instr& move, int region) {
    if (!ir_.is_variable(move.dst)) return false;
    Instr* source = only_source_of(move.a);
    if (!source || varies(move.a) != varies(move.dst)) return false;
    const bool is_masked = source->op == Opcode::Load || source->op == Opcode::Mov;
    if (varies(move.dst) && !is_masked && crosses_divergence(ir_, region, ir_.values[move.dst].region))
      return false;
    source->dst = move.dst;
    return true;
  }

  // Integers only: floats would be rounded once instead of twice.
  bool multiply_and_add(const Instr& add) {
    if (is_floating(add.type)) return false;
    for (const bool swapped : {false, true}) {
      const Value product = swapped ? add.b : add.a, rest = swapped ? add.a : add.b;
      Instr* source = product == rest ? nullptr : only_source_of(product);
      if (!source || source->op != Opcode::Mul || size_of(source->type) != size_of(add.type)) continue;
      *source = {
          .op = Opcode::Fma, .type = add.type, .dst = add.dst, .a = source->a, .b = source->b, .c = rest};
      source->place = place_;
      return true;
    }
    return false;
  }

  // atomicAdd(p, 1) and atomicInc(p, 0xffffffff) on 32-bit integers, the old value unused. Seen in machine
  // code and in the wavefronts of an H200: a value that is not a constant, two, or a subtraction is no
  // increment.
  bool increments(const Instr& instr) const {
    if (instr.op != Opcode::Atomic || instr.dst != kNone || instr.c == kNone) return false;
    if (instr.type != ScalarType::I32 && instr.type != ScalarType::U32) return false;
    const ValueInfo& value = ir_.values[instr.c];
    if (value.kind != ValueInfo::Kind::Constant) return false;
    const auto bits = static_cast<std::uint32_t>(value.bits);
    const auto function = static_cast<AtomicFunction>(instr.function);
    return (function == AtomicFunction::Add && bits == 1) ||
           (function == AtomicFunction::Inc && bits == 0xffffffffu);
  }

  static memory::AtomicWay way_of(const Instr& instr) {
    const auto function = static_cast<AtomicFunction>(instr.function);
    if (instr.op != Opcode::Atomic || size_of(instr.type) < 4) return memory::AtomicWay::Native;
    if (function == AtomicFunction::CompareAndSwap) return memory::AtomicWay::Swap;
    const bool in_loop = is_floating(instr.type) || size_of(instr.type) == 8;
    return in_loop && function != AtomicFunction::Exchange ? memory::AtomicWay::Loop
                                                           : memory::AtomicWay::Native;
  }

  // Of integers, at an address that is the same for the whole warp: a sum of what is the same for all too,
  // whether or not its old value is read; otherwise of 32 bits whose old value is not read, which is one
  // REDUX from compute capability 8.0 on. Seen in machine code (ptxas 13) and in the sectors of an H200.
  bool combines(const Instr& instr, const Access& access) const {
    using enum AtomicFunction;
    if (instr.op != Opcode::Atomic || instr.c == kNone || is_floating(instr.type) || size_of(instr.type) < 4)
      return false;
    const auto varies = [&](Value value) { return ir_.values[value].varying; };
    if (varies(instr.a) || std::ranges::any_of(access.terms, varies, &Term::index)) return false;
    const auto function = static_cast<AtomicFunction>(instr.function);
    const bool is_sum = function == Add || function == Sub || increments(instr);
    if (is_sum && !varies(instr.c)) return true;
    const bool reduces =
        is_sum || function == Min || function == Max || function == And || function == Or || function == Xor;
    return reduces && instr.dst == kNone && size_of(instr.type) == 4;
  }

  void address(Instr& instr, const Access& access) {
    if (!access.terms.empty()) {
      instr.b = access.terms[0].index;
      instr.index_type = access.terms[0].type;
      instr.scale = static_cast<std::int32_t>(access.terms[0].scale);
    }
    instr.leads_to = access.leads_to;
    const Origin& origin = ir_.values[instr.a].origin;
    const bool is_array = origin.kind == Origin::Kind::Array;
    const Origin::Kind space = ir_.space_of(origin);
    if (space == Origin::Kind::Local || space == Origin::Kind::Constant || access.folds) return;
    if (!is_priced(access.form)) {
      instr.form = access.form;
      return;
    }
    AccessSite site{.range = access.range,
                    .text = access.text,
                    .array = is_array ? ir_.arrays[origin.array].name : "",
                    .space = space == Origin::Kind::Global   ? SiteSpace::Global
                             : space == Origin::Kind::Shared ? SiteSpace::Shared
                                                             : SiteSpace::Generic,
                    .op = access.form == AccessForm::AsyncCopy ? memory::Op::Async : access.op,
                    .bytes = access.bytes,
                    .element = access.element,
                    .increments = increments(instr),
                    .way = combines(instr, access) ? memory::AtomicWay::Native : way_of(instr),
                    .form = access.form,
                    .combined = combines(instr, access),
                    .past_l1 = access.past_l1,
                    .copy_size = access.copy_size,
                    .joinable = access.joinable};
    if (ir_.module != nullptr && access.source != nullptr)
      site.instruction = static_cast<int>(static_cast<const char*>(access.source) - ir_.module);
    if (site.op == memory::Op::Reduction && site.space == SiteSpace::Shared) site.op = memory::Op::Atomic;
    const auto key = std::make_tuple(access.source, access.text, static_cast<int>(site.op), site.bytes,
                                     static_cast<int>(site.space), site.increments,
                                     static_cast<int>(site.way), site.combined, static_cast<int>(site.form),
                                     site.past_l1, static_cast<int>(site.copy_size));
    const auto [known, is_new] = sites_.try_emplace(key, static_cast<int>(program_.sites.size()));
    if (is_new) {
      program_.sites.push_back(std::move(site));
      instr.site = known->second;
      return;
    }
    program_.sites[known->second].joinable |= access.joinable;
    if (program_.sites[known->second].array != site.array) {
      program_.sites[known->second].array.clear();  // an inlined function, given different arrays
    }
    instr.site = known->second;
  }

  const Ir& ir_;
  Pace pace_;
  const std::int64_t dynamic_shared_offset_;
  Program& program_;
  std::vector<int> uses_;
  std::vector<int> labels_;
  int last_label_ = -1;
  int join_ = -1;
  int frames_ = 0, most_frames_ = 0;
  int place_ = -1;
  std::map<int, Construct> constructs_;
  std::map<std::pair<int, int>, int> places_;
  std::map<std::tuple<const void*, std::string, int, int, int, bool, int, bool, int, bool, int>, int> sites_;
  VisibleSymbols visible_;
};

}  // namespace

void emit(const Ir& ir, std::int64_t dynamic_shared_offset, Program& program, Budget& budget) {
  Emitter(ir, dynamic_shared_offset, program, budget).run();
}

}  // namespace warplens::sim::lower
