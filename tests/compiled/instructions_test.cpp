// Values of single PTX instructions, also where an operand is not a number.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sim/count/totals.h"
#include "sim/lower/lower.h"
#include "sim/memory/gpu_model.h"

namespace warplens {
namespace {

using testing::ElementsAre;

// What `text` leaves in %r9 for x (%f1) = not a number, 0.5, 1, 1.5 in threads 0 to 3.
std::vector<std::uint32_t> results(const std::string& text) {
  const std::string ptx = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 k_param_0)
{
 .reg .pred %p<8>; .reg .f32 %f<8>; .reg .b32 %r<16>; .reg .b64 %rd<8>;
 ld.param.u64 %rd1, [k_param_0];
 cvta.to.global.u64 %rd2, %rd1;
 mov.u32 %r1, %tid.x;
 cvt.rn.f32.u32 %f1, %r1;
 mul.f32 %f1, %f1, 0f3F000000;
 setp.eq.s32 %p1, %r1, 0;
 selp.f32 %f1, 0f7FC00000, %f1, %p1;
 mov.f32 %f2, 0f3F800000;
 )" + text + R"(
 mul.wide.u32 %rd3, %r1, 4;
 add.s64 %rd4, %rd2, %rd3;
 st.global.u32 [%rd4], %r9;
 ret;
}
)";
  const sim::CompileResult compiled =
      sim::compile({.text = ptx, .kernel = {}, .template_arguments = {}, .defines = {}});
  EXPECT_TRUE(compiled.program) << text << ": " << compiled.diagnostics.front().message.english();
  if (!compiled.program) return {};
  sim::Launch launch;
  launch.block = {4, 1, 1};
  launch.arguments["param_0"] = sim::Buffer{4};
  const sim::GridValues values = sim::run_grid(*compiled.program, launch, memory::default_gpu_model());
  EXPECT_FALSE(values.error) << text << ": " << values.error->message.english();
  std::vector<std::uint32_t> words(4);
  std::memcpy(words.data(), values.buffers.at(0).data(), 4 * words.size());
  return words;
}

std::vector<std::uint32_t> compared(const std::string& how) {  // x with 1
  return results("setp." + how + ".f32 %p2, %f1, %f2; selp.u32 %r9, 1, 0, %p2;");
}

