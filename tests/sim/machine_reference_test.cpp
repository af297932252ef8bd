// What the machine computes, against the plainest reading of program.h: one register a number, arithmetic in
// 128-bit integers. Nothing is shared with the machine but the Program.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <vector>

#include "sim/count/totals.h"
#include "tests/sim/machine_builder.h"

namespace warplens::sim {
namespace {

__extension__ using Wide = __int128;
__extension__ using Unsigned = unsigned __int128;

// What a register's bits say, and the other way round: wrapped to the type's width, extended to the
// register's.
int width_of(ScalarType type) {
  return size_of(type) == 8 ? 64 : 32;
}  // of the register
Wide reference_integer(ScalarType type, std::uint64_t bits) {
  const int width = width_of(type);
  const Wide low = bits & ~std::uint64_t{0} >> (64 - width);
  if (type == ScalarType::Bool) return low != 0;
  return is_signed(type) && low >> (width - 1) != 0 ? low - (Wide{1} << width) : low;
}
std::uint64_t wrapped(ScalarType type, Wide value) {
  if (type == ScalarType::Bool) return value != 0;
  const int bits = 8 * size_of(type);
  const std::uint64_t low = static_cast<std::uint64_t>(value) & ~std::uint64_t{0} >> (64 - bits);
  const bool extends = is_signed(type) && bits < 32 && low >> (bits - 1) != 0;
  return extends ? low | (0xffffffffu << bits & 0xffffffffu) : low;
}

double reference_number(ScalarType type, std::uint64_t bits) {
  return type == ScalarType::F64 ? std::bit_cast<double>(bits)
                                 : std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}
std::uint64_t rounded(ScalarType type, double value) {
  return type == ScalarType::F64 ? std::bit_cast<std::uint64_t>(value)
                                 : std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

std::uint64_t reference_integer(Opcode op, ScalarType type, std::uint64_t a_bits, std::uint64_t b_bits,
                                std::uint64_t c_bits = 0) {
  const Wide a = reference_integer(type, a_bits), b = reference_integer(type, b_bits),
             c = reference_integer(type, c_bits);
  const Wide modulus = Wide{1} << width_of(type);
  const Wide unsigned_b = b < 0 ? b + modulus : b;
  switch (op) {
    case Opcode::Add:
      return wrapped(type, a + b);
    case Opcode::Sub:
      return wrapped(type, a - b);
    // The low half of a product of two 64-bit numbers is that of their unsigned product.
    case Opcode::Mul:
      return wrapped(type, static_cast<Wide>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b)));
    case Opcode::Fma:
      return wrapped(type,
                     static_cast<Wide>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b)) + c);
    case Opcode::Div:
      return wrapped(type, a / b);
    case Opcode::Rem:
      return wrapped(type, a % b);
    case Opcode::And:
      return wrapped(type, a & b);
    case Opcode::Or:
      return wrapped(type, a | b);
    case Opcode::Xor:
      return wrapped(type, a ^ b);
    case Opcode::Shl:
      return unsigned_b >= width_of(type) ? 0 : wrapped(type, a * (Wide{1} << static_cast<int>(b)));
    case Opcode::Shr:
      if (unsigned_b >= width_of(type)) return wrapped(type, a < 0 ? -1 : 0);
      return wrapped(type, a >> static_cast<int>(b));
    case Opcode::Min:
      return wrapped(type, a < b ? a : b);
    case Opcode::Max:
      return wrapped(type, a < b ? b : a);
    case Opcode::Neg:
      return wrapped(type, -a);
    case Opcode::BitNot:
      return wrapped(type, ~a);
    case Opcode::Abs:
      return wrapped(type, a < 0 ? -a : a);
    case Opcode::Not:
      return a == 0;
    case Opcode::Lt:
      return a < b;
    case Opcode::Le:
      return a <= b;
    case Opcode::Gt:
      return a > b;
    case Opcode::Ge:
      return a >= b;
    case Opcode::Eq:
      return a == b;
    case Opcode::Ne:
      return a != b;
    case Opcode::MulHigh:  // the upper half modulo 2^128 is that of the signed product too
      if (width_of(type) == 32) return wrapped(type, (a * b) >> 32);
      return static_cast<std::uint64_t>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b) >> 64);
    default:
      throw std::logic_error("the reference lacks an integer operation");
  }
}

