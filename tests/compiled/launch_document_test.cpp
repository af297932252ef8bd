// warplens.launch/1: what a document says reaches the launch; what is wrong is said with its field.
#include "sim/scenario/launch_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "sim/count/totals.h"
#include "sim/scenario/target.h"
#include "tests/scenario/folder.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// out[i] = in[index[i]] + scale, n elements; one struct of a float and an int by value.
constexpr const char* kGather = R"(.version 8.0
.target sm_80
.address_size 64
.const .align 4 .f32 bias[1] = {0f40000000};
.visible .entry gather(
 .param .u64 gather_param_0, .param .u64 gather_param_1, .param .u64 gather_param_2,
 .param .align 4 .b8 gather_param_3[8], .param .u32 gather_param_4)
{
 .reg .pred %p<2>; .reg .f32 %f<8>; .reg .b32 %r<8>; .reg .b64 %rd<16>;
 .file 1 "gather.cu"
 .loc 1 2 1
 ld.param.u64 %rd1, [gather_param_0];
 ld.param.u64 %rd2, [gather_param_1];
 ld.param.u64 %rd3, [gather_param_2];
 ld.param.f32 %f1, [gather_param_3];
 ld.param.u32 %r1, [gather_param_3+4];
 ld.param.u32 %r2, [gather_param_4];
 mov.u32 %r3, %tid.x;
 setp.ge.s32 %p1, %r3, %r2;
 @%p1 bra DONE;
 cvta.to.global.u64 %rd4, %rd1;
 cvta.to.global.u64 %rd5, %rd2;
 cvta.to.global.u64 %rd6, %rd3;
 mul.wide.s32 %rd7, %r3, 4;
 add.s64 %rd8, %rd6, %rd7;
 .loc 1 3 3
 ld.global.u32 %r4, [%rd8];
 add.s32 %r4, %r4, %r1;
 mul.wide.s32 %rd9, %r4, 4;
 add.s64 %rd10, %rd5, %rd9;
 ld.global.f32 %f2, [%rd10];
 ld.const.f32 %f4, [bias];
 fma.rn.f32 %f3, %f2, %f1, %f4;
 add.s64 %rd11, %rd4, %rd7;
 st.global.f32 [%rd11], %f3;
DONE:
 ret;
}
)";

class LaunchDocument : public testing::Test {
 protected:
  LaunchDocument() {
    fs::create_directories(folder_ / "below");
    own_.write("gather.ptx", kGather);
  }

  scenario::Outcome<scenario::Setup> load(const std::string& arguments, const std::string& more = "") {
    std::ofstream(folder_ / "x.launch.json")
        << R"({"schema": "warplens.launch/1", "code": "gather.ptx", "grid": [1], "block": [32], "arguments": [)"
        << arguments << "]" << more << "}";
    return scenario::load_launch(folder_ / "x.launch.json");
  }
  std::string error_of(const std::string& arguments, const std::string& more = "") {
    const auto loaded = load(arguments, more);
    return loaded.errors.empty() ? "" : loaded.errors.front().english();
  }
  std::vector<float> out_of(const std::string& arguments, const std::string& more = "") {
    auto loaded = load(arguments, more);
    EXPECT_TRUE(loaded) << (loaded.errors.empty() ? "" : loaded.errors.front().english());
    if (!loaded) return {};
    const auto prepared = scenario::prepare(std::move(*loaded.value), *memory::find_gpu_model("sm_90"));
    EXPECT_TRUE(prepared) << (prepared.errors.empty() ? "" : prepared.errors.front().english());
    if (!prepared) return {};
    const auto values =
        sim::run_grid(prepared.value->program, prepared.value->setup.launch, *prepared.value->gpu);
    EXPECT_FALSE(values.error) << values.error->message.english();
    const std::vector<std::uint8_t>& bytes = values.buffers.at(0);
    std::vector<float> out(bytes.size() / sizeof(float));
    std::memcpy(out.data(), bytes.data(), out.size() * sizeof(float));
    return out;
  }

