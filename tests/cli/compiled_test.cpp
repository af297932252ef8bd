// `report --compiled`: what a compiler makes of a kernel, launched as its text is. A stand-in of nvcc says,
// fails, sleeps and floods as it is told to; with nvcc at hand both doors are held against each other.
#include <gmock/gmock.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/measure/toolkit.h"
#include "tests/cli/run_cli.h"
#include "tests/scenario/folder.h"

namespace warplens::cli_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Lt;
using testing::Not;

class CompiledCli : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path data = WARPLENS_SOURCE_DIR "/tests/data/stand_in_nvcc";
    fs::copy_file(data / "nvcc", folder_ / "nvcc");
    fs::copy_file(data / "copy.ptx", folder_ / "made.ptx");
    fs::copy_file(data / "copy.cu", folder_ / "copy.cu");
    kernel_ = read("copy.cu");
    fs::create_directory(folder_ / "tmp");
    how_.environment = {{"CUDACXX", (folder_ / "nvcc").string()},
                        {"TMPDIR", (folder_ / "tmp").string()},
                        {"XDG_CACHE_HOME", (folder_ / "cache").string()}};
    stand_in("cp \"$here/made.ptx\" \"$out\"");
  }
  void TearDown() override { EXPECT_TRUE(fs::is_empty(folder_ / "tmp")) << "something was left behind"; }

  void put(const std::string& name, const std::string& text) { own_.write(name, text); }
  void stand_in(const std::string& does) { put("how", does + "\n"); }
  std::string read(const std::string& name) const { return own_.read(name); }
  Ran report(std::vector<std::string> words, const std::string& file = "copy.cu") {
    words.insert(words.begin(), {"report", (folder_ / file).string()});
    return run_cli(words, how_);
  }
  Ran compiled(std::vector<std::string> more = {}) {
    more.insert(more.begin(), "--compiled");
    return report(more);
  }
  // Needs nvcc: both doors, as JSON.
  json both(const std::string& file, std::vector<std::string> words, json* written) {
    how_.environment.erase("CUDACXX");
    words.emplace_back("--json");
    if (written != nullptr) *written = report(words, file).json();
    words.emplace_back("--compiled");
    const Ran ran = report(words, file);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.code == 0 ? ran.json() : json();
  }

  const scenario::Folder own_;
  const fs::path folder_ = own_.path();
  std::string kernel_;
  How how_;
};

