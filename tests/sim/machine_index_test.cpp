// One index expression after another: as an address and as a decision, the classes' totals equal brute force.
#include <gtest/gtest.h>

#include <sstream>

#include "sim/count/totals.h"
#include "tests/sim/machine_builder.h"
#include "tests/sim/program_of.h"

namespace warplens::sim {

void PrintTo(const SiteTotals& t, std::ostream* out) {
  *out << "requests " << t.requests << " lanes " << t.active_lanes << " bytes " << t.bytes << " sectors "
       << t.sectors << " ideal " << t.ideal_sectors << " lines " << t.lines << " wavefronts " << t.wavefronts
       << " ideal " << t.ideal_wavefronts << " conflicts " << t.bank_conflicts << " tags " << t.tag_wavefronts
       << " data " << t.data_wavefronts;
}

namespace machine_index_test {

// Of a block's index and a thread's.
std::vector<std::string> expressions() {
  std::istringstream all(
      "bx * 32 + tx; bx * tx; bx * tx * 32; bx * by; bx * by * 32 + tx; (bx + by) * bz; bx * bx; "
      "(bx - 20) / 4; (bx * 32 + tx) / 4; (bx * 32 + tx - 100) / 32; (bx - 20) % 6; "
      "(bx - 20) % -6; (bx - 20) / -6; bx / 7 * 7; bx % 7 * 32 + bx / 7; bx / 1000; bx % 1000; "
      "(unsigned)(bx - 20) / 3; (unsigned)(bx - 20) >> 3; (bx - 20) >> 3; "
      "((bx - 20) * 32 + tx - 16) / 32; ((bx - 20) * 32 + tx - 16) % 32; "
      "(bx & 5) == 4 ? by * 8 : tx; bx << 5; bx << (tx & 7); bx >> (tx & 3); bx << 40; bx & 3; "
      "3 & bx; bx & ~3; bx & 5; bx & 0; bx & -1; bx & tx; (bx * 32 + tx) ^ ty; bx ^ 1; bx | 6; "
      "(bx - 20) | 6; bx ^ by; bx ^ -1; ~bx; -bx; !(bx - 20); __any_sync(~0u, bx + (tx & 0) - 20); "
      "abs(bx - 30); abs(bx - 20); min(bx, 20); max(bx * 4, tx); min(bx, by); "
      "tx < bx ? bx * 8 : by; bx * (1 << 28); bx * (1 << 28) + tx; (bx * (1 << 28)) >> 20; "
      "(unsigned)(bx * (1 << 28)) / 5; (int)((long long)(bx * (1 << 28)) >> 24); "
      "(int)((unsigned long long)bx * (1ull << 40) >> 40); (signed char)(bx * 5); "
      "(unsigned char)(bx * 8 - 100); (int)(float)bx; by * gridDim.x + bx; "
      "(by * gridDim.x + bx) % 8; (by * gridDim.x + bx) / 8; bx / 4 * 4 + by % 4; "
      "(bx + by) % gridDim.x; 100 / (bx + 1); __popc(bx); __umulhi(bx * (1 << 27), 64); "
      "bx * 8 + by; bx * by + bz");
  std::vector<std::string> each;
  for (std::string one; std::getline(all, one, ';');) each.push_back(one);
  return each;
}

// What the kernel does with int `x`, an expression of the above.
Program compiled(const std::string& expression, const std::string& statement) {
  const std::string text =
      "__global__ void k(float* out, const float* a) {\n"
      "  const int bx = blockIdx.x, by = blockIdx.y, bz = blockIdx.z, tx = threadIdx.x, ty = threadIdx.y;\n"
      "  const int x = " +
      expression + ";\n  " + statement + "\n}\n";
  return program_of(text);
}

Launch launch_of(Dim3 grid, Dim3 block) {
  Launch launch{.grid = grid, .block = block, .arguments = {}};
  return launch;
}

// `may_fail`: where the launch leaves its buffer, both ways must say so. True: the counts were compared.
bool expect_equal(const Program& program, const Launch& launch, bool may_fail = false) {
  TotalsOptions classes, brute;
  brute.brute_force = true;
  classes.threads = brute.threads = 1;
  const memory::GpuModel& gpu = memory::default_gpu_model();
  const Totals a = grid_totals(program, launch, gpu, classes), b = grid_totals(program, launch, gpu, brute);
  EXPECT_EQ(a.error.has_value(), b.error.has_value());
  EXPECT_TRUE(may_fail || !a.error) << a.error->message;
  EXPECT_TRUE(may_fail || !b.error) << b.error->message;
  if (a.error && b.error) {
    EXPECT_EQ(a.error->kind, b.error->kind);
  }
  if (a.error || b.error) return false;
  EXPECT_EQ(a.global_sites, b.global_sites);
  EXPECT_EQ(a.shared_sites, b.shared_sites);
  return true;
}

const std::vector<Launch>& launches() {
  static const std::vector<Launch> all = {launch_of({41, 1, 1}, {32, 1, 1}), launch_of({23, 9, 3}, {8, 8, 1}),
                                          launch_of({130, 2, 1}, {16, 2, 1})};
  return all;
}

TEST(MachineIndex, AsAnAddress) {
  for (const std::string& expression : expressions()) {
    for (const char* lane : {"", " + tx"}) {
      // Negative ones are in range too.
      const Program program = compiled(expression, std::string("out[tx] = a[(1ll << 33) + x") + lane + "];");
      for (const Launch& launch : launches()) {
        SCOPED_TRACE(testing::Message() << expression << lane << ", grid " << launch.grid.x);
        expect_equal(program, launch);
      }
    }
  }
}

TEST(MachineIndex, AsAnIntIndexOfABoundedBuffer) {
  int compared = 0, refused = 0;
  for (const std::string& expression : expressions()) {
    const Program program = compiled(expression, "out[tx] = a[x];");
    for (const std::uint64_t elements : {30, 200, 5000, 1000000}) {
      for (Launch launch : launches()) {
        SCOPED_TRACE(testing::Message() << expression << " of " << elements << ", grid " << launch.grid.x);
        launch.arguments = {{"a", Buffer{elements}}};
        ++(expect_equal(program, launch, true) ? compared : refused);
      }
    }
  }
  EXPECT_GT(compared, 100);
  EXPECT_GT(refused, 100);
}

TEST(MachineIndex, AsADecision) {
  for (const std::string& expression : expressions()) {
    for (const char* comparison : {" < ", " <= ", " > ", " >= ", " == ", " != "}) {
      for (const char* bound : {"-3", "0", "7u", "40"}) {
        const std::string condition = std::string("x") + comparison + bound + " + tx";
        const Program program = compiled(expression, "if (" + condition + ") out[tx] = a[tx];");
        for (const Launch& launch : launches()) {
          SCOPED_TRACE(testing::Message() << expression << ": " << condition << ", grid " << launch.grid.x);
          expect_equal(program, launch);
        }
      }
    }
  }
}

// Results of 8 and 16 bits, as PTX has them, wrap long before their registers do.
TEST(MachineIndex, OfNarrowOperations) {
  struct Narrow {
    Opcode op;
    ScalarType type;
    int by;
  };
  for (const auto& [op, type, by] :
       {Narrow{Opcode::Add, ScalarType::U8, 200}, Narrow{Opcode::Sub, ScalarType::I8, 150},
        Narrow{Opcode::Mul, ScalarType::U8, 3}, Narrow{Opcode::Mul, ScalarType::I16, 2000},
        Narrow{Opcode::Shl, ScalarType::I8, 3}, Narrow{Opcode::Fma, ScalarType::U8, 5},
        Narrow{Opcode::Neg, ScalarType::U8, 0}}) {
    for (const bool decides : {false, true}) {
      Builder b;
      const Reg a = b.pointer("a");
      const Reg x = b.op(op, type, kBlockIdxX, op == Opcode::Neg ? kNoReg : b.integer(by),
                         op == Opcode::Fma ? kBlockIdxY : kNoReg);
      if (decides)
        b.if_then(b.lt(x, kThreadIdxX), [&] { b.load(a, kThreadIdxX); });
      else
        b.load(a, b.add(b.add(x, b.integer(1 << 16)), kThreadIdxX));
      const Program program = b.finish();
      for (const Launch& launch : launches()) {
        SCOPED_TRACE(testing::Message()
                     << static_cast<int>(op) << " by " << by << ", grid " << launch.grid.x);
        expect_equal(program, launch);
      }
    }
  }
}

}  // namespace machine_index_test
}  // namespace warplens::sim