  const scenario::Folder own_;
  const fs::path folder_ = own_.path();
};

// 3.0f and 1: in[index[i] + 1] * 3 + bias.
constexpr const char* kStruct = R"({"bytes": "0000404001000000"})";

TEST_F(LaunchDocument, ContentsStructsAndConstantsReachTheKernel) {
  const std::string index = R"({"buffer": "i32", "elements": 4, "contents": {"values": [3, 0, 2]}})";
  const std::string in = R"({"buffer": "f32", "elements": 8, "contents": {"fill": "index"}})";
  const std::string out = R"({"buffer": "f32", "elements": 4})";
  EXPECT_THAT(out_of(out + "," + in + "," + index + "," + kStruct + R"(, {"i32": 4})"),
              testing::ElementsAre(14, 5, 11, 5));  // 4, 1, 3, 1 times 3 plus 2
  EXPECT_THAT(out_of(out + "," + in + "," + index + "," + kStruct + R"(, {"i32": 2})",
                     R"(, "constants": {"bias": {"values": [100]}})"),
              testing::ElementsAre(112, 103, 0, 0));
}

// A pointer that is not used, numbers of 64 bits with and without a sign, a cluster that PTX does not say.
TEST_F(LaunchDocument, EveryNumberAndPointerReachesTheKernel) {
  own_.write("u.ptx", R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry u(.param .u64 out, .param .u64 unused, .param .u64 large, .param .u64 negative)
{
 .reg .b32 %r<4>; .reg .b64 %rd<8>; .reg .pred %p<2>;
 ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [large]; ld.param.u64 %rd3, [negative]; ld.param.u64 %rd4, [unused];
 setp.ne.s64 %p1, %rd4, 0;
 selp.u64 %rd4, 1, 0, %p1;
 mov.u32 %r1, %cluster_nctarank;
 cvt.u64.u32 %rd5, %r1;
 st.global.v2.u64 [%rd1], {%rd2, %rd3};
 st.global.v2.u64 [%rd1+16], {%rd4, %rd5};
 ret;
}
)");
  std::ofstream(folder_ / "u.launch.json") << R"({"schema": "warplens.launch/1", "code": "u.ptx", "grid": [4],
    "block": [1], "cluster": [4], "arguments": [{"buffer": "u64", "elements": 4}, {"buffer": "f32", "elements": 1},
    {"u64": 18446744073709551614}, {"i64": -3}]})";
  auto loaded = scenario::load_launch(folder_ / "u.launch.json");
  ASSERT_TRUE(loaded) << loaded.errors.front().english();
  const auto prepared = scenario::prepare(std::move(*loaded.value), *memory::find_gpu_model("sm_90"));
  ASSERT_TRUE(prepared) << prepared.errors.front().english();
  const auto values =
      sim::run_grid(prepared.value->program, prepared.value->setup.launch, *prepared.value->gpu);
  std::array<std::uint64_t, 4> words{};
  std::memcpy(words.data(), values.buffers.at(0).data(), sizeof words);
  EXPECT_THAT(words, testing::ElementsAre(~std::uint64_t{1}, ~std::uint64_t{2}, 1, 4));
  // And back, where nothing that stands there is written over.
  own_.write("w.out.bin", "somebody's");
  ASSERT_TRUE(scenario::write_launch(*prepared.value, folder_ / "w.launch.json").empty());
  const auto again = scenario::load_launch(folder_ / "w.launch.json");
  ASSERT_TRUE(again) << again.errors.front().english();
  EXPECT_EQ(again.value->launch.arguments, prepared.value->setup.launch.arguments);
}

