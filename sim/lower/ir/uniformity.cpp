// Which values are one for the whole warp, and where lanes part: an optimistic fixed point. Everything is
// uniform until something varying flows into it, or until it is written where some of the lanes that know it
// are absent.
//
// The same fixed point tells what is known when compiling: a thread instead of a warp, and what flows in from
// outside is unknown. There a loop whose length is known is unrolled, so that its counter is known in each
// turn.
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/base/sweeps.h"
#include "sim/lower/ir/ir.h"

namespace warplens::sim::lower {
namespace {

// What the analysis looks at, in the order of the text: operations, conditions, jumps.
struct Entry {
  const Node* node = nullptr;
  int region = 0;
};

enum class Among : std::uint8_t { Lanes, Runs };  // what is one: for the lanes of a warp, or whenever it runs

class Uniformity {
 public:
  Uniformity(Ir& ir, Pace pace, Among among)
      : ir_(ir),
        pace_(pace),
        among_runs_(among == Among::Runs),
        of_unknown_turns_(ir.regions.size()),
        readers_(ir.values.size()),
        inside_(ir.regions.size()) {
    for (ValueInfo& v : ir_.values)
      v.varying = v.kind == ValueInfo::Kind::Input && (among_runs_ ? !is_table(v) : !is_uniform(v.input));
    for (Region& region : ir_.regions) region.divergent = false;
    list(ir_.body, 0);
    work_.emplace(entries_.size(), pace);
  }

  void run() {
    work_->run([this](std::size_t entry) { visit(*entries_[entry].node, entries_[entry].region); });
  }

 private:
  struct Span {
    std::size_t begin = 0, end = 0;  // entries
  };

  // The address of one is as good as known.
  bool is_table(const ValueInfo& v) const {
    return v.origin.kind == Origin::Kind::Array && ir_.arrays[v.origin.array].is_table;
  }
  bool varies(Value v) const { return v != kNone && ir_.values[v].varying; }
  void make_varying(Value v) {
    ValueInfo& info = ir_.values[v];
    if (info.varying) return;
    info.varying = true;
    mark_readers(v);
    if (info.group < 0) return;
    for (const Value member : ir_.groups[info.group]) {
      if (!std::exchange(ir_.values[member].varying, true)) mark_readers(member);
    }
  }
  void mark_readers(Value v) {
    for (const std::size_t entry : readers_[v]) work_->mark(entry);
  }
  // Jumps out of the region and what is written inside of it may part lanes now.
  void make_divergent(int region) {
    if (std::exchange(ir_.regions[region].divergent, true)) return;
    for (std::size_t entry = inside_[region].begin; entry < inside_[region].end; ++entry) work_->mark(entry);
  }

  void list(const List& nodes, int region) {
    for (const Node& node : nodes) add(node, region);
  }
  template <class Add>
  void in_region(int region, Add add_nodes) {
    inside_[region].begin = entries_.size();
    add_nodes();
    inside_[region].end = entries_.size();
  }

  void add(const Node& node, int region) {
    pace_.step();
    entries_.push_back({&node, region});
    for_each_read(ir_, node, [&](Value v) { readers_[v].push_back(entries_.size() - 1); });
    switch (node.kind) {
      case Node::Kind::If:
        in_region(node.region, [&] { list(node.body, node.region); });
        return in_region(node.other_region, [&] { list(node.other, node.other_region); });
      case Node::Kind::Loop:
        return in_region(node.region, [&] {
          list(node.header, node.region);
          in_region(node.body_region, [&] { list(node.body, node.body_region); });
          list(node.other, node.region);
        });
      case Node::Kind::Call:
        return in_region(node.region, [&] { list(node.body, node.region); });
      default:
        return;
    }
  }

  void visit(const Node& node, int region) {
    switch (node.kind) {
      case Node::Kind::Op:
        return visit_op(node.op, region);
      case Node::Kind::If:
        if (!varies(node.condition)) return;
        make_divergent(node.region);
        return make_divergent(node.other_region);
      case Node::Kind::Loop:
        if (!varies(node.condition) && !(among_runs_ && is_endless(node))) return;
        of_unknown_turns_[node.region] = true;
        return make_divergent(node.region);
      case Node::Kind::Exit:  // some lanes jump, others do not
        if (!among_runs_ && crosses_divergence(ir_, region, node.region)) make_divergent(node.region);
        return;
      default:
        return;
    }
  }

  // Left from within alone: how often it turns is not known.
  bool is_endless(const Node& loop) const {
    return loop.condition == kNone || ir_.is_constant(loop.condition);
  }

