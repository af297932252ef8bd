// Values of single PTX instructions, also where an operand is not a number.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sim/count/totals.h"
#include "sim/lower/lower.h"
#include "sim/memory/gpu_model.h"
#include "sim/trace/trace.h"

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
 .reg .pred %p<8>; .reg .f32 %f<8>; .reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .b16 %rs<4>;
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
  const sim::CompileResult compiled = sim::compile({.text = ptx});
  EXPECT_TRUE(compiled.program) << text << ": " << compiled.diagnostics.front().message.english();
  if (!compiled.program) return {};
  sim::Launch launch;
  launch.block = {4, 1, 1};
  launch.arguments["param_0"] = sim::Buffer{8};  // four words, of halves too
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
  for (const auto& [how, expected] :
       {std::pair{"gt", ElementsAre(0, 0, 0, 1)}, {"geu", ElementsAre(1, 0, 1, 1)}})
    EXPECT_THAT(results("{.reg.b16 x, one; cvt.rn.f16.f32 x, %f1; cvt.rn.f16.f32 one, %f2; setp." +
                        std::string(how) + ".f16 %p2, x, one;} selp.u32 %r9, 1, 0, %p2;"),
                expected);
}

// As PTX's ISA has them: roundings, clamps, words of 16 bits, second results, notations of numbers.
TEST(PtxInstructions, EachWordOfAnInstructionHasItsMeaning) {
  struct Row {
    std::string text;
    std::vector<std::uint32_t> words;
  };
  const std::string whole = " mov.b32 %r9, %f3;", taken = " selp.u32 %r9, 1, 0, %p3;";
  const std::uint32_t nan = 0x7fc00000, zero = 0, one = 0x3f800000, two = 0x40000000;
  for (const Row& row : std::vector<Row>{
           {"mov.u32 %r9, WARP_SZ;", {32, 32, 32, 32}},
           {"cvt.sat.f32.f32 %f3, %f1;" + whole, {zero, 0x3f000000, one, one}},
           {"neg.f32 %f3, %f1; cvt.sat.f32.f32 %f3, %f3;" + whole, {zero, zero, zero, zero}},
           {"cvt.rni.f32.f32 %f3, %f1;" + whole, {nan, zero, one, two}},
           {"cvt.rzi.f32.f32 %f3, %f1;" + whole, {nan, zero, one, one}},
           {"cvt.rmi.f32.f32 %f3, %f1;" + whole, {nan, zero, one, one}},
           {"cvt.rpi.f32.f32 %f3, %f1;" + whole, {nan, one, one, two}},
           {"mul.f32 %f3, %f1, 0f43C80000; cvt.rzi.u8.f32 %r9, %f3;", {0, 200, 255, 255}},  // x 400
           {"mul.f32 %f3, %f1, 0fC3C80000; cvt.rzi.s8.f32 %r9, %f3; and.b32 %r9, %r9, 255;",
            {0, 128, 128, 128}},
           {"add.rz.f32 %f3, %f1, 0f33000000;" + whole, {nan, 0x3f000000, one, 0x3fc00000}},  // 2^-25
           {"add.rp.f32 %f3, %f1, 0f33000000;" + whole, {nan, 0x3f000001, 0x3f800001, 0x3fc00001}},
           {"sub.rm.f32 %f3, %f1, 0f33000000;" + whole, {nan, 0x3effffff, 0x3f7fffff, 0x3fbfffff}},
           {"fma.rn.sat.f32 %f3, %f1, %f1, 0f00000000;" + whole, {zero, 0x3e800000, one, one}},
           {"max.NaN.f32 %f3, %f1, %f2;" + whole, {nan, one, one, 0x3fc00000}},
           {"max.f32 %f3, %f1, %f2;" + whole, {one, one, one, 0x3fc00000}},
           {"add.f32 %f3, %f2, 1.5e0; sub.f32 %f3, %f3, 0d3FF8000000000000;" + whole, {one, one, one, one}},
           {"setp.num.f32 %p3, %f1, %f2;" + taken, {0, 1, 1, 1}},
           {"setp.nan.ftz.f32 %p3, %f1, %f2;" + taken, {1, 0, 0, 0}},
           {"setp.lt.u32 %p2|%p3, %r1, 2;" + taken, {0, 0, 1, 1}},
           {"setp.eq.u32 %p2, %r1, 3; setp.lt.or.u32 %p3|%p4, %r1, 1, %p2;" + taken, {1, 0, 0, 1}},
           {"setp.lt.u32 %p2, %r1, 1; vote.sync.ballot.b32 %r9, !%p2, -1;", {14, 14, 14, 14}},
           {"slct.u32.s32 %r9, 7, 8, %r1;", {7, 7, 7, 7}},
           {"cvt.u16.u32 %rs1, %r1; mul.hi.u16 %rs2, %rs1, 21846; cvt.u32.u16 %r9, %rs2;", {0, 0, 0, 1}},
           {"mov.b16 %rs1, 0xfffd; mul.hi.s16 %rs2, %rs1, 21846; cvt.u32.u16 %r9, %rs2;",
            {0xfffe, 0xfffe, 0xfffe, 0xfffe}},
           {"mov.b32 %r2, 0x7fffffff; add.sat.s32 %r9, %r2, %r1;",
            {0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff}},
           {"sub.s32 %r2, %r1, 2; cvt.sat.u8.s32 %r9, %r2;", {0, 0, 0, 1}},
           {"add.u32 %r9, %r1, 010; add.u32 %r9, %r9, 0b101;", {13, 14, 15, 16}},
           {".shared .b32 s[4], t; mov.u32 %r9, s+8; bar.sync 1;", {8, 8, 8, 8}},
           {"mul.f32 %f3, %f1, 0fC77FE000; cvt.rz.f16.f32 %rs1, %f3; cvt.u32.u16 %r9, %rs1;",
            {0x7fff, 0xf7ff, 0xfbff, 0xfbff}},  // x -65504
           {"set.lt.u32.f32 %r9, %f2, %f1;", {0, 0, 0, 0xffffffff}},
           {".shared .align 32 .b8 wide[32]; mov.b32 %r2, 2; mov.b32 %r3, 3; st.shared.v8.b32 [wide], "
            "{%r2, %r3, %r3, %r2, %r2, %r2, %r2, %r3}; ld.shared.v8.b32 {%r4, %r5, %r6, %r7, %r8, %r10, "
            "%r11, %r12}, [wide]; mad.lo.u32 %r9, %r5, 10, %r12;",
            {33, 33, 33, 33}},
           {"mov.u32 %r9, 0; shr.u32 %r2, %r1, 1; setp.lt.u32 %p3, %r1, 3; @!%p3 bra over; "
            "match.any.sync.b32 %r9, %r2, 7; over:",
            {3, 3, 4, 0}},
           {"set.le.f32.s32 %f3, %r1, 1;" + whole, {one, one, zero, zero}},
           // Halves: 1 and the lane's number against 1 and 2; mov makes the lane a half.
           {"cvt.rn.f16.u32 %rs1, %r1; mov.b16 %rs2, 0x3c00; mov.b32 %r2, {%rs2, %rs1}; mov.b32 %r3, "
            "0x40003c00; set.eq.f16x2.f16x2 %r9, %r2, %r3;",
            {0x3c00, 0x3c00, 0x3c003c00, 0x3c00}},
           {"cvt.rn.f16.u32 %rs1, %r1; mov.b16 %rs2, 0x3c00; mov.b32 %r2, {%rs2, %rs1}; mov.b32 %r3, "
            "0x40003c00; set.lt.u32.f16x2 %r9, %r2, %r3;",
            {0xffff0000, 0xffff0000, 0, 0}},
           {"cvt.rn.f16.u32 %rs1, %r1; mov.b32 %r2, {%rs1, %rs1}; mov.b32 %r3, 0x40003c00; setp.lt.f16x2 "
            "%p2|%p3, %r2, %r3;" +
                taken,
            {1, 1, 0, 0}},
           {".shared .b32 t[4]; mov.u64 %rd9, t; cvta.shared.u64 %rd9, %rd9; isspacep.shared %p3, %rd9;" +
                taken,
            {1, 1, 1, 1}},
           {".shared .b32 t[4]; mov.u64 %rd9, t; cvta.shared.u64 %rd9, %rd9; isspacep.global %p3, %rd9;" +
                taken,
            {0, 0, 0, 0}},
           {".shared .b16 h[4]; mov.b16 %rs1, 7; mov.b16 %rs2, 9; st.shared.u16 [h], %rs1; "
            "atom.shared.cas.b16 "
            "%rs3, [h], %rs1, %rs2; ld.shared.u16 %rs3, [h]; cvt.u32.u16 %r9, %rs3;",
            {9, 9, 9, 9}},
       })
    EXPECT_EQ(results(row.text), row.words) << row.text;
}