TEST(PtxInstructions, ComparisonsOfWhatIsNoNumber) {
  EXPECT_THAT(compared("lt"), ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(compared("ltu"), ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(compared("leu"), ElementsAre(1, 1, 1, 0));
  EXPECT_THAT(compared("gtu"), ElementsAre(1, 0, 0, 1));
  EXPECT_THAT(compared("geu"), ElementsAre(1, 0, 1, 1));
  EXPECT_THAT(compared("ne"), ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(compared("neu"), ElementsAre(1, 1, 0, 1));
}

TEST(PtxInstructions, SaturationIsBetweenZeroAndOne) {
  const std::uint32_t half = 0x3f000000, one = 0x3f800000;
  EXPECT_THAT(results("cvt.sat.f32.f32 %f3, %f1; mov.b32 %r9, %f3;"), ElementsAre(0, half, one, one));
  EXPECT_THAT(results("neg.f32 %f3, %f1; cvt.sat.f32.f32 %f3, %f3; mov.b32 %r9, %f3;"),
              ElementsAre(0, 0, 0, 0));
}

TEST(PtxInstructions, BarriersThatVote) {
  const std::string low = "setp.le.f32 %p2, %f1, %f2; ";  // of two threads
  EXPECT_THAT(results(low + "bar.red.popc.u32 %r9, 0, %p2;"), ElementsAre(2, 2, 2, 2));
  EXPECT_THAT(results(low + "bar.red.and.pred %p3, 0, %p2; selp.u32 %r9, 1, 0, %p3;"),
              ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(results(low + "bar.red.or.pred %p3, 0, %p2; selp.u32 %r9, 1, 0, %p3;"),
              ElementsAre(1, 1, 1, 1));
}

// Whether it is said of the loads of shared memory in `text` that the assembler may join them: %r2 is 16 and
// %r3 is 4 bytes times the thread's number.
bool joinable(const std::string& text) {
  const std::string ptx = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{
 .reg .pred %p<4>; .reg .f32 %f<8>; .reg .b32 %r<16>; .reg .b64 %rd<2>;
 ld.param.u64 %rd1, [out];
 .shared .align 16 .b8 tile[1024];
 mov.u32 %r1, %tid.x;
 shl.b32 %r2, %r1, 4;
 shl.b32 %r3, %r1, 2;
 setp.eq.s32 %p1, %r1, 0;
 )" + text + R"(
 ret;
}
)";
  const sim::CompileResult compiled =
      sim::compile({.text = ptx, .kernel = {}, .template_arguments = {}, .defines = {}});
  EXPECT_TRUE(compiled.program) << text << ": " << compiled.diagnostics.front().message.english();
  return compiled.program && std::ranges::any_of(compiled.program->sites, &sim::AccessSite::joinable);
}

TEST(PtxInstructions, WhichLoadsTheAssemblerMayJoin) {
  const std::string first = "ld.shared.f32 %f1, [%r2]; ", next = "ld.shared.f32 %f2, [%r2+4]; ";
  EXPECT_TRUE(joinable(first + next));
  EXPECT_TRUE(joinable(next + first));
  EXPECT_TRUE(joinable("ld.shared.f32 %f1, [tile+8]; ld.shared.f32 %f2, [tile+12];"));
  EXPECT_TRUE(joinable(first + "add.f32 %f3, %f1, %f1; vote.sync.any.pred %p2, %p1, -1; " + next));
  EXPECT_TRUE(joinable("ld.shared.v2.f32 {%f1, %f2}, [%r2]; " + first + next));
  EXPECT_TRUE(joinable(first + "st.global.f32 [%rd1], %f1; " + next));
  EXPECT_TRUE(joinable(first + "ld.shared.u32 %r4, [%r2+4];"));  // of one width
  EXPECT_FALSE(joinable(next + "ld.shared.f32 %f3, [%r2+8];"));  // no aligned pair
  EXPECT_TRUE(
      joinable("L: add.s32 %r2, %r2, 64; " + first + next + "setp.lt.s32 %p2, %r2, 512; @%p2 bra L;"));
  EXPECT_FALSE(joinable(first + "ld.shared.f32 %f2, [%r2+8];"));                        // not side by side
  EXPECT_FALSE(joinable("ld.shared.f32 %f1, [%r2+12]; ld.shared.f32 %f2, [%r2+16];"));  // of two places of 16
  EXPECT_FALSE(joinable("ld.shared.f32 %f1, [%r3]; ld.shared.f32 %f2, [%r3+4];"));      // begins anywhere
  EXPECT_FALSE(joinable("ld.shared.f32 %f1, [%r2]; ld.shared.u16 %r4, [%r2+4];"));      // of two widths
  EXPECT_FALSE(joinable(first + "st.shared.f32 [%r3], %f1; " + next));
  EXPECT_FALSE(joinable(first + "bar.sync 0; " + next));
  EXPECT_FALSE(joinable(first + "add.s32 %r2, %r2, 64; " + next));  // of another base
  EXPECT_FALSE(
      joinable("L: add.s32 %r2, %r2, 4; " + first + next + "setp.lt.s32 %p2, %r2, 512; @%p2 bra L;"));
  EXPECT_FALSE(joinable(first + "@%p1 ld.shared.f32 %f2, [%r2+4];"));  // not of all lanes
  EXPECT_FALSE(joinable("ld.volatile.shared.f32 %f1, [%r2]; " + next));
  EXPECT_FALSE(joinable("ld.global.f32 %f1, [%r2]; ld.global.f32 %f2, [%r2+4];"));
}

}  // namespace
}  // namespace warplens