TEST_F(LaunchDocument, ANumberOfAnotherKindIsRefused) {
  const std::string before =
      R"({"null": true}, {"null": true}, {"null": true}, )" + std::string(kStruct) + ", ";
  EXPECT_THAT(error_of(before + R"({"f64": 3.0})"), HasSubstr("arguments[4].f64"));
  EXPECT_THAT(error_of(before + R"({"i64": 4294967299})"), HasSubstr("does not fit"));
  EXPECT_THAT(error_of(R"({"null": false})"), HasSubstr("arguments[0].null"));
  EXPECT_THAT(error_of(R"({"buffer": "f32", "elements": 4, "contents": {"fill": "zeros", "values": [1]}})"),
              HasSubstr("more than one of"));
}

TEST_F(LaunchDocument, AFileHoldsContentsAndOneNameIsOneBuffer) {
  {
    std::ofstream file(folder_ / "below/in.bin", std::ios::binary);
    for (const float value : {10.0f, 20.0f, 30.0f, 40.0f})
      file.write(reinterpret_cast<const char*>(&value), 4);
  }
  const std::string both =
      R"({"buffer": "f32", "elements": 4, "name": "a", "contents": {"file": "below/in.bin"}},
         {"buffer": "f32", "name": "a", "offset": 4}, {"buffer": "i32", "elements": 2})";
  // out and in are one buffer, in one element further: out[i] = a[0 + 1 + 1] * 3 + 2
  EXPECT_THAT(out_of(both + "," + kStruct + R"(, {"i32": 1})"), testing::ElementsAre(92, 20, 30, 40));
}

TEST_F(LaunchDocument, WhatIsWrongIsSaidWithItsField) {
  const std::string good = R"({"buffer": "f32", "elements": 4}, {"buffer": "f32", "elements": 8})";
  EXPECT_THAT(error_of(R"({"i32": 4})"), HasSubstr("arguments[0].i32"));
  EXPECT_THAT(error_of(R"({"buffer": "f33", "elements": 4})"), HasSubstr("is not one of u8"));
  EXPECT_THAT(error_of(R"({"buffer": "f32", "elements": 4, "contents": {"values": [1,2,3,4,5]}})"),
              HasSubstr("has 5 entries"));
  EXPECT_THAT(error_of(R"({"buffer": "f32", "elements": 4, "contents": {"file": "gather.ptx"}})"), "");
  EXPECT_THAT(error_of(R"({"buffer": "f32", "elements": 4000, "contents": {"file": "gather.ptx"}})"),
              HasSubstr("4000 elements take 16000"));
  for (const char* name : {"/etc/passwd", "../x.bin", "below/../../x.bin"})
    EXPECT_THAT(
        error_of(R"({"buffer": "f32", "elements": 1, "contents": {"file": ")" + std::string(name) + R"("}})"),
        HasSubstr("beside the document or below it"));
  fs::create_symlink("/etc", folder_ / "below/etc");
  EXPECT_THAT(error_of(R"({"buffer": "u8", "elements": 1, "contents": {"file": "below/etc/passwd"}})"),
              HasSubstr("beside the document or below it"));
  EXPECT_THAT(error_of(good + R"(, {"null": true}, {"bytes": "00"})"), HasSubstr("has 1 bytes"));
  EXPECT_THAT(error_of(good + R"(, {"null": true}, {"i32": 1})"), HasSubstr("struct"));
  EXPECT_THAT(error_of(good + R"(, {"null": true}, {"bytes": "zz"})"),
              HasSubstr("must be bytes in hexadecimal"));
  EXPECT_THAT(error_of(good, R"(, "constants": {"mask": {"fill": "zeros"}})"),
              HasSubstr("no variable of that name"));
  EXPECT_THAT(error_of(good, R"(, "grids": [1])"), HasSubstr("grids: is not known here"));
  EXPECT_THAT(error_of(good + "," + kStruct + "," + kStruct + "," + kStruct + "," + kStruct),
              HasSubstr("5 parameters"));
}