TEST(PtxModules, ManyEarlyExitsAreNotNested) {
  std::string exits;
  for (int i = 0; i < 2000; ++i)
    exits += "setp.eq.u32 %p1, %r1, " + std::to_string(i + 5) + "; @%p1 bra out;\n";
  EXPECT_EQ(results(exits + "mov.u32 %r9, 7; bra on; out: ret; on:"),
            (std::vector<std::uint32_t>{7, 7, 7, 7}));
}

TEST(PtxModules, WhatCannotBeIsTold) {
  const auto told = [](const std::string& module) {
    const sim::CompileResult made =
        sim::compile({.text = ".version 8.0\n.target sm_90\n.address_size 64\n" + module});
    return made.program ? std::string() : made.diagnostics.at(0).message.english();
  };
  const std::string entry = ".entry k() { ret; }";
  EXPECT_EQ(told(".global .b8 s[4] = {1, 2, 3, 4};" + entry), "");
  EXPECT_EQ(told(".global .b16 s[] = {1, 2, 3};" + entry), "");
  EXPECT_EQ(told(".global .b8 s[4] = {1, 2, 3, 4, 5};" + entry), "'s' has 5 initial values and 4 elements");
  EXPECT_EQ(told(".global .align 3 .b8 s[4];" + entry), "an alignment is a power of two, not 3");
  EXPECT_EQ(told(entry + entry), "the function 'k' is defined twice in the module");
  EXPECT_NE(told(".entry k() { .reg .b32 %r<-1>; ret; }"), "");
  EXPECT_EQ(sim::compile({.text = "\xef\xbb\xbf.version 8.0\n.target sm_90\n.address_size 64\n" + entry})
                .diagnostics.size(),
            0u);
}

