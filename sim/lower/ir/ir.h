// The intermediate form between syntax and program: typed instructions on values, in a tree of control
// constructs.
//
//   syntax tree --lowering--> Ir --optimise, origins, uniformity--> (decided Ir) --emit--> Program, a
//   register a value
//   --analyse--> Program, with what is known of it --share_registers--> Program
//
// Instructions are sim::Instr whose register fields hold Values; loads, stores and atomics keep their
// address as a base, index terms and an offset until `optimise` chooses one index register for each.
#pragma once

#include <cstdint>
#include <limits>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/base/budget.h"
#include "sim/program/operands.h"
#include "sim/program/program.h"
#include "sim/scalar/bits.h"

namespace warplens::sim::lower {

using Value = std::int32_t;  // index into Ir::values
inline constexpr Value kNone = kNoReg;

// What a pointer is known to point into. Array: one of Ir::arrays.
struct Origin {
  enum class Kind : std::uint8_t { Nothing, Array, Global, Constant, Shared, Local, Any };
  Kind kind = Kind::Nothing;
  int array = -1;
  friend bool operator==(const Origin&, const Origin&) = default;
};

struct PointedArray {
  std::string name;
  // Global, Shared, Local or Constant: that is not read through global memory, so not counted.
  Origin::Kind space = Origin::Kind::Global;
  int local = -1;         // Local: which of Program::local_arrays
  bool of_host = false;   // constexpr, for constant expressions alone
  bool is_table = false;  // Global: const, its values in the text
};

struct ValueInfo {
  enum class Kind : std::uint8_t {
    Constant,       // `bits`
    Input,          // a register that is filled before the kernel starts
    DynamicShared,  // address of the dynamic shared memory: known once all static arrays are
    Temp,           // written once, read only where that is certain to have happened
    Variable,       // written by Mov, any number of times
  };
  Kind kind = Kind::Temp;
  ScalarType type = ScalarType::I32;
  std::uint64_t bits = 0;  // Constant: as it lies in the register
  Reg input = kNoReg;      // Input
  int region = 0;          // Variable: where it was declared
  int group = -1;          // Ir::groups: values that need consecutive registers
  bool varying = false;    // decided by decide_uniformity
  Origin origin{};         // of constants and inputs given, of others decided by trace_origins
};

// An index that is added to an address: sign- or zero-extended to 64 bits, times `scale` bytes.
struct Term {
  Value index = kNone;
  ScalarType type = ScalarType::I32;  // I32, U32, I64 or U64
  std::int64_t scale = 1;
  bool bounded = false;  // a subscript of an array of known extent: neighbours may be combined in 32 bits
};

// A load, store or atomic in the text. Its instruction's a is the base and its offset the constant part.
struct Access {
  cuda::SourceRange range;
  std::string text;
  const void* source = nullptr;  // the expression in the syntax tree: the same one makes the same site
  memory::Op op = memory::Op::Load;
  int bytes = 4;
  ScalarType element = ScalarType::F32;
  std::vector<Term> terms;
  AccessForm form = AccessForm::Plain;
  bool past_l1 = false;  // AsyncCopy
  Value source_bytes =
      kNone;  // AsyncCopy: U32, how many bytes are read; kNone: all. Until decide_copy_sizes()
  memory::CopySize copy_size = memory::CopySize::Whole;
  bool is_volatile = false;     // a load or an atomic: keeps its result, read or not
  int fences = 0;               // that stand before it in PTX
  Places leads_to = kAnyPlace;  // what its pointer was made from: by trace_origins()
  bool folds = false;           // a table's element that is known when compiling: use_known_indices()
  bool joinable = false;        // by the assembler, with its neighbours: find_joinable_accesses()
};

struct Op {
  Instr instr;
  cuda::SourceRange range;
  int access = -1;  // index into Ir::accesses
};

struct Node;
using List = std::list<Node>;  // nodes are moved between lists without being copied

struct Node {
  enum class Kind : std::uint8_t {
    Op,
    If,      // condition; body (region), other (other_region)
    Loop,    // region; header computes condition (kNone: endless); body in body_region; other: the increment
    Call,    // region; body: what is left from its middle: an inlined function, a switch, a loop's turn
    Exit,    // leaves Loop or Call `region`
    Return,  // ends the lanes
    Begin,   // `symbol` becomes visible
    Finish,  // `symbol` ceases to be
  };
  Kind kind = Kind::Op;
  Op op;
  cuda::SourceRange range;
  Value condition = kNone;
  int region = -1, body_region = -1, other_region = -1;
  bool test_first = true;  // Loop: for and while; false: do
  List header, body, other;
  int symbol = -1;
};

// A stretch of code that lanes enter together. `divergent`: some may be elsewhere while others are inside.
struct Region {
  int parent = -1;
  bool divergent = false;
};

struct DebugSymbol {
  Variable variable;
  Value value = kNone;
};

struct Ir {
  std::vector<ValueInfo> values;
  std::vector<std::vector<Value>> groups;
  std::vector<Access> accesses;
  const char* module = nullptr;           // where the text of PTX begins, in which Access::source leads
  std::vector<Region> regions{Region{}};  // 0: the kernel
  std::vector<PointedArray> arrays;
  std::vector<DebugSymbol> symbols;
  List body;
  bool drops_loads = false;            // whose results nothing needs, as ptxas does
  std::vector<Value> needed;           // by what is not simulated, as the time that nanosleep takes
  bool locals_have_addresses = false;  // a pointer of unknown origin may point to local memory

