// The lockstep machine against one thread at a time: values, and which lanes took part in every access.
#include "tests/sim/machine_reference.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "sim/count/totals.h"
#include "tests/sim/machine_random.h"

namespace warplens::sim {
namespace {

TEST(MachineReference, RandomProgramsComputeTheSameOneThreadAtATime) {
  const char* from = std::getenv("WARPLENS_SEED");
  const auto first = static_cast<std::uint32_t>(from != nullptr ? std::atoi(from) : 1);
  const memory::GpuModel& gpu = memory::default_gpu_model();
  int compared = 0, divergent = 0;
  for (std::uint32_t seed = first; seed < first + 400; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomKernel kernel(seed);
    const Program& program = kernel.program();
    Launch launch = kernel.launch();
    launch.grid = {std::min(launch.grid.x, 3u), std::min(launch.grid.y, 2u), 1};
    const std::uint64_t threads = launch.grid.count() * launch.block.count();
    launch.arguments["out"] = Buffer{threads};

    ReferenceGrid reference(program, launch);
    bool wrong = false;
    try {
      reference.run();
    } catch (const ReferenceError&) {
      wrong = true;
    }
    const GridValues values = run_grid(program, launch, gpu);
    ASSERT_EQ(values.error.has_value(), wrong) << (values.error ? values.error->message.english() : "");
    TotalsOptions options;
    options.brute_force = true;
    options.threads = 1;
    const Totals totals = grid_totals(program, launch, gpu, options);
    ASSERT_EQ(totals.error.has_value(), wrong);
    if (wrong) continue;

    ++compared;
    for (std::uint64_t i = 0; i < 4 * threads; ++i) {
      ASSERT_EQ(values.buffers[2][i], reference.load_byte(3 * kBufferSpacing + i))
          << "byte " << i << " of out";
    }
    bool partial = false;
    for (std::size_t s = 0; s < program.sites.size(); ++s) {
      ASSERT_EQ(totals.global_sites[s].active_lanes + totals.shared_sites[s].active_lanes,
                reference.lanes_per_site[s])
          << "site " << s;
      partial |= totals.global_sites[s].active_lanes % 32 != 0;
    }
    divergent += partial ? 1 : 0;
  }
  EXPECT_GT(compared, 300);
  EXPECT_GT(divergent, 100);
}

const ScalarType kIntegers[] = {ScalarType::I8,  ScalarType::U8,  ScalarType::I16, ScalarType::U16,
                                ScalarType::I32, ScalarType::U32, ScalarType::I64, ScalarType::U64};
const Opcode kBinary[] = {Opcode::Add, Opcode::Sub, Opcode::Mul, Opcode::Div, Opcode::Rem, Opcode::And,
                          Opcode::Or,  Opcode::Xor, Opcode::Shl, Opcode::Shr, Opcode::Min, Opcode::Max,
                          Opcode::Lt,  Opcode::Le,  Opcode::Gt,  Opcode::Ge,  Opcode::Eq,  Opcode::Ne};
const Opcode kUnary[] = {Opcode::Neg, Opcode::BitNot, Opcode::Not, Opcode::Abs};

// Values at the edges of every type, and 32 lanes of them.
const std::uint64_t kEdges[] = {0,
                                1,
                                2,
                                3,
                                5,
                                7,
                                8,
                                31,
                                32,
                                33,
                                63,
                                64,
                                65,
                                100,
                                127,
                                128,
                                255,
                                256,
                                32767,
                                32768,
                                65535,
                                65536,
                                0x7fffffffu,
                                0x80000000u,
                                0x80000001u,
                                0xffffffffu,
                                0x100000000u,
                                0x7fffffffffffffffu,
                                0x8000000000000000u,
                                0xfffffffffffffffeu,
                                0xffffffffffffffffu,
                                0x123456789abcdef0u};

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
      Launch launch;
      launch.block = {32, 1, 1};
      launch.arguments = {{"out", Buffer{32}}};
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
        Launch launch;
        launch.block = {32, 1, 1};
        launch.arguments = {{"out", Buffer{33}}};
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