// What is on screen, written and read again, is the same launch.
TEST_F(LaunchDocument, WhatIsWrittenIsReadAsTheSameLaunch) {
  std::ofstream(folder_ / "scale.cu")
      << "__global__ void scale(float4* out, const int* in, double by, unsigned n) {\n"
         "  if (threadIdx.x < n) out[threadIdx.x].x = in[threadIdx.x] * by;\n}\n";
  scenario::Target target;
  target.what = (folder_ / "scale.cu").string();
  target.block = "64";
  target.grid = "2,3";
  target.sets = {"out=@128", "in=@256:random(0,9)+4", "by=0.5", "n=60"};
  auto setup = scenario::resolve(target);
  ASSERT_TRUE(setup);
  const auto prepared = scenario::prepare(std::move(*setup.value), *memory::find_gpu_model("sm_90"));
  ASSERT_TRUE(prepared) << prepared.errors.front().english();
  for (const fs::path& file : {folder_ / "scale.launch.json", folder_ / "below/scale.launch.json"}) {
    const auto errors = scenario::write_launch(*prepared.value, file);
    ASSERT_TRUE(errors.empty()) << errors.front().english();
    auto again = scenario::load_launch(file);
    ASSERT_TRUE(again) << again.errors.front().english();
    const sim::Launch launch = again.value->launch;
    EXPECT_EQ(launch.grid, (sim::Dim3{2, 3, 1}));
    EXPECT_EQ(launch.block, (sim::Dim3{64, 1, 1}));
    const auto twice = scenario::prepare(std::move(*again.value), *memory::find_gpu_model("sm_90"));
    ASSERT_TRUE(twice) << twice.errors.front().english();
    const auto& gpu = *prepared.value->gpu;
    EXPECT_EQ(sim::run_grid(prepared.value->program, prepared.value->setup.launch, gpu).buffers,
              sim::run_grid(twice.value->program, launch, gpu).buffers);
  }
  EXPECT_THAT(scenario::write_launch(*prepared.value, folder_ / "x.json").front().english(),
              HasSubstr("NAME.launch.json"));
}

TEST_F(LaunchDocument, PlacesAreInTheSourceThatLiesBesideIt) {
  std::ofstream(folder_ / "gather.cu")
      << "// a comment\n__global__ void gather(...) {\n  out[i] = in[index[i]];\n}\n";
  const auto loaded = load(R"({"buffer": "f32", "elements": 4})");
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded.value->compile.source_name, "gather.cu");
  const auto compiled = sim::compile(loaded.value->compile);
  ASSERT_TRUE(compiled.program);
  for (const sim::AccessSite& site : compiled.program->sites) {
    EXPECT_EQ(site.range.begin.line, 3);
    EXPECT_EQ(site.range.begin.column, 3);
    EXPECT_EQ(site.text, "out[i] = in[index[i]];");
  }
  EXPECT_EQ(compiled.program->sites.size(), 3u);
}

TEST(PtxCompiler, WhatIsNotSimulatedIsSaidWithItsPlace) {
  std::string text = kGather;
  text.replace(text.find("fma.rn.f32"), 10, "frob.rn.f32");
  sim::CompileRequest request;
  request.text = text;
  const auto compiled = sim::compile(request);
  ASSERT_FALSE(compiled.program);
  ASSERT_FALSE(compiled.diagnostics.empty());
  EXPECT_THAT(compiled.diagnostics[0].message.english(), HasSubstr("'frob.rn.f32' is not simulated"));
  EXPECT_EQ(compiled.diagnostics[0].range.begin.line, 33);
  // A source, in which the places of accesses are, moves no complaint: the PTX is what is quoted.
  request.source = "// a comment\n__global__ void gather(...) {\n  out[i] = in[index[i]];\n}\n";
  request.source_name = "gather.cu";
  const auto with_source = sim::compile(request);
  ASSERT_FALSE(with_source.diagnostics.empty());
  EXPECT_EQ(with_source.diagnostics[0].range.begin.line, 33);
  EXPECT_EQ(with_source.diagnostics[0].range.begin.offset, compiled.diagnostics[0].range.begin.offset);
}

// ---- what reaches the PTX of a kernel from the launch of its text

