// Which values are one for the whole warp, and where lanes part: an optimistic fixed point. Everything is
// uniform until something varying flows into it, or until it is written where some of the lanes that know it
// are absent.
#include "sim/warp/lower/ir.h"

namespace warplens::warp::lower {
namespace {

class Uniformity {
 public:
  explicit Uniformity(Ir& ir) : ir_(ir) {
    for (ValueInfo& v : ir_.values) v.varying = v.kind == ValueInfo::Kind::Input && !is_uniform(v.input);
    for (Region& region : ir_.regions) region.divergent = false;
  }

  void run() {
    do {
      changed_ = false;
      walk(ir_.body, 0);
    } while (changed_);
  }

 private:
  bool varies(Value v) const { return v != kNone && ir_.values[v].varying; }
  void make_varying(Value v) {
    ValueInfo& info = ir_.values[v];
    if (info.varying) return;
    changed_ = true;
    info.varying = true;
    if (info.group < 0) return;
    for (const Value member : ir_.groups[info.group]) ir_.values[member].varying = true;
  }
  void make_divergent(int region) {
    if (ir_.regions[region].divergent) return;
    changed_ = true;
    ir_.regions[region].divergent = true;
  }

  void walk(const List& list, int region) {
    for (const Node& node : list) visit(node, region);
  }

  void visit(const Node& node, int region) {
    switch (node.kind) {
      case Node::Kind::Op:
        return visit_op(node.op, region);
      case Node::Kind::If:
        if (varies(node.condition)) {
          make_divergent(node.region);
          make_divergent(node.other_region);
        }
        walk(node.body, node.region);
        return walk(node.other, node.other_region);
      case Node::Kind::Loop:
        if (varies(node.condition)) make_divergent(node.region);
        walk(node.header, node.region);
        walk(node.body, node.body_region);
        return walk(node.other, node.region);
      case Node::Kind::Switch:
        for (const CaseLabel& label : node.labels) {
          if (varies(label.condition)) make_divergent(node.region);
        }
        for (const List& list : node.cases) walk(list, node.region);
        return;
      case Node::Kind::Call:
        return walk(node.body, node.region);
      case Node::Kind::Exit:
      case Node::Kind::Skip:  // some lanes jump, others do not
        if (crosses_divergence(ir_, region, node.region)) make_divergent(node.region);
        return;
      default:
        return;
    }
  }

  void visit_op(const Op& op, int region) {
    const Instr& i = op.instr;
    if (i.dst == kNone || i.op == Opcode::Vote) return;
    bool varying =
        i.op == Opcode::Atomic || i.op == Opcode::Shuffle || (i.op == Opcode::Load && may_be_local(i.a));
    for_each_operand(ir_, op, [&](Value v) { varying = varying || varies(v); });
    for_each_result(ir_, op, [&](Value v) {
      const bool parts = ir_.is_variable(v) && crosses_divergence(ir_, region, ir_.values[v].region);
      if (varying || parts) make_varying(v);
    });
  }

  // Local memory is each lane's own: one address, 32 values.
  bool may_be_local(Value base) const {
    const Origin& origin = ir_.values[base].origin;
    switch (origin.kind) {
      case Origin::Kind::Array:
        return ir_.arrays[origin.array].space == Origin::Kind::Local;
      case Origin::Kind::Global:
      case Origin::Kind::Shared:
        return false;
      case Origin::Kind::Local:
        return true;
      default:
        return ir_.locals_have_addresses;
    }
  }

  Ir& ir_;
  bool changed_ = false;
};

class Origins {
 public:
  explicit Origins(Ir& ir) : ir_(ir) {}

  void run() {
    do {
      changed_ = false;
      walk(ir_.body);
    } while (changed_);
  }

 private:
  void walk(const List& list) {
    for (const Node& node : list) {
      if (node.kind == Node::Kind::Op) visit(node.op);
      walk(node.header);
      walk(node.body);
      walk(node.other);
      for (const List& inner : node.cases) walk(inner);
    }
  }

  void visit(const Op& op) {
    const Instr& i = op.instr;
    if (i.dst == kNone || (i.op != Opcode::Convert && size_of(i.type) != 8)) return;
    Origin from;
    if (is_memory(i.op)) {
      from.kind = Origin::Kind::Any;  // a pointer kept in memory
    } else {
      for_each_operand(ir_, op, [&](Value v) {
        const Origin& origin = ir_.values[v].origin;
        // Of a sum one part is the pointer: the one that is known to be.
        const bool adds = i.op == Opcode::Add || i.op == Opcode::Sub;
        const bool is_known = from.kind != Origin::Kind::Nothing && from.kind != Origin::Kind::Any;
        if (adds && origin.kind == Origin::Kind::Any && is_known) return;
        from = adds && from.kind == Origin::Kind::Any && origin.kind != Origin::Kind::Nothing
                   ? origin
                   : join(from, origin);
      });
    }
    for_each_result(ir_, op, [&](Value v) {
      Origin& origin = ir_.values[v].origin;
      const Origin joined = join(origin, from);
      if (joined == origin) return;
      origin = joined;
      changed_ = true;
    });
  }

  Origin::Kind space(const Origin& origin) const {
    return origin.kind == Origin::Kind::Array ? ir_.arrays[origin.array].space : origin.kind;
  }
  Origin join(const Origin& x, const Origin& y) const {
    if (x.kind == Origin::Kind::Nothing) return y;
    if (y.kind == Origin::Kind::Nothing || x == y) return x;
    return {space(x) == space(y) ? space(x) : Origin::Kind::Any, -1};
  }

  Ir& ir_;
  bool changed_ = false;
};

}  // namespace

void decide_uniformity(Ir& ir) {
  Uniformity(ir).run();
}

void trace_origins(Ir& ir) {
  Origins(ir).run();
}

}  // namespace warplens::warp::lower
