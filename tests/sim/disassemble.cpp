#include "tests/sim/disassemble.h"

#include <bit>
#include <iterator>
#include <map>

#include "sim/base/numbers.h"
#include "sim/program/operands.h"

namespace warplens::sim {
namespace {

const char* mnemonic(Opcode op) {
  static constexpr const char* kNames[] = {
      "mov",       "convert", "add",       "sub",      "mul",   "div",        "rem",     "and",
      "or",        "xor",     "shl",       "shr",      "min",   "max",        "mulhigh", "neg",
      "bitnot",    "not",     "abs",       "lt",       "le",    "gt",         "ge",      "eq",
      "ne",        "select",  "fma",       "math",     "load",  "store",      "atomic",  "shuffle",
      "matrixdot", "vote",    "barrier",   "syncwarp", "pause", "passed",     "assert",  "if",
      "else",      "endif",   "enter",     "test",     "exit",  "skip",       "next",    "leave",
      "switch",    "case",    "endswitch", "branch",   "jump",  "jumpifnone", "return",  "end"};
  return kNames[static_cast<int>(op)];
}

const char* suffix(ScalarType type) {
  static constexpr const char* kNames[] = {"bool", "i8",  "u8",  "i16",  "u16", "i32", "u32",
                                           "i64",  "u64", "f16", "bf16", "f32", "f64"};
  static_assert(std::size(kNames) == std::size(kScalarTraits));
  return kNames[static_cast<int>(type)];
}

const char* function_name(const Instr& i) {
  static constexpr const char* kMath[] = {"sqrt",  "rsqrt", "exp",  "exp2", "exp10", "log",   "log2", "log10",
                                          "sin",   "cos",   "tan",  "tanh", "pow",   "floor", "ceil", "round",
                                          "trunc", "fmod",  "rint", "erf",  "popc",  "clz",   "ffs",  "brev"};
  static constexpr const char* kAtomic[] = {"add", "min", "max", "exch", "cas",       "and",      "or",
                                            "xor", "sub", "inc", "dec",  "addhalves", "addbrains"};
  static constexpr const char* kShuffle[] = {"index", "up", "down", "xor"};
  static constexpr const char* kVote[] = {"any", "all", "ballot", "activemask"};
  static constexpr const char* kBlockVote[] = {nullptr, "count", "all", "any", "cluster"};
  switch (i.op) {
    case Opcode::Math:
      return i.function < std::size(kMath) ? kMath[i.function] : "?";
    case Opcode::Atomic:
      return i.function < std::size(kAtomic) ? kAtomic[i.function] : "?";
    case Opcode::Shuffle:
      return i.function < std::size(kShuffle) ? kShuffle[i.function] : "?";
    case Opcode::Vote:
      return i.function < std::size(kVote) ? kVote[i.function] : "?";
    case Opcode::Barrier:
      return i.function < std::size(kBlockVote) ? kBlockVote[i.function] : "?";
    default:
      return nullptr;
  }
}

std::string constant_text(ScalarType type, std::uint64_t bits) {
  switch (type) {
    case ScalarType::F16:
    case ScalarType::BF16:
    case ScalarType::F32:
      return formatted("%.9gf", std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case ScalarType::F64:
      return formatted("%.17gd", std::bit_cast<double>(bits));
    case ScalarType::I64:
      return std::to_string(static_cast<std::int64_t>(bits));
    case ScalarType::U64:
      return bits >= kBufferSpacing ? "0x" + hexadecimal(bits) : std::to_string(bits);
    case ScalarType::U32:
      return std::to_string(static_cast<std::uint32_t>(bits));
    default:
      return std::to_string(static_cast<std::int32_t>(bits));
  }
}

class Disassembler {
 public:
  explicit Disassembler(const Program& program) : program_(program) {
    for (const UniformConstant& c : program.constants) constants_[c.reg] = c.bits;
    for (const KernelParameter& p : program.parameters) names_[p.reg] = p.name;
    static constexpr const char* kNames[] = {"gridDim.x",  "gridDim.y",  "gridDim.z",  "blockDim.x",
                                             "blockDim.y", "blockDim.z", "blockIdx.x", "blockIdx.y",
                                             "blockIdx.z", "warp"};
    for (int i = 0; i < kFirstFreeUniform; ++i) names_[uniform_reg(i)] = kNames[i];
    static constexpr const char* kLanes[] = {"threadIdx.x", "threadIdx.y", "threadIdx.z", "lane"};
    for (int i = 0; i < kFirstFreeVarying; ++i) names_[i] = kLanes[i];
  }

  std::string line(std::size_t index) const {
    const Instr& i = program_.code[index];
    std::string text = std::to_string(index);
    text.insert(0, text.size() < 4 ? 4 - text.size() : 0, ' ');
    text += "  " + column(opcode(i), 14) + operands(i);
    if (i.target >= 0) text += " -> " + std::to_string(i.target);
    const std::string note = remark(i);
    if (!note.empty()) text = column(text, 62) + "; " + note;
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return text + "\n";
  }

 private:
  static std::string column(std::string text, std::size_t width) {
    text.resize(std::max(text.size() + 1, width), ' ');
    return text;
  }

  static std::string opcode(const Instr& i) {
    std::string text = mnemonic(i.op);
    if (i.op >= Opcode::If && i.op <= Opcode::End) return text;
    if (is_meeting(i.op) && i.op != Opcode::Barrier) return text;
    if (i.op == Opcode::Assert) return text;
    if (const char* name = function_name(i)) text = i.op == Opcode::Math ? name : text + "." + name;
    if (i.op == Opcode::Vote || i.op == Opcode::Barrier) return text;
    text += std::string(".") + suffix(i.type);
    if (i.op == Opcode::Convert) text += std::string(".") + suffix(i.to);
    if (i.components > 1) text += "x" + std::to_string(i.components);
    return text;
  }

  std::string name(Reg reg, ScalarType type) const {
    if (reg == kNoReg) return "_";
    if (const auto c = constants_.find(reg); c != constants_.end()) return constant_text(type, c->second);
    if (const auto n = names_.find(reg); n != names_.end()) return n->second;
    return (is_uniform(reg) ? "u" : "v") + std::to_string(reg_index(reg));
  }

  std::string address(const Instr& i) const {
    std::string text = "[" + name(i.a, ScalarType::U64);
    if (i.b != kNoReg) {
      text += " + " + name(i.b, i.index_type) + ":" + suffix(i.index_type) + " * " + std::to_string(i.scale);
    }
    if (i.offset != 0)
      text += (i.offset < 0 ? " - " : " + ") + std::to_string(i.offset < 0 ? -i.offset : i.offset);
    return text + "]";
  }

  std::string operands(const Instr& i) const {
    const ScalarType flag = ScalarType::Bool;
    switch (i.op) {
      case Opcode::Load:
        return name(i.dst, i.type) + " = " + address(i);
      case Opcode::Store:
        return address(i) + " = " + name(i.c, i.type);
      case Opcode::Atomic:
        return (i.dst == kNoReg ? "" : name(i.dst, i.type) + " = ") + address(i) + ", " + name(i.c, i.type) +
               (i.d == kNoReg ? "" : ", " + name(i.d, i.type));
      case Opcode::Select:
        return name(i.dst, i.type) + " = " + name(i.a, flag) + ", " + name(i.b, i.type) + ", " +
               name(i.c, i.type);
      case Opcode::Shuffle:
        return name(i.dst, i.type) + " = " + name(i.a, i.type) + ", " + name(i.b, ScalarType::I32) +
               (i.c == kNoReg ? "" : ", " + name(i.c, ScalarType::I32)) +
               (i.d == kNoReg ? "" : ", mask " + name(i.d, ScalarType::U32));
      case Opcode::MatrixDot:
        return name(i.dst, i.type) + " = " + name(i.a, ScalarType::U32) + " (" + suffix(i.to) + "), " +
               name(i.b, ScalarType::U32) + " (" + suffix(i.index_type) + "), " + name(i.c, i.type) +
               ", column " + std::to_string(i.function);
      default:
        break;
    }
    const ScalarType type = i.op >= Opcode::If ? flag : i.type;
    std::string text = i.dst == kNoReg ? "" : name(i.dst, type) + " = ";
    const char* comma = "";
    for (const Reg reg : {i.a, i.b, i.c}) {
      if (reg == kNoReg) continue;
      text += comma + name(reg, type);
      comma = ", ";
    }
    return text;
  }

  std::string remark(const Instr& i) const {
    if (i.site >= 0 && i.site < static_cast<int>(program_.sites.size())) return program_.sites[i.site].text;
    return i.frame >= 0 ? "frame " + std::to_string(i.frame) : "";
  }

  const Program& program_;
  std::map<Reg, std::uint64_t> constants_;
  std::map<Reg, std::string> names_;
};

}  // namespace

std::string disassemble(const Program& program) {
  const Disassembler disassembler(program);
  std::string text;
  for (std::size_t i = 0; i < program.code.size(); ++i) text += disassembler.line(i);
  return text;
}

}  // namespace warplens::sim
