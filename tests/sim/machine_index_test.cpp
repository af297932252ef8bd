// One index expression after another: as an address and as a decision, the classes' totals equal brute force.
#include <gtest/gtest.h>

#include <functional>

#include "sim/count/totals.h"
#include "tests/sim/machine_builder.h"

namespace warplens::sim {

void PrintTo(const SiteTotals& t, std::ostream* out) {
  *out << "requests " << t.requests << " lanes " << t.active_lanes << " bytes " << t.bytes << " sectors "
       << t.sectors << " ideal " << t.ideal_sectors << " lines " << t.lines << " wavefronts " << t.wavefronts
       << " ideal " << t.ideal_wavefronts << " conflicts " << t.bank_conflicts << " tags " << t.tag_wavefronts
       << " data " << t.data_wavefronts;
}

namespace machine_index_test {

using O = Opcode;
constexpr ScalarType kI = ScalarType::I32, kU = ScalarType::U32;
const Reg bx = kBlockIdxX, by = kBlockIdxY, bz = kBlockIdxZ, tx = kThreadIdxX, ty = kThreadIdxY;

struct Expression {
  const char* text;
  std::function<Reg(Builder&)> build;
};

Reg k(Builder& b, int value) {
  return b.integer(value);
}
Reg i(Builder& b, Opcode op, Reg left, Reg right) {
  return b.op(op, kI, left, right);
}
Reg n(Builder& b, Opcode op, Reg left, int right) {
  return b.op(op, kI, left, b.integer(right));
}

Reg any(Builder& b, Reg value) {
  const Reg dst = b.varying();
  b.emit(O::Vote, ScalarType::Bool, dst, value).function = static_cast<std::uint8_t>(VoteFunction::Any);
  return dst;
}

const std::vector<Expression>& expressions() {
  static const std::vector<Expression> all = {
      {"bx * 32 + tx", [](Builder& b) { return b.add(n(b, O::Mul, bx, 32), tx); }},
      {"bx * tx", [](Builder& b) { return b.mul(bx, tx); }},
      {"bx * tx * 32", [](Builder& b) { return n(b, O::Mul, b.mul(bx, tx), 32); }},
      {"bx * by", [](Builder& b) { return b.mul(bx, by); }},
      {"bx * by * 32 + tx", [](Builder& b) { return b.add(n(b, O::Mul, b.mul(bx, by), 32), tx); }},
      {"(bx + by) * bz", [](Builder& b) { return b.mul(b.add(bx, by), bz); }},
      {"bx * bx", [](Builder& b) { return b.mul(bx, bx); }},
      {"(bx - 20) / 4", [](Builder& b) { return n(b, O::Div, n(b, O::Sub, bx, 20), 4); }},
      {"(bx * 32 + tx) / 4", [](Builder& b) { return n(b, O::Div, b.add(n(b, O::Mul, bx, 32), tx), 4); }},
      {"(bx * 32 + tx - 100) / 32",
       [](Builder& b) { return n(b, O::Div, n(b, O::Sub, b.add(n(b, O::Mul, bx, 32), tx), 100), 32); }},
      {"(bx - 20) % 6", [](Builder& b) { return n(b, O::Rem, n(b, O::Sub, bx, 20), 6); }},
      {"(bx - 20) % -6", [](Builder& b) { return n(b, O::Rem, n(b, O::Sub, bx, 20), -6); }},
      {"(bx - 20) / -6", [](Builder& b) { return n(b, O::Div, n(b, O::Sub, bx, 20), -6); }},
      {"bx / 7 * 7", [](Builder& b) { return n(b, O::Mul, n(b, O::Div, bx, 7), 7); }},
      {"bx % 7 * 32 + bx / 7",
       [](Builder& b) { return b.add(n(b, O::Mul, n(b, O::Rem, bx, 7), 32), n(b, O::Div, bx, 7)); }},
      {"bx / 1000", [](Builder& b) { return n(b, O::Div, bx, 1000); }},
      {"bx % 1000", [](Builder& b) { return n(b, O::Rem, bx, 1000); }},
      {"unsigned (bx - 20) / 3",
       [](Builder& b) { return b.op(O::Div, kU, n(b, O::Sub, bx, 20), b.integer(3)); }},
      {"unsigned (bx - 20) >> 3",
       [](Builder& b) { return b.op(O::Shr, kU, n(b, O::Sub, bx, 20), b.integer(3)); }},
      {"(bx - 20) >> 3", [](Builder& b) { return n(b, O::Shr, n(b, O::Sub, bx, 20), 3); }},
      {"((bx - 20) * 32 + tx - 16) / 32",
       [](Builder& b) {
         return n(b, O::Div, n(b, O::Sub, b.add(n(b, O::Mul, n(b, O::Sub, bx, 20), 32), tx), 16), 32);
       }},
      {"((bx - 20) * 32 + tx - 16) % 32",
       [](Builder& b) {
         return n(b, O::Rem, n(b, O::Sub, b.add(n(b, O::Mul, n(b, O::Sub, bx, 20), 32), tx), 16), 32);
       }},
      {"(bx & 5) == 4 ? by * 8 : tx",
       [](Builder& b) {
         const Reg condition = b.op(O::Eq, kI, n(b, O::And, bx, 5), b.integer(4));
         return b.op(O::Select, kI, condition, n(b, O::Mul, by, 8), tx);
       }},
      {"bx << 5", [](Builder& b) { return n(b, O::Shl, bx, 5); }},
      {"bx << tx", [](Builder& b) { return i(b, O::Shl, bx, n(b, O::And, tx, 7)); }},
      {"bx >> tx", [](Builder& b) { return i(b, O::Shr, bx, n(b, O::And, tx, 3)); }},
      {"bx << 40", [](Builder& b) { return n(b, O::Shl, bx, 40); }},
      {"bx & 3", [](Builder& b) { return n(b, O::And, bx, 3); }},
      {"3 & bx", [](Builder& b) { return i(b, O::And, b.integer(3), bx); }},
      {"bx & ~3", [](Builder& b) { return n(b, O::And, bx, ~3); }},
      {"bx & 5", [](Builder& b) { return n(b, O::And, bx, 5); }},
      {"bx & 0", [](Builder& b) { return n(b, O::And, bx, 0); }},
      {"bx & -1", [](Builder& b) { return n(b, O::And, bx, -1); }},
      {"bx & tx", [](Builder& b) { return i(b, O::And, bx, tx); }},
      {"(bx * 32 + tx) ^ ty", [](Builder& b) { return i(b, O::Xor, b.add(n(b, O::Mul, bx, 32), tx), ty); }},
      {"bx ^ 1", [](Builder& b) { return n(b, O::Xor, bx, 1); }},
      {"bx | 6", [](Builder& b) { return n(b, O::Or, bx, 6); }},
      {"(bx - 20) | 6", [](Builder& b) { return n(b, O::Or, n(b, O::Sub, bx, 20), 6); }},
      {"bx ^ by", [](Builder& b) { return i(b, O::Xor, bx, by); }},
      {"bx ^ -1", [](Builder& b) { return n(b, O::Xor, bx, -1); }},
      {"~bx", [](Builder& b) { return b.op(O::BitNot, kI, bx); }},
      {"-bx", [](Builder& b) { return b.op(O::Neg, kI, bx); }},
      {"!(bx - 20)", [](Builder& b) { return b.op(O::Not, kI, n(b, O::Sub, bx, 20)); }},
      {"any(bx - 20)", [](Builder& b) { return any(b, n(b, O::Sub, b.add(bx, n(b, O::And, tx, 0)), 20)); }},
      {"abs(bx - 30)", [](Builder& b) { return b.op(O::Abs, kI, n(b, O::Sub, bx, 30)); }},
      {"abs(bx - 20)", [](Builder& b) { return b.op(O::Abs, kI, n(b, O::Sub, bx, 20)); }},
      {"min(bx, 20)", [](Builder& b) { return n(b, O::Min, bx, 20); }},
      {"max(bx * 4, tx)", [](Builder& b) { return i(b, O::Max, n(b, O::Mul, bx, 4), tx); }},
      {"min(bx, by)", [](Builder& b) { return i(b, O::Min, bx, by); }},
      {"tx < bx ? bx * 8 : by",
       [](Builder& b) { return b.op(O::Select, kI, b.lt(tx, bx), n(b, O::Mul, bx, 8), by); }},
      {"bx * 2^28", [](Builder& b) { return n(b, O::Mul, bx, 1 << 28); }},
      {"bx * 2^28 + tx", [](Builder& b) { return b.add(n(b, O::Mul, bx, 1 << 28), tx); }},
      {"(bx * 2^28) >> 20", [](Builder& b) { return n(b, O::Shr, n(b, O::Mul, bx, 1 << 28), 20); }},
      {"unsigned (bx * 2^28) / 5",
       [](Builder& b) { return b.op(O::Div, kU, n(b, O::Mul, bx, 1 << 28), b.integer(5)); }},
      {"(long)(bx * 2^28) >> 24",
       [](Builder& b) {
         const Reg wide = b.convert(n(b, O::Mul, bx, 1 << 28), kI, ScalarType::I64);
         return b.convert(b.op(O::Shr, ScalarType::I64, wide, b.constant(24)), ScalarType::I64, kI);
       }},
      {"(unsigned long)bx * 2^40 >> 40",
       [](Builder& b) {
         const Reg wide =
             b.op(O::Mul, ScalarType::U64, b.convert(bx, kU, ScalarType::U64), b.constant(1ull << 40));
         return b.convert(b.op(O::Shr, ScalarType::U64, wide, b.constant(40)), ScalarType::U64, kI);
       }},
      {"(signed char)(bx * 5)",
       [](Builder& b) {
         return b.convert(b.convert(n(b, O::Mul, bx, 5), kI, ScalarType::I8), ScalarType::I8, kI);
       }},
      {"(unsigned char)(bx * 8 - 100)",
       [](Builder& b) {
         return b.convert(b.convert(n(b, O::Sub, n(b, O::Mul, bx, 8), 100), kI, ScalarType::U8),
                          ScalarType::U8, kI);
       }},
      // Results of 8 and 16 bits wrap long before their registers do.
      {"unsigned char: bx + 200",
       [](Builder& b) { return b.op(O::Add, ScalarType::U8, bx, b.integer(200)); }},
      {"signed char: bx - 150", [](Builder& b) { return b.op(O::Sub, ScalarType::I8, bx, b.integer(150)); }},
      {"unsigned char: bx * 3", [](Builder& b) { return b.op(O::Mul, ScalarType::U8, bx, b.integer(3)); }},
      {"short: bx * 2000", [](Builder& b) { return b.op(O::Mul, ScalarType::I16, bx, b.integer(2000)); }},
      {"signed char: bx << 3", [](Builder& b) { return b.op(O::Shl, ScalarType::I8, bx, b.integer(3)); }},
      {"unsigned char: fma(bx, 5, by)",
       [](Builder& b) { return b.op(O::Fma, ScalarType::U8, bx, b.integer(5), by); }},
      {"unsigned char: -bx", [](Builder& b) { return b.op(O::Neg, ScalarType::U8, bx); }},
      {"(int)(float)bx",
       [](Builder& b) { return b.convert(b.convert(bx, kU, ScalarType::F32), ScalarType::F32, kI); }},
      {"by * gridDim.x + bx", [](Builder& b) { return b.add(b.mul(by, kGridDimX), bx); }},
      {"(by * gridDim.x + bx) % 8",
       [](Builder& b) { return n(b, O::Rem, b.add(b.mul(by, kGridDimX), bx), 8); }},
      {"(by * gridDim.x + bx) / 8",
       [](Builder& b) { return n(b, O::Div, b.add(b.mul(by, kGridDimX), bx), 8); }},
      {"bx / 4 * 4 + by % 4",
       [](Builder& b) { return b.add(n(b, O::Mul, n(b, O::Div, bx, 4), 4), n(b, O::Rem, by, 4)); }},
      {"(bx + by) % gridDim.x", [](Builder& b) { return b.op(O::Rem, kI, b.add(bx, by), kGridDimX); }},
      {"100 / (bx + 1)", [](Builder& b) { return i(b, O::Div, b.integer(100), n(b, O::Add, bx, 1)); }},
      {"popcount(bx)",
       [](Builder& b) {
         const Reg r = b.op(O::Math, kU, bx);
         b.program.code.back().function = static_cast<std::uint8_t>(MathFunction::PopCount);
         return r;
       }},
      {"umulhi(bx * 2^27, 64)",
       [](Builder& b) { return b.op(O::MulHigh, kU, n(b, O::Mul, bx, 1 << 27), b.integer(64)); }},
      {"fma(bx, 8, by)", [](Builder& b) { return b.op(O::Fma, kI, bx, k(b, 8), by); }},
      {"fma(bx, by, bz)", [](Builder& b) { return b.op(O::Fma, kI, bx, by, bz); }},
  };
  return all;
}

Launch launch_of(Dim3 grid, Dim3 block) {
  Launch launch;
  launch.grid = grid;
  launch.block = block;
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
  for (const Expression& e : expressions()) {
    for (const bool with_lane : {false, true}) {
      Builder b;
      const Reg a = b.pointer("a");
      Reg at = b.convert(e.build(b), kI, ScalarType::I64);
      at = b.op(O::Add, ScalarType::I64, at,
                b.constant(std::uint64_t{1} << 33));  // negative ones are in range too
      if (with_lane) at = b.op(O::Add, ScalarType::I64, at, b.convert(tx, kU, ScalarType::I64));
      b.access(O::Load, SiteSpace::Global, ScalarType::F32, a, at, 1, ScalarType::I64).dst = b.varying();
      const Program program = b.finish();
      for (const Launch& launch : launches()) {
        SCOPED_TRACE(testing::Message()
                     << e.text << (with_lane ? " + tx" : "") << ", grid " << launch.grid.x);
        expect_equal(program, launch);
      }
    }
  }
}

TEST(MachineIndex, AsAnIntIndexOfABoundedBuffer) {
  int compared = 0, refused = 0;
  for (const Expression& e : expressions()) {
    for (const int elements : {30, 200, 5000, 1000000}) {
      Builder b;
      const Reg a = b.pointer("a");
      b.load(a, e.build(b));
      const Program program = b.finish();
      for (Launch launch : launches()) {
        SCOPED_TRACE(testing::Message() << e.text << " of " << elements << ", grid " << launch.grid.x);
        launch.arguments = {{"a", Buffer{static_cast<std::uint64_t>(elements)}}};
        ++(expect_equal(program, launch, true) ? compared : refused);
      }
    }
  }
  EXPECT_GT(compared, 100);
  EXPECT_GT(refused, 100);
}

TEST(MachineIndex, AsADecision) {
  for (const Expression& e : expressions()) {
    for (const Opcode op : {O::Lt, O::Le, O::Gt, O::Ge, O::Eq, O::Ne}) {
      for (const int bound : {-3, 0, 7, 40}) {
        Builder b;
        const Reg a = b.pointer("a");
        const ScalarType type = bound == 7 ? kU : kI;
        b.if_then(b.op(op, type, e.build(b), b.add(b.integer(bound), tx)), [&] { b.load(a, tx); });
        const Program program = b.finish();
        for (const Launch& launch : launches()) {
          SCOPED_TRACE(testing::Message() << e.text << " op " << static_cast<int>(op) << " " << bound
                                          << ", grid " << launch.grid.x);
          expect_equal(program, launch);
        }
      }
    }
  }
}

}  // namespace machine_index_test
}  // namespace warplens::sim