std::uint64_t reference_convert(ScalarType from, ScalarType to, std::uint64_t bits) {
  if (is_floating(from) && is_floating(to)) return rounded(to, reference_number(from, bits));
  if (is_floating(to)) {
    const Wide value = reference_integer(from, bits);
    // long double holds every 64-bit integer: one rounding.
    if (to == ScalarType::F32)
      return std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<long double>(value)));
    return std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<long double>(value)));
  }
  if (!is_floating(from)) return wrapped(to, reference_integer(from, bits));
  const double value = reference_number(from, bits);
  if (to == ScalarType::Bool) return value != 0;
  const int width = width_of(to);
  const Wide least = is_signed(to) ? -(Wide{1} << (width - 1)) : 0;
  const Wide most = is_signed(to) ? (Wide{1} << (width - 1)) - 1 : (Wide{1} << width) - 1;
  if (std::isnan(value))
    return from == ScalarType::F64 || width == 64 ? wrapped(to, Wide{1} << (width - 1)) : 0;
  if (std::fabs(value) > 1e30) return wrapped(to, value < 0 ? least : most);
  const Wide whole = static_cast<Wide>(std::trunc(value));
  return wrapped(to, whole < least ? least : whole > most ? most : whole);
}

const ScalarType kIntegers[] = {ScalarType::I8,  ScalarType::U8,  ScalarType::I16, ScalarType::U16,
                                ScalarType::I32, ScalarType::U32, ScalarType::I64, ScalarType::U64};
const Opcode kBinary[] = {Opcode::Add, Opcode::Sub, Opcode::Mul, Opcode::Div, Opcode::Rem, Opcode::And,
                          Opcode::Or,  Opcode::Xor, Opcode::Shl, Opcode::Shr, Opcode::Min, Opcode::Max,
                          Opcode::Lt,  Opcode::Le,  Opcode::Gt,  Opcode::Ge,  Opcode::Eq,  Opcode::Ne};
const Opcode kUnary[] = {Opcode::Neg, Opcode::BitNot, Opcode::Not, Opcode::Abs};

// Values at the edges of every type, and 32 lanes of them.
const auto kEdges = [] {
  std::vector<std::uint64_t> edges{0, 2, 3, 5, 100, 0x123456789abcdef0u, ~std::uint64_t{1}};
  for (const int bits : {3, 5, 6, 7, 8, 15, 16, 31, 32, 63})
    for (const std::uint64_t beside : {-1, 0}) edges.push_back((std::uint64_t{1} << bits) + beside);
  for (const std::uint64_t one : {33u, 65u, 0x80000001u}) edges.push_back(one);
  edges.push_back(1), edges.push_back(~std::uint64_t{0});
  return edges;
}();

// dst = op(...) in all shapes of uniform and varying operands, stored and compared lane by lane.
struct Operation {
  Opcode op;
  ScalarType type, to;
  int operands;
  bool divides = false;
};

// Operand j of lane i comes from the table, turned by j and a shift, so that lanes meet different partners.
std::uint64_t operand(ScalarType type, int lane, int j, int shift) {
  const std::size_t at = static_cast<std::size_t>(lane * (j == 1 ? 5 : 1) + j * 11 + shift) % 32;
  return wrapped(type, static_cast<Wide>(kEdges[at]));
}

void check_operation(const Operation& o, const std::function<std::uint64_t(const std::uint64_t*)>& expected) {
  const bool compares = o.op >= Opcode::Lt && o.op <= Opcode::Ne;
  const ScalarType result = compares || o.op == Opcode::Not ? ScalarType::U32
                            : o.op == Opcode::Convert       ? o.to
                                                            : o.type;
  for (int shape = 0; shape < (1 << o.operands); ++shape) {
    for (const int shift : {0, 9, 22}) {
      Builder b;
      const Reg out = b.pointer("out", result);
      std::vector<Reg> regs;
      const ScalarType wide = size_of(o.type) == 8 ? ScalarType::U64 : ScalarType::U32;
      for (int j = 0; j < o.operands; ++j) {
        const bool one = (shape >> j & 1) != 0;
        const Reg r = one ? b.uniform() : b.varying();
        // A uniform operand takes what lane 3 would have; varying ones come lane by lane.
        for (int lane = 0; lane < (one ? 1 : 32); ++lane) {
          std::uint64_t bits = operand(o.type, one ? 3 : lane, j, shift);
          if (o.divides && j == 1 && bits == 0) bits = 1;
          const Reg value = b.constant(bits);
          if (one)
            b.mov(r, value, wide);
          else
            b.if_then(b.op(Opcode::Eq, ScalarType::U32, kLaneIndex, b.integer(lane)),
                      [&] { b.mov(r, value, wide); });
        }
        regs.push_back(r);
      }
      regs.resize(3, kNoReg);
      const bool uniform_result = shape == (1 << o.operands) - 1;
      const Reg dst =
          uniform_result && shift != 9 ? b.uniform() : b.varying();  // also varying of uniform operands
      b.emit(o.op, o.type, dst, regs[0], regs[1], regs[2]).to = o.to;
      b.store(out, kLaneIndex, dst, result);
      const Program program = b.finish();
      Launch launch{.grid = {}, .block = {32}, .arguments = {{"out", Buffer{32}}}};
      const GridValues values = run_grid(program, launch, memory::default_gpu_model());
      ASSERT_FALSE(values.error) << values.error->message;
      for (int lane = 0; lane < 32; ++lane) {
        std::uint64_t operands[3] = {};
        for (int j = 0; j < o.operands; ++j) {
          operands[j] = operand(o.type, (shape >> j & 1) != 0 ? 3 : lane, j, shift);
          if (o.divides && j == 1 && operands[j] == 0) operands[j] = 1;
        }
        std::uint64_t got = 0, want = expected(operands);
        const auto size = static_cast<std::size_t>(size_of(result));
        std::memcpy(&got, values.buffers[0].data() + static_cast<std::size_t>(lane) * size, size);
        if (size < 8) want &= (std::uint64_t{1} << (8 * size)) - 1;
        ASSERT_EQ(got, want) << "opcode " << static_cast<int>(o.op) << " of " << name_of(o.type) << " shape "
                             << shape << ": " << operands[0] << ", " << operands[1] << ", " << operands[2];
      }
    }
  }
}