  void visit_op(const Op& op, int region) {
    const Instr& i = op.instr;
    if (i.dst == kNone || (!among_runs_ && (i.op == Opcode::Vote || i.op == Opcode::Barrier))) return;
    bool varying = (among_runs_ && !is_pure(ir_, i) && i.op != Opcode::Mov) || i.op == Opcode::Atomic ||
                   i.op == Opcode::Shuffle || i.op == Opcode::MatrixDot ||
                   (i.op == Opcode::Load && may_be_local(i.a));
    for_each_operand(ir_, op, [&](Value v) { varying = varying || varies(v); });
    for_each_result(ir_, op, [&](Value v) {
      const int home = ir_.values[v].region;
      // A loop's counter is one for all lanes that are in the loop still, and yet another in each turn.
      const bool parts = ir_.is_variable(v) &&
                         (crosses_divergence(ir_, region, home) || (among_runs_ && of_unknown_turns_[home]));
      if (varying || parts) make_varying(v);
    });
  }

  // Local memory is each lane's own: one address, 32 values.
  bool may_be_local(Value base) const {
    const Origin::Kind space = ir_.space_of(base);
    const bool is_known = space == Origin::Kind::Local || space == Origin::Kind::Global ||
                          space == Origin::Kind::Constant || space == Origin::Kind::Shared;
    return is_known ? space == Origin::Kind::Local : ir_.locals_have_addresses;
  }

  Ir& ir_;
  Pace pace_;
  const bool among_runs_;
  std::vector<bool> of_unknown_turns_;  // by region: a loop that is not unrolled
  std::vector<Entry> entries_;
  std::vector<std::vector<std::size_t>> readers_;  // by value: entries
  std::vector<Span> inside_;                       // by region: what lies in it
  std::optional<Sweeps> work_;
};

// Which memory the pointers of a program lead to: those of the parameters, arrays and variables that they
// were computed from.
class Origins {
 public:
  Origins(Ir& ir, const Program& program, Pace pace)
      : ir_(ir), pace_(pace), readers_(ir.values.size()), places_(ir.values.size(), 0) {
    for (std::size_t v = 0; v < places_.size(); ++v) places_[v] = at_first(ir.values[v]);
    Places may_be_written = 0;
    for (std::size_t p = 0; p < program.parameters.size(); ++p) {
      const KernelParameter& parameter = program.parameters[p];
      const auto input = ir.inputs.find(parameter.reg);
      if (parameter.is_pointer && input != ir.inputs.end())
        places_[input->second] = program.buffers_overlap ? kAnyBuffer : place_of_parameter(p);
      const bool is_read_only = parameter.symbol_elements > 0 && parameter.is_const;
      (is_read_only ? read_only_ : may_be_written) |= place_of_parameter(p);
    }
    read_only_ &= ~may_be_written;  // many share the last place
    each_node(ir_.body, pace_, [&](const Node& node) {
      if (node.kind != Node::Kind::Op) return;
      for_each_operand(ir_, node.op, [&](Value v) { readers_[v].push_back(ops_.size()); });
      ops_.push_back(&node.op);
    });
  }

  void run() {
    Sweeps work(ops_.size(), pace_);
    work.run([&](std::size_t i) {
      const Op& op = *ops_[i];
      if (op.instr.dst == kNone) return;
      const Origin from = origin_of(op);
      const Places to = places_of(op);
      for_each_result(ir_, op, [&](Value v) {
        ValueInfo& info = ir_.values[v];
        const Origin joined = join(info.origin, from);
        const Places more = size_of(info.type) == 8 ? places_[v] | to : Places{0};
        if (joined == info.origin && more == places_[v]) return;
        info.origin = joined;
        places_[v] = more;
        for (const std::size_t reader : readers_[v]) work.mark(reader);
      });
    });
    for (const Op* op : ops_)
      if (op->access >= 0) ir_.accesses[op->access].leads_to = reached(*op);
  }

 private:
  Places at_first(const ValueInfo& value) const {
    const Origin::Kind space = ir_.space_of(value.origin);
    const bool is_number = value.kind == ValueInfo::Kind::Constant && size_of(value.type) == 8;
    if (space == Origin::Kind::Local || (is_number && value.bits >= kLocalWindow)) return kLocalPlace;
    if (space == Origin::Kind::Shared || (is_number && value.bits >= kSharedWindow)) return kSharedPlace;
    return 0;
  }