  std::map<std::tuple<ScalarType, std::uint64_t, Origin::Kind, int>, Value> constants;
  std::map<Reg, Value> inputs;
  Value constant(ScalarType type, std::uint64_t bits, Origin origin = {});
  Value input(Reg reg, ScalarType type);
  Value add_value(ValueInfo info);
  Value temp(ScalarType type) { return add_value({.kind = ValueInfo::Kind::Temp, .type = type}); }
  Value variable(ScalarType type, int region) {
    return add_value({.kind = ValueInfo::Kind::Variable, .type = type, .region = region});
  }
  // Values of one kind and type that lie in consecutive registers.
  std::vector<Value> group(ValueInfo::Kind kind, ScalarType type, int count, int region);
  int add_region(int parent);
  Origin add_array(PointedArray array);  // which is what points to it
  Origin::Kind space_of(const Origin& origin) const {
    return origin.kind == Origin::Kind::Array ? arrays[origin.array].space : origin.kind;
  }
  Origin::Kind space_of(Value v) const { return space_of(values[v].origin); }

  bool is_constant(Value v) const { return v >= 0 && values[v].kind == ValueInfo::Kind::Constant; }
  bool is_variable(Value v) const { return v >= 0 && values[v].kind == ValueInfo::Kind::Variable; }
};

// Whether some region left on the way from `from` up to the innermost one that also holds `to` is divergent.
bool crosses_divergence(const Ir& ir, int from, int to);

bool is_pure(const Ir& ir, const Instr& instr);  // may be computed early, twice or never
// Values an instruction reads, an access's index terms included.
template <class F>
void for_each_operand(const Ir& ir, const Op& op, F f);
// Values it writes: dst, or all components of a load.
template <class F>
void for_each_result(const Ir& ir, const Op& op, F f);
// Values that a node reads itself, not what lies within it.
template <class F>
void for_each_read(const Ir& ir, const Node& node, F f);

// Passes, in order. -----------------------------------------------------------------------------------------

// With n instructions in loops at most d deep each costs O(n * d * log n), and throws Stopped.

void decide_copy_sizes(Ir& ir, Budget& budget);  // Access::copy_size; before values are shared
// Shares and hoists pure instructions, chooses index registers, drops dead ones.
void optimise(Ir& ir, Budget& budget);
// What is known when compiling, where loops of known length are unrolled: of values and regions that are not,
// ValueInfo::varying and Region::divergent, until decide_uniformity() makes them something else.
void decide_what_is_known(Ir& ir, Budget& budget);
// By that, and behind trace_origins(): Program::in_local_memory, Access::folds.
void use_known_indices(Ir& ir, Program& program, Budget& budget);
// Of a compiler's PTX, behind trace_origins(): Access::joinable.
void find_joinable_accesses(Ir& ir, Budget& budget);
void join_accesses(Ir& ir, Budget& budget);      // those that it finds, as ptxas does
void decide_uniformity(Ir& ir, Budget& budget);  // ValueInfo::varying, Region::divergent
// ValueInfo::origin, and Access::leads_to: an access is meant for that memory alone: one that ends up
// elsewhere is out of range, however far it went, as on a GPU, where no buffer begins at the end of another.
void trace_origins(Ir& ir, const Program& program, Budget& budget);

// Fills in code, constants, sites, variables, places and the numbers of registers and frames. Every value has
// a register of its own: see registers.h.
void emit(const Ir& ir, std::int64_t dynamic_shared_offset, Program& program, Budget& budget);

// ---- templates --------------------------------------------------------------------------------------------

template <class F>
void for_each_operand(const Ir& ir, const Op& op, F f) {
  const Instr& i = op.instr;
  const bool stores_group = i.op == Opcode::Store && i.components > 1;
  for (const Value v : {i.a, i.b, i.c, i.d}) {
    if (v != kNone && !(stores_group && v == i.c)) f(v);
  }
  if (stores_group) {
    for (const Value v : ir.groups[ir.values[i.c].group]) f(v);
  }
  if (op.access >= 0) {
    for (const Term& term : ir.accesses[op.access].terms) f(term.index);
  }
}

template <class F>
void for_each_result(const Ir& ir, const Op& op, F f) {
  const Instr& i = op.instr;
  if (i.dst == kNone) return;
  if (i.op == Opcode::Load && i.components > 1) {
    for (const Value v : ir.groups[ir.values[i.dst].group]) f(v);
  } else {
    f(i.dst);
  }
}

template <class F>
void for_each_read(const Ir& ir, const Node& node, F f) {
  if (node.condition != kNone) f(node.condition);
  if (node.kind == Node::Kind::Op) for_each_operand(ir, node.op, f);
}

// Each node of the list and of those within, in the order of the text.
template <class F>
void each_node(const List& list, Pace& pace, F f) {
  for (const Node& node : list) {
    pace.step();
    f(node);
    for (const List* inner : {&node.header, &node.body, &node.other}) each_node(*inner, pace, f);
  }
}

// Constant folding, with the very operations that the machine runs. Bits are as they lie in a register.
// Empty: not folded (division by zero, a function of the machine's own).
std::optional<std::uint64_t> fold(const Instr& instr, std::uint64_t a, std::uint64_t b, std::uint64_t c);

// Runs a list that needs nothing but constants, as a constexpr function with a loop does; `known` is what its
// values are at its end. False: it needs more, or does something.
using Constants = std::map<Value, std::uint64_t>;
bool run_constants(const Ir& ir, const List& list, Pace& pace, Constants& known);

// Symbols of an Ir by number, each with the instructions in which it can be seen: [first, end).
using VisibleSymbols = std::map<int, std::pair<int, int>>;

// Gives each value of `ir` that the program's instructions use a register of its own, and gives the program
// its constants and the variables that a debugger shows.
void give_registers(const Ir& ir, std::int64_t dynamic_shared_offset, const VisibleSymbols& visible,
                    Program& program);

// Register allocation by linear scan: values of one width that are not live at the same time come to share a
// register. Before, every value has a register of its own. What analyse() has noted of registers stays true.
// With n instructions in loops at most d deep O(n * (d + log n)). Throws Stopped.
void share_registers(Program& program, Budget& budget);

}  // namespace warplens::sim::lower