TEST(MachineReference, IntegerArithmeticAtTheEdges) {
  for (const ScalarType type : kIntegers) {
    for (const Opcode op : kBinary) {
      const bool divides = op == Opcode::Div || op == Opcode::Rem;
      check_operation({op, type, type, 2, divides},
                      [&](const std::uint64_t* v) { return reference_integer(op, type, v[0], v[1]); });
    }
    for (const Opcode op : kUnary) {
      check_operation({op, type, type, 1},
                      [&](const std::uint64_t* v) { return reference_integer(op, type, v[0], 0); });
    }
    check_operation({Opcode::Fma, type, type, 3}, [&](const std::uint64_t* v) {
      return reference_integer(Opcode::Fma, type, v[0], v[1], v[2]);
    });
    check_operation({Opcode::Select, ScalarType::U32, ScalarType::U32, 3},
                    [&](const std::uint64_t* v) { return v[0] != 0 ? v[1] : v[2]; });
    if (size_of(type) < 4) continue;
    check_operation({Opcode::MulHigh, type, type, 2}, [&](const std::uint64_t* v) {
      return reference_integer(Opcode::MulHigh, type, v[0], v[1]);
    });
  }
}

TEST(MachineReference, ConversionsAtTheEdges) {
  const ScalarType all[] = {ScalarType::Bool, ScalarType::I8,  ScalarType::U8,
                            ScalarType::I16,  ScalarType::U16, ScalarType::I32,
                            ScalarType::U32,  ScalarType::I64, ScalarType::U64};
  for (const ScalarType from : all) {
    for (const ScalarType to : all) {
      check_operation({Opcode::Convert, from, to, 1},
                      [&](const std::uint64_t* v) { return reference_convert(from, to, v[0]); });
    }
    for (const ScalarType to : {ScalarType::F32, ScalarType::F64}) {
      check_operation({Opcode::Convert, from, to, 1},
                      [&](const std::uint64_t* v) { return reference_convert(from, to, v[0]); });
    }
  }
}

// Float to integer truncates and saturates; NaN as PTX's cvt has it.
TEST(MachineReference, FloatsConvertToIntegersAsOnTheGpu) {
  const double numbers[] = {0.0,          -0.0,         0.9,          -0.9,          1.5,
                            -1.5,         2147483647.0, 2147483648.0, -2147483648.0, -2147483904.0,
                            4294967295.0, 4294967296.0, 9.3e18,       1.9e19,        -1e30,
                            1e30,         300.7,        -300.7,       65535.5,       HUGE_VAL,
                            -HUGE_VAL,    std::nan("")};
  for (const ScalarType from : {ScalarType::F32, ScalarType::F64}) {
    for (const ScalarType to : kIntegers) {
      for (const double number : numbers) {
        const std::uint64_t bits = rounded(from, number);
        Builder b;
        const Reg out = b.pointer("out", to);
        const Reg value = b.varying();
        b.mov(value, b.constant(bits), from);
        b.store(out, kLaneIndex, b.convert(value, from, to), to);
        b.store(out, b.integer(32), b.convert(b.constant(bits), from, to), to);
        Launch launch{.grid = {}, .block = {32}, .arguments = {{"out", Buffer{33}}}};
        const Program program = b.finish();
        const GridValues values = run_grid(program, launch, memory::default_gpu_model());
        ASSERT_FALSE(values.error) << values.error->message;
        const auto size = static_cast<std::size_t>(size_of(to));
        const std::uint64_t want = reference_convert(from, to, bits);
        for (const std::size_t i : {0u, 31u, 32u}) {
          std::uint64_t got = 0;
          std::memcpy(&got, values.buffers[0].data() + i * size, size);
          ASSERT_EQ(got, size < 8 ? want & ((std::uint64_t{1} << (8 * size)) - 1) : want)
              << number << " as " << name_of(from) << " to " << name_of(to);
        }
      }
    }
  }
}

}  // namespace
}  // namespace warplens::sim