TEST(PtxInstructions, AWordThatIsNotKnownIsRefused) {
  for (const std::string text : {"max.xorsign.abs.f32 %f3, %f1, %f2;", "mad.hi.sat.s32 %r9, %r1, %r1, %r1;",
                                 "fma.rn.oob.f16x2 %r9, %r1, %r1, %r1;", "@%p1 brx.idx %r1, list;",
                                 "mul.lo.cc.u32 %r9, %r1, 3;", "min.cc.u32 %r9, %r1, 3;"}) {
    const sim::CompileResult made = sim::compile(
        {.text =
             ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() { .reg .pred %p<4>; .reg .f32 %f<4>; "
             ".reg .b32 %r<16>; mov.u32 %r1, %tid.x; mov.f32 %f1, 0f3F800000; mov.f32 %f2, %f1;\n list: "
             ".branchtargets a; " +
             text + "\n a: ret; }"});
    ASSERT_FALSE(made.program) << text;
    EXPECT_EQ(made.diagnostics.at(0).range.begin.line, 5) << text;
  }
}

TEST(PtxInstructions, WhatNothingNeedsIsNotLoaded) {
  const auto accesses = [](const std::string& behind, const std::string& target = ".target sm_90") {
    const std::string begin =
        ".entry k(.param .u64 p) { .reg .pred %p<4>; .reg .b32 %r<4>; .reg .b64 %rd<4>; ";
    const sim::CompileResult made = sim::compile(
        {.text = ".version 8.0\n" + target + "\n.address_size 64\n" + begin +
                 "ld.param.u64 %rd1, [p]; ld.global.v2.u32 {%r1, %r2}, [%rd1]; " + behind + " ret; }"});
    return made.program ? static_cast<int>(made.program->sites.size()) : -1;
  };
  EXPECT_EQ(accesses("shfl.sync.idx.b32 %r3, %r2, 0, 31, -1;"), 0);
  EXPECT_EQ(accesses("setp.eq.u32 %p1, %r1, 0; vote.sync.any.pred %p2, %p1, -1;"), 0);
  EXPECT_EQ(accesses("nanosleep.u32 %r2;"), 1);
  EXPECT_EQ(accesses("", ".target sm_90, debug"), 1);
}

// A struct { char; int; } is copied with the three bytes between them; four that nobody wrote are a number.
TEST(PtxInstructions, PaddingIsCopiedThoughNobodyWroteIt) {
  const auto error_of = [](const std::string& load) {
    const sim::CompileResult made = sim::compile(
        {.text =
             ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() { .reg .b16 %s<5>; .reg .b32 %r<3>; "
             ".local .align 8 .b8 pair[16]; mov.u16 %s1, 7; st.local.u8 [pair], %s1; mov.u32 %r1, 9; "
             "st.local.u32 [pair+8], %r1; " +
             load + " st.local.v2.u16 [pair], {%s1, %s2}; st.local.v2.u32 [pair+8], {%r1, %r2}; ret; }"});
    EXPECT_TRUE(made.program) << load;
    sim::Launch launch;
    launch.block = {32, 1, 1};
    const sim::Trace trace = sim::trace_block(*made.program, launch, memory::default_gpu_model(), {0, 0, 0});
    return trace.error ? trace.error->message.english() : std::string();
  };
  for (const char* load : {"ld.local.u32 %r2, [pair];", "ld.local.v4.u8 {%s1, %s2, %s3, %s4}, [pair];",
                           "ld.local.u8 %s1, [pair+2];", "ld.local.v2.u32 {%r1, %r2}, [pair+8];"})
    EXPECT_EQ(error_of(load), "") << load;
  EXPECT_THAT(error_of("ld.local.u32 %r2, [pair+12];"), testing::HasSubstr("has not written yet"));
}

TEST(PtxInstructions, BarriersThatVote) {
  const std::string low = "setp.le.f32 %p2, %f1, %f2; ";  // of two threads
  EXPECT_THAT(results(low + "bar.red.popc.u32 %r9, 0, %p2;"), ElementsAre(2, 2, 2, 2));
  EXPECT_THAT(results(low + "bar.red.and.pred %p3, 0, %p2; selp.u32 %r9, 1, 0, %p3;"),
              ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(results(low + "bar.red.or.pred %p3, 0, %p2; selp.u32 %r9, 1, 0, %p3;"),
              ElementsAre(1, 1, 1, 1));
}

TEST(PtxInstructions, FieldsOfSixtyFourBits) {
  EXPECT_THAT(results("mov.b64 %rd5, 1311768467463790320; mov.b64 %rd6, -1; shl.b32 %r2, %r1, 4;"
                      "bfi.b64 %rd7, %rd5, %rd6, %r2, 32; shr.u64 %rd7, %rd7, 16; cvt.u32.u64 %r9, %rd7;"),
              ElementsAre(0xffff9abc, 0x9abcdef0, 0xdef0ffff, 0xffffffff));
  // At bits 0, 20, 40 and 60, of which the last 12 go beyond the end.
  const auto taken = [](const std::string& type) {
    return results(
        "mov.b64 %rd5, -7911603569390985488; mul.lo.u32 %r2, %r1, 20;"
        "bfe." +
        type + " %rd6, %rd5, %r2, 12; cvt.u32.u64 %r9, %rd6;");
  };
  EXPECT_THAT(taken("u64"), ElementsAre(0xef0, 0x9ab, 0x456, 0x9));
  EXPECT_THAT(taken("s64"), ElementsAre(0xfffffef0, 0xfffff9ab, 0x456, 0xfffffff9));
}

TEST(PtxInstructions, SumsThatCarry) {
  EXPECT_THAT(results("add.cc.u32 %r2, %r1, 0xffffffff; addc.u32 %r9, 7, 0;"), ElementsAre(7, 8, 8, 8));
  EXPECT_THAT(results("sub.cc.u32 %r2, %r1, 2; subc.u32 %r9, 5, 0;"), ElementsAre(4, 4, 5, 5));
  EXPECT_THAT(results("mad.lo.cc.u32 %r2, %r1, 0x80000000, 0x80000000;"
                      "madc.hi.u32 %r9, %r1, 0x80000000, 10;"),
              ElementsAre(10, 11, 11, 12));
  EXPECT_THAT(results("add.cc.u32 %r2, %r1, 0xffffffff; addc.cc.u32 %r3, 0xffffffff, 0; addc.u32 %r9, 0, 0;"),
              ElementsAre(0, 1, 1, 1));
}

TEST(PtxInstructions, TheSignIsTheFirstOperands) {
  EXPECT_THAT(results("sub.f32 %f3, %f1, %f2; mov.f32 %f4, 0fC0000000; setp.eq.u32 %p2, %r1, 0;"
                      "selp.f32 %f3, %f2, %f3, %p2; copysign.f32 %f5, %f3, %f4; mov.b32 %r9, %f5;"),
              ElementsAre(0x40000000, 0xc0000000, 0x40000000, 0x40000000));
}

TEST(PtxInstructions, AtomicsOfHalves) {
  EXPECT_THAT(results("mov.b16 %rs1, 0x3c00; atom.add.noftz.f16 %rs2, [%rd2], %rs1; bar.sync 0;"
                      "ld.global.u32 %r9, [%rd2]; bar.sync 0;"),
              ElementsAre(0x4400, 0x4400, 0x4400, 0x4400));
  EXPECT_THAT(results("mov.b32 %r2, 0x3c004000; atom.add.noftz.f16x2 %r3, [%rd2], %r2; bar.sync 0;"
                      "ld.global.u32 %r9, [%rd2]; bar.sync 0;"),
              ElementsAre(0x44004800, 0x44004800, 0x44004800, 0x44004800));
}

// PTX has bytes; the text that it was compiled from says what they are.
TEST(PtxModules, SharedArraysAreAsTheSourceDeclaresThem) {
  sim::CompileRequest request;
  request.text = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry _Z4turnILi16EEvPf(.param .u64 _Z4turnILi16EEvPf_param_0)
{
 .shared .align 4 .b8 _ZZ4turnILi16EEvPfE4tile[1088];
 .reg .b32 %r<4>;
 mov.u32 %r1, _ZZ4turnILi16EEvPfE4tile;
 ld.shared.u32 %r2, [%r1];
 st.shared.u32 [%r1+4], %r2;
 ret;
}
)";
  const auto array = [&] {
    const sim::CompileResult compiled = sim::compile(request);
    return compiled.program ? compiled.program->shared_arrays.at(0) : sim::SharedArray{};
  };
  EXPECT_THAT(array().extents, ElementsAre(1088));
  request.source =
      "template <int N> __global__ void turn(float* out) {\n"
      "  __shared__ float tile[N][N + 1];\n  tile[0][1] = tile[0][0];\n}\n";
  request.source_name = "turn.cu";
  EXPECT_THAT(array().extents, ElementsAre(16, 17));
  EXPECT_EQ(array().element, sim::ScalarType::F32);
  EXPECT_EQ(array().bytes, 1088);
  request.source_name = "turn.py";  // no CUDA C++
  EXPECT_THAT(array().extents, ElementsAre(1088));
}

// A kernel is named by any part of its name that no other has; where several have it they are listed, and
// none is taken.
TEST(PtxModules, AKernelIsMeantByAsMuchOfItsNameAsIsNeeded) {
  std::string text = ".version 8.0\n.target sm_90\n.address_size 64\n";
  int stores = 0;  // of each entry: which one was compiled
  for (const char* name : {"_Z1kPf", "_ZN1a1kEPf", "_ZN1b1a1kEPf", "_ZN1a4turnILi32ELb1EEEvPf",
                           "_ZN1a4turnILi16ELb0EEEvPf", "_ZN1c4onlyILj8EEEvPf", "plain"}) {
    text += std::string(".visible .entry ") + name +
            "(.param .u64 p)\n{\n.reg .b64 %rd<2>;\nld.param.u64 %rd1, [p];\n";
    ++stores;
    for (int i = 0; i < stores; ++i) text += "st.global.u32 [%rd1+" + std::to_string(4 * i) + "], 1;\n";
    text += "ret;\n}\n";
  }
  const auto taken = [&](const std::string& kernel) -> std::string {
    const sim::CompileResult compiled = sim::compile({.text = text, .kernel = kernel});
    if (compiled.program) return std::to_string(compiled.program->sites.size());
    const cuda::Diagnostic& said = compiled.diagnostics.front();
    return said.message.english() + "; " + said.remedy.english();
  };
  for (const auto& [kernel, expected] : std::vector<std::pair<std::string, std::string>>{
           {"k", "1"},
           {"::k", "1"},
           {"_ZN1a1kEPf", "2"},
           {"a::k", "2"},
           {"b::a::k", "3"},
           {"b::a::k(float*)", "3"},
           {"turn<32>", "4"},
           {"a::turn<16, false>", "5"},
           {"turn<16,0>", "5"},
           {"only", "6"},
           {"only<8>", "6"},
           {"c::only<8u>", "6"},
           {"plain", "7"},
           {"turn", "the file has 2 kernels 'turn': turn<32, true>, turn<16, false>; choose one of these"},
           {"b::turn",
            "the file has no kernel 'b::turn'; it has: k, a::k, b::a::k, turn<32, true>, turn<16, false>, "
            "only<8u>, plain"},
       })
    EXPECT_EQ(taken(kernel), expected) << kernel;
  const sim::KernelList list = sim::list_kernels(text);
  std::vector<std::string> names;
  for (const sim::KernelSignature& one : list.kernels) names.push_back(one.name);
  EXPECT_THAT(names,
              ElementsAre("k", "a::k", "b::a::k", "turn<32, true>", "turn<16, false>", "only<8u>", "plain"));
}

// Which parameters of 64 bits are pointers, of a kernel with four, a shared `tile` and a local `rows`.
std::vector<bool> are_pointers(const std::string& text) {
  const sim::CompileResult compiled = sim::compile({.text = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1, .param .u64 k_param_2, .param .u64 k_param_3)
{
 .shared .align 4 .b8 tile[1024];
 .local .align 16 .b8 rows[16];
 .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<16>;
 ld.param.u64 %rd1, [k_param_0];
 ld.param.u64 %rd2, [k_param_1];
 ld.param.u64 %rd3, [k_param_2];
 ld.param.u64 %rd4, [k_param_3];
)" + text + " ret;\n}\n"});
  EXPECT_TRUE(compiled.program) << compiled.diagnostics.front().message.english();
  std::vector<bool> made;
  if (!compiled.program) return made;
  for (const sim::KernelParameter& parameter : compiled.program->parameters)
    made.push_back(parameter.is_pointer);
  return made;
}

// A parameter that an address may be is a pointer, also beside an array; one that is added to an address is
// a number.
TEST(PtxModules, WhatAnAddressMayBeIsAPointer) {
  EXPECT_THAT(are_pointers(R"(
 cvta.to.global.u64 %rd5, %rd1;
 mov.u32 %r1, tile;
 cvt.u64.u32 %rd6, %r1;
 cvta.shared.u64 %rd7, %rd6;
 add.s64 %rd8, %rd7, %rd3;
 setp.ne.s64 %p1, %rd4, 0;
 selp.b64 %rd9, %rd8, %rd2, %p1;
 add.s64 %rd10, %rd9, %rd4;
 ld.u32 %r2, [%rd10];
 st.global.u32 [%rd5], %r2;
)"),
              ElementsAre(true, true, false, false));
}

// `float* rows[2] = {a, b}` in local memory: what is loaded from there is what was stored.
TEST(PtxModules, AnAddressThatPassesThroughMemoryIsAPointersStill) {
  EXPECT_THAT(are_pointers(R"(
 mov.u64 %rd5, rows;
 st.local.v2.u64 [%rd5], {%rd1, %rd2};
 add.s64 %rd6, %rd5, %rd3;
 ld.local.u64 %rd7, [%rd6];
 st.u32 [%rd7+4], %r1;
)"),
              ElementsAre(true, true, false, false));
}

// What a kernel leaves in its first buffer, and its totals.
struct Ran {
  std::vector<std::uint8_t> values;
  sim::Totals totals;
};
Ran ran(const sim::CompileRequest& request, const sim::Launch& launch) {
  const sim::CompileResult compiled = sim::compile(request);
  EXPECT_TRUE(compiled.program) << compiled.diagnostics.front().message.english();
  if (!compiled.program) return {};
  const memory::GpuModel& gpu = *memory::find_gpu_model("sm_90");
  const sim::GridValues values = sim::run_grid(*compiled.program, launch, gpu);
  EXPECT_FALSE(values.error) << values.error->message.english();
  return {values.buffers.at(0), sim::grid_totals(*compiled.program, launch, gpu)};
}

// tex, suld and sust as what CUDA C++ makes them from: the same values, from the same requests. What a
// texture holds PTX does not say; its source does.
TEST(PtxInstructions, TexturesAreThoseOfCuda) {
  struct Case {
    const char *text, *ptx;
  };
  constexpr Case kCases[] = {
      {"out[t] = tex1Dfetch<float4>(tex, t * 2).y;",
       "shl.b32 %r3, %r1, 1; tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd2, {%r3}];"},
      {"out[t] = tex2D<float>(tex, t * 0.3f, t * 0.1f);",
       "mul.f32 %f5, %f9, 0f3E99999A; mul.f32 %f6, %f9, 0f3DCCCCCD;"
       "tex.2d.v4.f32.f32 {%f2, %f1, %f3, %f4}, [%rd2, {%f5, %f6}];"},
      {"out[t] = tex2D<unsigned char>(tex, t + 0.5f, 1.5f);",
       "add.f32 %f5, %f9, 0f3F000000; mov.f32 %f6, 0f3FC00000;"
       "tex.2d.v4.u32.f32 {%r4, %r5, %r6, %r7}, [%rd2, {%f5, %f6}]; cvt.rn.f32.u32 %f2, %r4;"},
      {"out[t] = tex3D<float2>(tex, t, 1, 0).y;",
       "mov.f32 %f5, 0f3F800000; mov.f32 %f6, 0f00000000;"
       "tex.3d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd2, {%f9, %f5, %f6, %f6}];"},
      {"float2 f = surf2Dread<float2>(to, t * 8, 1); f.x += 1;"
       "surf2Dwrite(f, to, t * 8, 2, cudaBoundaryModeZero); out[t] = f.y;",
       "ld.param.u64 %rd3, [k_param_2]; shl.b32 %r3, %r1, 3; suld.b.2d.v2.b32.trap {%r4, %r5}, [%rd3, {%r3, "
       "1}]; mov.b32 %f3, %r4;"
       "add.f32 %f3, %f3, 0f3F800000; mov.b32 %r4, %f3; mov.b32 %f2, %r5;"
       "sust.b.2d.v2.b32.zero [%rd3, {%r3, 2}], {%r4, %r5};"}};
  const auto launch_of = [](const sim::CompileRequest& request) {
    sim::Launch launch;
    launch.block = {32, 1, 1};
    const sim::CompileResult compiled = sim::compile(request);
    if (!compiled.program) return launch;
    for (const sim::KernelParameter& parameter : compiled.program->parameters) {
      sim::Argument& argument = launch.arguments[parameter.name];
      const bool is_extent = parameter.name.ends_with("th");
      argument = is_extent ? std::int64_t{parameter.name.ends_with("width") ? 32 : 2} : std::int64_t{0};
      if (parameter.name.ends_with("height")) argument = std::int64_t{4};
      sim::Buffer buffer{512, sim::Fill::Random};
      if (parameter.name == "to") buffer.element = sim::ScalarType::F32;  // in PTX it is bits
      if (parameter.is_pointer) argument = buffer;
    }
    return launch;
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.text);
    sim::CompileRequest written, compiled;
    written.text =
        std::string("__global__ void k(float* out, cudaTextureObject_t tex, cudaSurfaceObject_t to) {\n") +
        "  int t = threadIdx.x;\n  " + c.text + "\n}\n";
    compiled.text = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1, .param .u64 k_param_2)
{
 .reg .f32 %f<10>; .reg .b32 %r<8>; .reg .b64 %rd<8>;
 ld.param.u64 %rd1, [k_param_0];
 ld.param.u64 %rd2, [k_param_1];
 cvta.to.global.u64 %rd4, %rd1;
 mov.u32 %r1, %tid.x;
 cvt.rn.f32.u32 %f9, %r1;
 )" + std::string(c.ptx) +
                    R"(
 mul.wide.u32 %rd5, %r1, 4;
 add.s64 %rd6, %rd4, %rd5;
 st.global.f32 [%rd6], %f2;
 ret;
}
)";
    compiled.source = written.text;
    compiled.parameters = {"out", "tex", "to"};
    const Ran by_text = ran(written, launch_of(written)), by_ptx = ran(compiled, launch_of(compiled));
    EXPECT_EQ(by_text.values, by_ptx.values);
    EXPECT_GT(std::ranges::count_if(by_ptx.values, [](std::uint8_t byte) { return byte != 0; }), 8);
    const auto cost = [](const Ran& one) {
      std::uint64_t requests = 0, sectors = 0;
      for (const sim::SiteTotals& site : one.totals.global_sites)
        requests += site.requests, sectors += site.sectors;
      return std::pair(requests, sectors);
    };
    EXPECT_EQ(cost(by_text), cost(by_ptx));
  }
}