TEST_F(CompiledCli, IsThePtxLaunchedAsTheTextIs) {
  const json written = report({"--json"}).json();
  const Ran ran = compiled({"--json", "--arch", "sm_100a"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json made = ran.json();
  EXPECT_EQ(made["compiled"], true);
  EXPECT_EQ(made["compiler"], "nvcc 99.1.7");
  EXPECT_EQ(made["architecture"], "sm_100a");
  EXPECT_FALSE(written.contains("compiled"));
  EXPECT_EQ(made["kernel"], "copy");
  for (const char* same : {"grid", "block", "shared_bytes", "arguments"})
    EXPECT_EQ(made["launch"][same], written["launch"][same]) << same;
  // Of the two loads of in[0] one is left.
  EXPECT_EQ(written["totals"]["global"]["load"]["sectors"], 2 * 4 + 2);
  EXPECT_EQ(made["totals"]["global"]["load"]["sectors"], 2 * 4 + 1);
  EXPECT_THAT(read("words"), HasSubstr("-ptx -lineinfo -std=c++17 -O3 -arch=sm_100a"));
  EXPECT_THAT(read("given.cu"), HasSubstr("#line 1"));
  EXPECT_THAT(read("given.cu"), Not(HasSubstr("&copy"))) << "a function of CUDA's may have that name too";
}

TEST_F(CompiledCli, IsKeptInTheCacheByTextOptionsAndCompiler) {
  const auto calls = [&] {
    const std::string text = read("called");
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_EQ(compiled().code, 0);
  EXPECT_EQ(compiled().code, 0);
  EXPECT_EQ(calls(), 1);
  EXPECT_EQ(compiled({"-D", "N=4"}).code, 0);
  EXPECT_EQ(calls(), 2);
  EXPECT_EQ(compiled({"--arch", "sm_80"}).code, 0);
  EXPECT_EQ(calls(), 3);
  put("copy.cu", kernel_ + "// another text\n");
  EXPECT_EQ(compiled().code, 0);
  EXPECT_EQ(calls(), 4);
  EXPECT_EQ(compiled({"-I", folder_.string()}).code, 0);
  EXPECT_EQ(calls(), 5);
  // It does not grow for ever.
  const fs::path kept = folder_ / "cache" / "warplens" / "ptx";
  for (int i = 0; i < 100; ++i) std::ofstream(kept / (std::to_string(i) + ".ptx")) << "old";
  EXPECT_EQ(compiled({"-D", "N=5"}).code, 0);
  EXPECT_EQ(std::distance(fs::directory_iterator(kept), fs::directory_iterator()), 64);
  EXPECT_EQ(compiled({"-D", "N=5"}).code, 0);
  EXPECT_EQ(calls(), 6);
}

TEST_F(CompiledCli, WhatItSaysIsShownWithItsLine) {
  stand_in("echo \"$here/copy.cu(2): error: identifier \\\"x\\\" is undefined\" >&2; exit 2");
  const Ran ran = compiled();
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("nvcc 99.1.7 does not compile"));
  EXPECT_THAT(ran.err, HasSubstr("line 2: error: identifier \"x\" is undefined"));
  stand_in("echo nvcc fatal : Unsupported gpu architecture >&2; exit 1");
  EXPECT_THAT(compiled().err, HasSubstr("Unsupported gpu architecture"));
  stand_in("exit 0");  // and has written nothing
  EXPECT_EQ(compiled().code, 2);
  stand_in("echo no PTX at all >\"$out\"");
  EXPECT_EQ(compiled().code, 2);
}

// As one that nothing launches and no other file can: a compiler leaves it out.
TEST_F(CompiledCli, AKernelIsNamedWhereItIsNotThereByItself) {
  stand_in(
      "sed \"s/_Z4copy/_Z$(grep -q '&copy' \"$here/given.cu\" && echo 4copy || echo 5other)/\" "
      "\"$here/made.ptx\" >\"$out\"");
  const Ran ran = compiled();
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(read("given.cu"), HasSubstr("cudaMalloc")) << "the whole file is compiled";
}

TEST_F(CompiledCli, IsEndedWithAllThatItStarted) {
  stand_in("sleep 1000 & echo $! >\"$here/child\"; echo $$ >\"$here/self\"; sleep 1000");
  const auto begin = std::chrono::steady_clock::now();
  const Ran ran = compiled({"--seconds", "1"});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(ran.code, 4) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("the compiler was ended after 500 ms"));
  EXPECT_LT(took.count(), 20);
  for (const char* file : {"child", "self"}) {
    const int pid = std::atoi(read(file).c_str());
    ASSERT_GT(pid, 1);
    std::string line;
    std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/stat"), line);
    // Ended, and where nobody waits for it still in the system's list.
    EXPECT_TRUE(line.empty() || line.find(") Z ") != std::string::npos) << file << " still runs: " << line;
  }
}

TEST_F(CompiledCli, WhatItFloodsIsCut) {
  stand_in(
      "head -c 30000000 /dev/zero | tr '\\0' 'x' | fold -w 100; head -c 3000000 /dev/zero | tr '\\0' 'y' "
      ">&2; exit 1");
  const Ran lines = compiled();
  EXPECT_EQ(lines.code, 2);
  EXPECT_THAT(lines.err.size(), Lt(8000u));
  stand_in("head -c 30000000 /dev/zero | tr '\\0' 'x'; exit 1");
  const Ran line = compiled();
  EXPECT_EQ(line.code, 2);
  EXPECT_THAT(line.err, HasSubstr("messages are too long to read"));
}

// The kernel alone, without the host's code and the headers that are not here.
TEST_F(CompiledCli, CompilesTheKernelWhereTheFileCannotBe) {
  put("copy.cu", "#include <torch/extension.h>\n" + kernel_);
  stand_in(
      "folder=$(grep -o '[^ ]*/headers' \"$here/words\" | tail -1 | sed s/^-I//)\n"
      "if [ ! -e \"$folder/torch/extension.h\" ]; then\n"
      "  echo 'copy.cu:1:10: fatal error: torch/extension.h: No such file or directory' >&2; exit 1\nfi\n"
      "cp \"$here/made.ptx\" \"$out\"");
  const Ran ran = compiled({"--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.json()["compiler"], "nvcc 99.1.7 without torch/extension.h");
  EXPECT_THAT(read("given.cu"), HasSubstr("__global__ void copy"));
  EXPECT_THAT(read("given.cu"), Not(HasSubstr("cudaMalloc")));
  EXPECT_EQ(compiled({"--json"}).json()["compiler"], "nvcc 99.1.7 without torch/extension.h");  // it was kept
}

// Template arguments that do not compile, as where they were guessed, give way to the host code's.
TEST_F(CompiledCli, ATemplateIsTheHostCodesWhereItsArgumentsDoNotFit) {
  put("copy.cu", "\xEF\xBB\xBFtemplate <class T>\n" + kernel_);
  stand_in(
      "if grep -q warplens_kept \"$here/given.cu\"; then echo 'copy.cu(1): error: no instance' >&2; exit 1; "
      "fi\n"
      "sed 's/_Z4copyPfPKf/_Z4copyIfEvPfPKf/g' \"$here/made.ptx\" >\"$out\"");
  const Ran ran = compiled({"--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.json()["compiler"], "nvcc 99.1.7 with the host code's template arguments");
  EXPECT_THAT(read("given.cu"), Not(HasSubstr("\xEF\xBB\xBF"))) << "it would stand behind a line";
  EXPECT_EQ(compiled({"--template", "float"}).code, 2) << "nobody guessed it, and what was kept is another's";
}

// A header that the compiler finds in a folder of -I is not put beside it once more: it would be read twice.
TEST_F(CompiledCli, AHeaderIsFoundOnce) {
  fs::create_directory(folder_ / "inc");
  put("inc/own.h", "struct Own {};\n");
  put("copy.cu", "#include \"own.h\"\n" + kernel_);
  stand_in(
      "folder=$(grep -o '[^ ]*/headers' \"$here/words\" | tail -1 | sed s/^-I//)\n"
      "if [ -e \"$folder/own.h\" ]; then exit 1; fi\ncp \"$here/made.ptx\" \"$out\"");
  const Ran ran = compiled({"-I", (folder_ / "inc").string()});
  EXPECT_EQ(ran.code, 0) << ran.err;
}

// What a GPU is asked to measure goes with its headers, which a compiler there is given by their names.
TEST_F(CompiledCli, MeasuringTakesOwnHeadersAlong) {
  fs::create_directory(folder_ / "own");
  put("own/a.h", "#include \"b.h\"\n");
  put("own/b.h", "#define TILE 2\n");
  put("copy.cu", "#include \"own/a.h\"\n" + kernel_);
  const std::vector<std::string> words{"measure", (folder_ / "copy.cu").string(), "--request"};
  const json headers = json::parse(run_cli(words, how_).out)["subject"]["headers"];
  EXPECT_EQ(headers["b.h"], "#define TILE 2\n");
  EXPECT_EQ(headers.size(), 2u);
  put("b.h", "#define TILE 3\n");
  put("copy.cu", "#include \"own/a.h\"\n#include \"b.h\"\n" + kernel_);
  EXPECT_THAT(run_cli(words, how_).err, HasSubstr("two headers are called b.h"));
}

// ptxas and nvdisasm are stand-ins: whether the widths of each line are those that the rule finds.
TEST_F(CompiledCli, IsHeldAgainstTheMachineCode) {
  put("pair.ptx", R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry pair(.param .u64 out) {
  .shared .align 16 .b8 tile[256];
  .reg .b32 %r<6>; .reg .b64 %d<4>;
  ld.param.u64 %d1, [out];
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 3;
  mov.u32 %r3, tile;
  add.s32 %r3, %r3, %r2;
  ld.shared.u32 %r4, [%r3];
  ld.shared.u32 %r5, [%r3+4];
  add.s32 %r4, %r4, %r5;
  st.global.u32 [%d1], %r4;
  ret;
})");
  const fs::path tools = folder_ / "cuda" / "bin";
  fs::create_directories(tools);
  for (const char* name : {"cuda/bin/ptxas", "cuda/bin/nvdisasm"}) {
    put(name, "#!/bin/sh\nhere=" + folder_.string() + "\n. $here/$(basename $0).does\n");
    fs::permissions(folder_ / name, fs::perms::owner_all);
  }
  how_.environment["PATH"] = tools.string() + ":/usr/bin:/bin";
  put("ptxas.does", "[ \"$1 $2\" = '-arch=sm_90 --generate-line-info' ] && cp \"$3\" \"$5\"");
  const auto assembled = [&](const std::string& instructions) {
    put("nvdisasm.does",
        "cat <<'EOF'\n.text.other:\n /*0000*/ LDS.128 R4, [R2] ;\n.text.pair:\n" + instructions + "EOF\n");
    const Ran ran = report({"--compiled", "--block", "32", "--json"}, "pair.ptx");
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.json()["totals"]["shared"]["assembled"];
  };
  const json same = assembled(" /*0000*/ @!P0 LDS.64 R4, [R2] ;\n");
  EXPECT_EQ(same["how"], "machine code");
  EXPECT_EQ(same["load"]["requests"], 1);
  EXPECT_FALSE(same.contains("differs"));
  const json other = assembled(" /*0000*/ LDS R4, [R2] ;\n /*0010*/ LDS R5, [R2+0x4] ;\n");
  EXPECT_EQ(other["how"], "rule");
  EXPECT_EQ(other["differs"], json::array({0}));
  EXPECT_EQ(assembled("")["how"], "rule");
  put("ptxas.does", "exit 1");
  EXPECT_FALSE(assembled("").contains("differs"));
}

TEST_F(CompiledCli, WithoutACompilerSaysWhatIsMissing) {
  how_.environment["CUDACXX"] = (folder_ / "none").string();
  const Ran ran = compiled();
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.err, HasSubstr("none could not be started"));
  EXPECT_THAT(ran.err, HasSubstr("CUDACXX=path"));
  EXPECT_EQ(report({"--compiled", "--block", "32"}, "made.ptx").code, 0);  // as it is
  EXPECT_EQ(compiled({"--arch", "90; rm"}).code, 2);
}

class CompiledByNvcc : public CompiledCli {
 protected:
  void SetUp() override {
    CompiledCli::SetUp();
    if (measure::find_in_toolkit("nvcc").empty()) GTEST_SKIP() << "there is no nvcc";
  }
};

TEST_F(CompiledByNvcc, StructsConstantsAndTemplatesArrive) {
  put("more.cu", R"(#include "more.h"
struct P { int n; float scale; float* out; };
__constant__ int steps[4] = {3, 1, 0, 2};
namespace ns {
template <typename T, int N, bool kTwice>
__global__ void gather(P p, const float4* in, T start, short every) {
  int i = (int)start + threadIdx.x * every * (kTwice ? 2 : 1);
  if (i < p.n) p.out[i] = in[steps[threadIdx.x % 4] * N + i].y * p.scale * HEADER;
}
}
)");
  put("more.h", "#define HEADER 2\n");
  json written;
  const std::vector<std::string> words{"--kernel", "ns::gather", "--template", "double,4,true", "--block",
                                       "32",       "--set",      "p.n=64",     "--set",         "p.scale=2",
                                       "--set",    "p.out=@64",  "--set",      "in=@128:iota",  "--set",
                                       "start=2",  "--set",      "every=1"};
  const json made = both("more.cu", words, &written);
  ASSERT_TRUE(made.is_object());
  EXPECT_EQ(made["kernel"], "gather<double, 4, true>");
  for (const char* op : {"load", "store"}) {
    EXPECT_EQ(made["totals"]["global"][op]["requests"], written["totals"]["global"][op]["requests"]) << op;
    EXPECT_EQ(made["totals"]["global"][op]["sectors"], written["totals"]["global"][op]["sectors"]) << op;
  }
  EXPECT_EQ(made["launch"]["arguments"]["every"], 1);
}

// Of two kernels of one name, and of two instances, the one that is meant.
TEST_F(CompiledByNvcc, NamespacesNeedNotBeNamed) {
  put("spaces.cu", R"(struct Same { static constexpr int kStep = 8; };
namespace a {
struct Wide { static constexpr int kStep = 2; };
template <typename T> __global__ void strided(float* out) { out[threadIdx.x * T::kStep] = 1; }
__global__ void k(float* out) { out[threadIdx.x] = 2; }
namespace {
template <int N> __global__ void inner(float* out) { out[threadIdx.x * N] = 3; }
}
}
namespace b::c {
struct Wide { static constexpr int kStep = 4; };
__global__ void k(float* out) { out[threadIdx.x * 2] = 4; }
}
void strided() {}
void instances(float* out) {
  a::strided<b::c::Wide><<<1, 32>>>(out);
}
)");
  const auto sectors = [&](const std::string& kernel) {
    json written;
    const json made =
        both("spaces.cu", {"--kernel", kernel, "--block", "32", "--set", "out=@1024"}, &written);
    const json counted = made["totals"]["global"]["store"]["sectors"];
    EXPECT_EQ(counted, written["totals"]["global"]["store"]["sectors"]) << kernel;
    return counted;
  };
  EXPECT_EQ(sectors("strided<Wide>"), 8);
  EXPECT_EQ(sectors("a::strided<Same>"), 32);
  EXPECT_EQ(sectors("a::k"), 4);
  EXPECT_EQ(sectors("c::k"), 8);
  EXPECT_EQ(sectors("inner<4>"), 16);
}

// What only a compiler reads is launched as its signature says.
TEST_F(CompiledByNvcc, AFileThatIsRefusedHereIsCompiledThere) {
  put("own.cu", R"(#include <tuple>
template <typename T>
__global__ void refused(T* out, const float4* in, int n, float by) {
  auto both = [&](auto... all) { return std::tuple_size<std::tuple<decltype(all)...>>::value; };
  int i = threadIdx.x;
  if (i < n) out[i] = in[i].x * by + both(1, 2.0f);
}
int main() {
  float* out; float4* in;
  cudaMalloc(&out, 32 * sizeof(float)); cudaMalloc(&in, 32 * sizeof(float4));
  refused<float><<<1, 32>>>(out, in, 32, 0.5f);
}
)");
  how_.environment.erase("CUDACXX");
  const Ran written = report({}, "own.cu");
  EXPECT_EQ(written.code, 2) << "the C++ door reads it by now: take another text";
  const json made = both("own.cu", {}, nullptr);
  ASSERT_TRUE(made.is_object());
  EXPECT_EQ(made["totals"]["global"]["load"]["sectors"], 16);
  EXPECT_EQ(made["totals"]["global"]["store"]["sectors"], 4);
  EXPECT_EQ(made["launch"]["arguments"]["in"]["elements"], 128);  // as many floats
}

// A library's headers, in which the text's own parser finds no kernel and no types: the kernel is the file's,
// the instance the host code's, and what is in the struct is guessed and said.
TEST_F(CompiledByNvcc, BehindHeadersThatAreNotUnderstoodHere) {
  fs::create_directory(folder_ / "inc");
  put("inc/lib.h",
      "#undef __global__\n#define __global__ __attribute__((global))\n"
      "template <class T> struct View { T* data; long n; };\n");
  put("own.cu", R"(#include <lib.h>
template <class V>
__global__ void filled(V view) {
  if (threadIdx.x < view.n) view.data[threadIdx.x] = view.n;
}
void host() { auto launched = &filled<View<int>>; (void)launched; }
)");
  how_.environment.erase("CUDACXX");
  const std::string folder = (folder_ / "inc").string();
  const Ran ran = report({"--compiled", "-I", folder}, "own.cu");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("the launch is guessed from the signature: --grid 64 --block 256"));
  EXPECT_THAT(ran.err, HasSubstr("of types that are not known here, guessed: view.0=a buffer without end, "
                                 "view.8=1048576\n"));
  EXPECT_THAT(ran.out, HasSubstr("filled<View<int>"));
  EXPECT_THAT(ran.out, HasSubstr("with the host code's template arguments"));
}

TEST_F(CompiledByNvcc, ItsMessagesHaveTheLinesOfTheText) {
  put("wrong.cu", "__global__ void k(float* out) {\n  out[threadIdx.x] = missing;\n}\n");
  how_.environment.erase("CUDACXX");
  const Ran ran = report({"--compiled", "--block", "32"}, "wrong.cu");
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("line 2: error: identifier \"missing\" is undefined"));
}

TEST_F(CompiledByNvcc, TraceAndExplainTakeItToo) {
  how_.environment.erase("CUDACXX");
  const Ran ran = run_cli({"trace", (folder_ / "copy.cu").string(), "--compiled"}, how_);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\"op\":\"load\""));
  EXPECT_THAT(run_cli({"explain", "--help"}, how_).out, HasSubstr("--compiled"));
}

}  // namespace
}  // namespace warplens::cli_test