// out[t] = what texture has at t, times n.
constexpr const char* kFetchPtx = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry _Z5fetchPfyi(.param .u64 _Z5fetchPfyi_param_0, .param .u64 _Z5fetchPfyi_param_1,
                             .param .u32 _Z5fetchPfyi_param_2)
{
 .reg .f32 %f<8>; .reg .b32 %r<4>; .reg .b64 %rd<8>;
 ld.param.u64 %rd1, [_Z5fetchPfyi_param_0];
 ld.param.u64 %rd2, [_Z5fetchPfyi_param_1];
 ld.param.u32 %r2, [_Z5fetchPfyi_param_2];
 cvta.to.global.u64 %rd4, %rd1;
 mov.u32 %r1, %tid.x;
 tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd2, {%r1}];
 cvt.rn.f32.s32 %f5, %r2;
 mul.f32 %f1, %f1, %f5;
 mul.wide.u32 %rd5, %r1, 4;
 add.s64 %rd6, %rd4, %rd5;
 st.global.f32 [%rd6], %f1;
 ret;
}
)";

scenario::Setup written_fetch(const std::string& body) {
  scenario::Setup setup;
  setup.source_name = "fetch.cu";
  setup.compile.text =
      "__global__ void fetch(float* out, cudaTextureObject_t tex, int n) {\n  " + body + "\n}\n";
  setup.compile.kernel = "fetch";
  setup.launch.block = {32, 1, 1};
  setup.launch.arguments["out"] = sim::Buffer{64};
  setup.launch.arguments["tex"] = sim::Buffer{256};
  return setup;
}

scenario::Setup compiled_fetch(const scenario::Setup& setup) {
  Budget budget;
  auto made = scenario::as_compiled(setup, kFetchPtx, budget);
  EXPECT_TRUE(made) << (made.errors.empty() ? "" : made.errors.front().english());
  return made ? std::move(*made.value) : scenario::Setup{};
}

TEST(AsCompiledLaunch, ANumberThatIsMissingStaysSo) {
  scenario::Setup setup = written_fetch("out[threadIdx.x] = tex1Dfetch<float>(tex, threadIdx.x) * n;");
  EXPECT_FALSE(compiled_fetch(setup).launch.arguments.contains("n"));
  setup.launch.arguments["n"] = std::int64_t{5};
  const auto& arguments = compiled_fetch(setup).launch.arguments;
  ASSERT_TRUE(arguments.contains("n"));
  EXPECT_EQ(arguments.at("n"), sim::Argument{std::int64_t{5}});
}

// The text is compiled with its definitions once, and not again without them.
TEST(AsCompiledLaunch, WhatATextureHoldsIsHandedOn) {
  scenario::Setup setup = written_fetch("out[threadIdx.x] = tex1Dfetch<TEXEL>(tex, threadIdx.x).x * n;");
  setup.compile.defines = {{"TEXEL", "float4"}};
  const scenario::Setup made = compiled_fetch(setup);
  ASSERT_EQ(made.compile.textures.size(), 1u);
  EXPECT_EQ(made.compile.textures[0].name, "tex");
  EXPECT_EQ(made.compile.textures[0].element_bytes, 16);
}

TEST(AsCompiledLaunch, ATextureOfATextThatIsRefusedHereHasItsBuffer) {
  scenario::Setup setup = written_fetch("out[threadIdx.x] = no_such_function(tex) * n;");
  setup.launch.arguments["n"] = std::int64_t{1};
  ASSERT_FALSE(sim::compile(setup.compile).program);
  const auto& arguments = compiled_fetch(setup).launch.arguments;
  ASSERT_TRUE(arguments.contains("tex"));
  const auto* buffer = std::get_if<sim::Buffer>(&arguments.at("tex"));
  ASSERT_NE(buffer, nullptr);
  EXPECT_EQ(buffer->elements, 256u);
  EXPECT_FALSE(buffer->is_null);
}

}  // namespace
}  // namespace warplens