// What a texture holds is known by what was compiled before, and else by the source, whatever the kernel is
// called and wherever it stands. It may go through a function's parameter.
TEST(PtxModules, ATextureHoldsWhatItsSourceSays) {
  const auto request_of = [](const std::string& fetches, const std::string& functions) {
    sim::CompileRequest request;
    request.text = R"(.version 8.0
.target sm_90
.address_size 64
)" + functions + R"(
.visible .entry _ZN5block1kILi2EEEvPfy(.param .u64 _ZN5block1kILi2EEEvPfy_param_0, .param .u64 _ZN5block1kILi2EEEvPfy_param_1)
{
 .reg .f32 %f<8>; .reg .b32 %r<4>; .reg .b64 %rd<8>;
 ld.param.u64 %rd1, [_ZN5block1kILi2EEEvPfy_param_0];
 ld.param.u64 %rd2, [_ZN5block1kILi2EEEvPfy_param_1];
 cvta.to.global.u64 %rd4, %rd1;
 mov.u32 %r1, %tid.x;
 )" + fetches + R"(
 mul.wide.u32 %rd5, %r1, 4;
 add.s64 %rd6, %rd4, %rd5;
 st.global.f32 [%rd6], %f1;
 ret;
}
)";
    request.parameters = {"out", "tex"};
    return request;
  };
  const std::string fetch = "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd2, {%r1}];";
  const auto bytes = [](const sim::CompileRequest& request) {
    const sim::CompileResult compiled = sim::compile(request);
    EXPECT_TRUE(compiled.program) << compiled.diagnostics.front().message.english();
    if (!compiled.program) return 0;
    const auto& parameters = compiled.program->parameters;
    const auto tex = std::ranges::find(parameters, "tex", &sim::KernelParameter::name);
    return tex == parameters.end() ? 0 : tex->element_bytes;
  };
  sim::CompileRequest request = request_of(fetch, "");
  EXPECT_EQ(bytes(request), 4);  // as much as is used
  request.source =
      "namespace block {\ntemplate <int N> __global__ void k(float* out, cudaTextureObject_t tex) {\n"
      "  out[threadIdx.x] = tex1Dfetch<float4>(tex, threadIdx.x).x;\n}\n}\n";
  request.source_name = "k.cu";
  EXPECT_EQ(bytes(request), 16);
  request.source.clear();
  sim::KernelParameter known;
  known.name = "tex";
  known.is_pointer = known.is_texture = true;
  known.type = sim::ScalarType::F32;
  known.element_bytes = 8;
  request.textures = {known};
  EXPECT_EQ(bytes(request), 8);

  sim::CompileRequest calls = request_of(
      "{ .param .b64 p0; .param .b32 p1; .param .b32 r0; st.param.b64 [p0], %rd2; st.param.b32 [p1], %r1;"
      "call.uni (r0), fetch, (p0, p1); ld.param.f32 %f1, [r0]; }",
      ".func (.param .b32 f_ret) fetch(.param .b64 f_param_0, .param .b32 f_param_1)\n{\n"
      " .reg .f32 %f<8>; .reg .b32 %r<4>; .reg .b64 %rd<4>;\n"
      " ld.param.u64 %rd2, [f_param_0]; ld.param.u32 %r1, [f_param_1];\n " +
          fetch + "\n st.param.f32 [f_ret], %f1;\n ret;\n}\n");
  calls.textures = {known};
  EXPECT_EQ(bytes(calls), 8);
}

TEST(PtxModules, WhatIsRefusedOfSurfacesIsSaid) {
  sim::CompileRequest request;
  request.text = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 k_param_0)
{
 .reg .b32 %r<4>; .reg .b64 %rd<4>;
 ld.param.u64 %rd1, [k_param_0];
 mov.u32 %r1, %tid.x;
 sust.b.a2d.b32.trap [%rd1, {%r1, %r1, %r1, %r1}], {%r1};
 ret;
}
)";
  const sim::CompileResult compiled = sim::compile(request);
  ASSERT_FALSE(compiled.diagnostics.empty());
  EXPECT_THAT(compiled.diagnostics[0].remedy.english(), testing::HasSubstr("surfaces of one to three"));
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
 st.global.v4.b32 [%rd1], {%f1, %f2, %f3, %r4};
 ret;
}
)";
  const sim::CompileResult compiled = sim::compile({.text = ptx});
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
  EXPECT_TRUE(joinable("L:add.s32 %r2, %r2, 64; " + first + next + "setp.lt.s32 %p2, %r2, 512;@%p2 bra L;"));
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