  Origin origin_of(const Op& op) const {
    const Instr& i = op.instr;
    if (i.op != Opcode::Convert && size_of(i.type) != 8) return {};
    if (is_access(i.op)) return {Origin::Kind::Any, -1};  // a pointer kept in memory
    Origin from;
    for_each_operand(ir_, op, [&](Value v) {
      const Origin& origin = ir_.values[v].origin;
      // One operand of a sum is the pointer: the one that is known to be one.
      const bool adds = i.op == Opcode::Add || i.op == Opcode::Sub;
      const bool is_known = from.kind != Origin::Kind::Nothing && from.kind != Origin::Kind::Any;
      if (adds && origin.kind == Origin::Kind::Any && is_known) return;
      from = adds && from.kind == Origin::Kind::Any && origin.kind != Origin::Kind::Nothing
                 ? origin
                 : join(from, origin);
    });
    return from;
  }

  Origin join(const Origin& x, const Origin& y) const {
    if (x.kind == Origin::Kind::Nothing) return y;
    if (y.kind == Origin::Kind::Nothing || x == y) return x;
    const Origin::Kind one = ir_.space_of(x), other = ir_.space_of(y);
    const auto is_buffer = [](Origin::Kind space) {
      return space == Origin::Kind::Global || space == Origin::Kind::Constant;
    };
    if (one == other) return {one, -1};
    return {is_buffer(one) && is_buffer(other) ? Origin::Kind::Global : Origin::Kind::Any, -1};
  }

  // One operand of a sum is the pointer and the other is the offset. A number that was loaded could be
  // either; beside a known pointer it is the offset.
  static Places sum_of(Places x, Places y) {
    if (x == kAnyPlace && y != 0) return y;
    if (y == kAnyPlace && x != 0) return x;
    return x | y;
  }

  // A pointer that was kept in memory may point anywhere; narrower values are no pointers.
  Places places_of(const Op& op) const {
    const Instr& i = op.instr;
    if (is_access(i.op)) return size_of(i.type) == 8 && !is_floating(i.type) ? kAnyPlace : Places{0};
    if (i.op == Opcode::Add && i.type != ScalarType::F64) return sum_of(places_[i.a], places_[i.b]);
    Places from = 0;
    for_each_operand(ir_, op, [&](Value v) { from |= places_[v]; });
    return from;
  }

  // Where an access may go; kAnyPlace where nothing is known of its pointer. A kernel cannot write constants.
  Places reached(const Op& op) const {
    const Origin::Kind space = ir_.space_of(op.instr.a);
    const bool is_load = op.instr.op == Opcode::Load;
    if (space == Origin::Kind::Shared) return kSharedPlace;
    Places places = places_[op.instr.a];
    for (const Term& term : ir_.accesses[op.access].terms)
      if (size_of(term.type) == 8) places = sum_of(places, places_[term.index]);
    const Places possible = space == Origin::Kind::Global ? kAnyBuffer : kAnyPlace;
    places = (places & possible) != 0 ? places & possible : possible;
    return is_load ? places : places & ~read_only_;
  }

  Ir& ir_;
  Pace pace_;
  std::vector<const Op*> ops_;
  std::vector<std::vector<std::size_t>> readers_;  // by value
  std::vector<Places> places_;                     // likewise
  Places read_only_ = 0;
};

}  // namespace

void decide_uniformity(Ir& ir, Budget& budget) {
  Uniformity(ir, Pace(budget, Stage::Optimising), Among::Lanes).run();
}

void decide_what_is_known(Ir& ir, Budget& budget) {
  Uniformity(ir, Pace(budget, Stage::Optimising), Among::Runs).run();
}

void use_known_indices(Ir& ir, Program& program, Budget& budget) {
  Pace pace(budget, Stage::Optimising);
  std::set<int> found;
  each_node(ir.body, pace, [&](const Node& node) {
    if (node.kind != Node::Kind::Op || node.op.access < 0) return;
    const ValueInfo& base = ir.values[node.op.instr.a];
    if (base.origin.kind != Origin::Kind::Array) return;
    bool at_run_time = base.varying;
    Access& access = ir.accesses[node.op.access];
    for (const Term& term : access.terms) at_run_time |= ir.values[term.index].varying;
    const PointedArray& array = ir.arrays[base.origin.array];
    access.folds = array.is_table && !at_run_time;
    if (at_run_time) found.insert(array.local);
  });
  found.erase(-1);
  program.in_local_memory.assign(found.begin(), found.end());
}

void trace_origins(Ir& ir, const Program& program, Budget& budget) {
  Origins(ir, program, Pace(budget, Stage::Optimising)).run();
}

}  // namespace warplens::sim::lower
