// The figures that the project promises, from the real program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/run_cli.h"
#include "tests/scenario/folder.h"

namespace warplens::cli_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

TEST(Report, ALaterLaunchOfTheHostCodeIsReportedByItsNumber) {
  const scenario::Folder folder;
  const std::string file = folder.write(
      "put.cu",
      "__global__ void put(float* out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n"
      "__global__ void other(float* out) { out[threadIdx.x] = 1; }\n"
      "int main() {\n  float* out;\n  cudaMalloc(&out, 16384);\n"
      "  for (int b = 32; b <= 512; b *= 4) put<<<4096 / b, b>>>(out);\n  put<<<1, 64>>>(out);\n}\n");
  const Ran first = run_cli({"report", file, "--json"});
  EXPECT_THAT(first.err,
              HasSubstr("--grid 128 --block 32; again in line 7 of the file (--host-launch 2); again with "
                        "block.x 128 (--host-launch 3); again with block.x 512 (--host-launch 4)"));
  EXPECT_EQ(run_cli({"report", file, "--json", "--define", "UNUSED=1"}).err, first.err)
      << "the file's own lines";
  const Ran third = run_cli({"report", file, "--json", "--host-launch", "3"});
  ASSERT_EQ(third.code, 0) << third.err;
  EXPECT_EQ(third.json()["launch"]["block"][0], 128) << third.out.substr(0, 300);
  EXPECT_THAT(run_cli({"report", file, "--host-launch", "5"}).err, HasSubstr("in the host code is 4"));
  EXPECT_THAT(run_cli({"report", file, "--host-launch", "2", "--block", "32"}).err, HasSubstr("excludes"));
}

// As the file's own host code launches it; what the command line says stands, and the rest follows from it.
TEST(Report, AFileWithoutALaunchIsLaunchedAsItsHostCodeDoes) {
  const scenario::Folder folder;
  const std::string file =
      folder.write("scale.cu",
                   "__global__ void scale(float* out, const float* in, int n) {\n"
                   "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                   "  if (i < n) out[i] = 2 * in[i];\n}\n"
                   "int main() {\n  int n = 8192;\n  scale<<<(n + 127) / 128, 128>>>(out, in, n);\n}\n");
  const Ran ran = run_cli({"report", file, "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.json()["totals"]["global"]["load"]["requests"], 8192 / 32);
  EXPECT_THAT(ran.err, HasSubstr("taken from line 7 of the file"));
  EXPECT_THAT(ran.err, HasSubstr("--grid 64 --block 128 --set n=8192"));
  const Ran less =
      run_cli({"report", file, "--json", "--set", "n=64", "--set", "in=@64", "--define", "UNUSED=1"});
  ASSERT_EQ(less.code, 0) << less.err;
  EXPECT_EQ(less.json()["totals"]["global"]["load"]["requests"], 2);
  EXPECT_THAT(less.err, HasSubstr("line 7 of the file"));
  const Ran given = run_cli({"report", file, "--json", "--block", "64", "--set", "n=64"});
  EXPECT_EQ(given.err, "");  // nothing is filled in where the launch is said
  const Ran unknown = run_cli({"report", file, "--kernel", "scales"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'scale'?"));
}

// What is filled in is told as options that can be given back, with the same counts: numbers, no expressions.
TEST(Report, WhatIsFilledInCanBeGivenBack) {
  const scenario::Folder folder;
  const std::string file = folder.write(
      "shift.cu",
      "__global__ void shift(float* out, const float* in, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) out[i] = in[i];\n}\n"
      "int main() {\n  int n = 4096; float *a, *b;\n  cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4);\n"
      "  shift<<<(n + 127) / 128, 128>>>(a, b + 1, n - 1);\n}\n");
  const Ran ran = run_cli({"report", file, "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("--grid 32 --block 128 --set n=4095 --set in=@4096:iota+1"));
  const Ran given = run_cli({"report", file, "--json", "--grid", "32", "--block", "128", "--set", "n=4095",
                             "--set", "in=@4096:iota+1"});
  ASSERT_EQ(given.code, 0) << given.err;
  EXPECT_EQ(given.json()["totals"], ran.json()["totals"]);
}

// A kernel in a file of its own needs what main.cu declares before it includes it, and is launched there.
TEST(Report, AFileThatAnotherIncludesIsReadAsThatOneDoes) {
  const scenario::Folder folder;
  folder.write("main.cu",
               "#define TILE 64\ntypedef float real;\n#include \"kernels.cu\"\n"
               "int main() {\n  scale<<<8, TILE>>>(out, in);\n}\n");
  const std::string file = folder.write("kernels.cu",
                                        "__global__ void scale(real* out, const real* in) {\n"
                                        "  out[blockIdx.x * TILE + threadIdx.x] =\n"
                                        "      2 * in[blockIdx.x * TILE + threadIdx.x];\n}\n");
  const Ran ran = run_cli({"report", file, "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.json()["totals"]["global"]["load"]["requests"], 8 * 64 / 32);
  EXPECT_THAT(ran.err, HasSubstr("kernels.cu: read as main.cu includes it"));
  EXPECT_THAT(ran.err, HasSubstr("taken from line 5 of main.cu"));
  const Ran given = run_cli(
      {"report", file, "--block", "64", "--grid", "8", "--set", "out=@512", "--set", "in=@512", "--json"});
  ASSERT_EQ(given.code, 0) << given.err;
  EXPECT_EQ(given.json()["totals"], ran.json()["totals"]);
}

// What the command line says is no guess: it stands where the kernel fails with it.
TEST(Report, WhatIsSaidIsNotGuessedAgain) {
  const scenario::Folder folder;
  const std::string file =
      folder.write("keep.cu",
                   "template <int SIZE> __global__ void keep(float* x, int count) {\n  float own[SIZE];\n"
                   "  for (int i = 0; i < count; ++i) own[i] = x[i];\n"
                   "  for (int i = 0; i < count; ++i) x[threadIdx.x] += own[count - 1 - i];\n}\n");
  const Ran guessed = run_cli({"report", file, "--template", "64"});
  EXPECT_EQ(guessed.code, 0) << guessed.err;
  EXPECT_THAT(guessed.err, HasSubstr("--template '64' --set count=64"));
  const Ran said = run_cli({"report", file, "--template", "64", "--set", "count=100"});
  EXPECT_EQ(said.code, 2);
  EXPECT_THAT(said.err, HasSubstr("own[64] is out of range"));
}

// A signature alone says no size of dynamic shared memory: as much as the blocks reach; indices that are not
// the usual ones are told; constants of a header count as the file's own, a template of the file's is an
// argument.
TEST(Report, TellsTheLaunchThatIsFilledIn) {
  const scenario::Folder folder;
  folder.write("sizes.h", "#define LANES 96\n");
  for (const auto& [text, words] :
       {std::pair{"template <bool ADDS> __global__ void turn(float* x) {\n  extern __shared__ float s[];\n"
                  "  s[threadIdx.x * 2] = x[threadIdx.x];\n  __syncthreads();\n"
                  "  x[threadIdx.x] = ADDS ? s[threadIdx.x * 2] : 0;\n}\n",
                  "guessed from the signature: --grid 64 --block 256 --shared 2048 --template 'true'"},
        {"__global__ void look(float* out, const int* which) {\n  __shared__ float s[64];\n"
         "  if (threadIdx.x < 64) s[threadIdx.x] = 1;\n  __syncthreads();\n"
         "  out[threadIdx.x] = s[which[blockIdx.x * blockDim.x + threadIdx.x]];\n}\n",
         "--set which=@:zero"},
        {"#include \"sizes.h\"\n"
         "template <typename T> struct Sum { __device__ T operator()(T a, T b) const { return a + b; } };\n"
         "template <typename F> __global__ void add(float* x) { F f; x[threadIdx.x] = f(1.0f, 2.0f); }\n"
         "int main() {\n  float* x;\n  add<Sum<float>><<<2, LANES>>>(x);\n}\n",
         "--grid 2 --block 96 --template 'Sum<float>'"}}) {
    const Ran ran = run_cli({"report", folder.write("k.cu", text).string()});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(words));
  }
}

TEST(Report, AnyKernelFileWithItsLaunch) {
  const scenario::Folder folder;
  const std::string file = folder.write("mine.cu", R"(
template <int STRIDE, typename T>
__global__ void gather(T* out, const T* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i * STRIDE + OFFSET];
}
__global__ void other(int* p) { p[0] = 1; }
int main() { gather<2, float><<<1, 32>>>(nullptr, nullptr, 3); }
)");
  const Ran ran = run_cli({"report",        file,        "--kernel", "gather",
                           "--template",    "8,float",   "--grid",   "4",
                           "--block",       "64",        "--define", "OFFSET=0",
                           "--set",         "n=200",     "--set",    "in=@4096:iota",
                           "--brute-force", "--threads", "1",        "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  // 200 of 256 threads: 6 full warps and one of 8 lanes. Stride 8 floats: a sector a lane.
  const json global = ran.json()["totals"]["global"];
  EXPECT_EQ(global["load"]["requests"], 7);
  EXPECT_EQ(global["load"]["sectors"], 200);
  EXPECT_EQ(global["load"]["bytes"], 800);
  EXPECT_EQ(global["store"]["sectors"], 25);
  EXPECT_EQ(ran.json()["lines"][0]["line"], 5);
  EXPECT_EQ(ran.json()["blocks"], (json{{"simulated", 4}, {"total", 4}}));
}

TEST(Report, TextAndCsv) {
  std::vector<std::string> words = {"report", "transpose_shared", "--block", "32,16",
                                    "--set",  "nrows=2048",       "--set",   "ncols=2048"};
  const Ran text = run_cli(words);
  EXPECT_THAT(text.out, HasSubstr("2,097,152"));
  EXPECT_EQ(text.err, "");
  words.push_back("--csv");
  const Ran csv = run_cli(words);
  EXPECT_EQ(csv.code, 0);
  EXPECT_THAT(
      csv.out,
      HasSubstr(",,total,shared,load,,131072,4194304,16777216,,,,2097152,131072,1966080,,6.2,,,,\r\n"));
}

// Where the blocks of a cluster share their memory, nothing is looked for in it.
TEST(Report, ChecksNoSharedMemoryThatOtherBlocksReach) {
  const scenario::Folder folder;
  const auto checked = [&](const std::string& of, const std::string& body) {
    const std::string file =
        folder.write("k.cu", "__global__ void " + of + " k(int* out) {\n" + body + "}\n");
    return run_cli({"report", file, "--grid", "2", "--block", "32", "--check"}).err;
  };
  EXPECT_THAT(
      checked("__cluster_dims__(2)",
              "  __shared__ int s[32];\n  auto c = cooperative_groups::this_cluster();\n"
              "  s[threadIdx.x] = 1;\n  c.sync();\n"
              "  out[threadIdx.x] = c.map_shared_rank(s, 1 - c.block_rank())[threadIdx.x];\n  c.sync();\n"),
      HasSubstr("neither unwritten memory nor races were looked for"));
  EXPECT_THAT(checked("", "  cooperative_groups::this_grid().sync();\n"), HasSubstr("no race found"));
}

TEST(Trace, OneWarpOfOneBlock) {
  const Ran ran = run_cli({"trace", "transpose_shared", "--set", "nrows=64", "--set", "ncols=64", "--block",
                           "32,16", "--blocks", "1,2", "--warp", "3"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::istringstream lines(ran.out);
  std::vector<json> events;
  for (std::string line; std::getline(lines, line);) events.push_back(json::parse(line));
  ASSERT_EQ(events.size(), 1u + 4);  // in, tile, tile, out
  EXPECT_EQ(events[0]["schema"], "warplens.trace/1");
  EXPECT_EQ(events[0]["warps"], 16);
  EXPECT_EQ(events[0]["events"], 64);
  for (std::size_t i = 1; i < events.size(); ++i) EXPECT_EQ(events[i]["addresses"].size(), 32u);
  EXPECT_EQ(events[1]["buffer"], "in");
  EXPECT_EQ(events[1]["sector_addresses"].size(), events[1]["sectors"].get<std::size_t>());
  EXPECT_EQ(events[3]["array"], "tile");
  EXPECT_EQ(events[3]["wavefronts"], 16);
  EXPECT_EQ(events[4]["buffer"], "out");
  EXPECT_THAT(ran.out, HasSubstr("\"block\":[1,2,0]"));
  // Row 2 * 16 + 3 = 35 of 64 columns, from column 32: byte (35 * 64 + 32) * 4.
  EXPECT_THAT(ran.out, HasSubstr("\"addresses\":[9088,"));
}

TEST(Compare, OptionsFollowTheirTarget) {
  const Ran ran = run_cli({"compare", "--set", "nrows=2048", "--set", "ncols=2048", "transpose_shared",
                           "--set", "pad=0", "transpose_shared", "--set", "pad=2", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.json()["differences"]["shared"]["load"]["wavefronts"], 131072 - 2097152);
  EXPECT_EQ(ran.json()["differences"]["global"]["load"]["sectors"], 0);
  EXPECT_EQ(run_cli({"compare", "transpose_shared"}).code, 2);
  EXPECT_EQ(run_cli({"compare", "transpose_shared", "copy_row", "copy_col"}).code, 2);
}

TEST(List, WhatThereIs) {
  const Ran scenarios = run_cli({"list", "scenarios", "--json"});
  ASSERT_EQ(scenarios.code, 0) << scenarios.err;
  EXPECT_EQ(scenarios.err, "");
  bool found = false;
  const json document = scenarios.json();
  for (const json& entry : document["scenarios"]) found |= entry["name"] == "transpose_shared";
  EXPECT_TRUE(found);
  EXPECT_THAT(run_cli({"list", "gpus"}).out, HasSubstr("sm_90"));
  EXPECT_THAT(run_cli({"list", "lessons", "--lang", "zh-CN"}).out, HasSubstr("三十二个存储体"));
  EXPECT_EQ(run_cli({"list", "cats"}).code, 2);
}

TEST(Doctor, SaysWhatWorks) {
  const Ran ran = run_cli({"doctor", "--json"}, {.environment = {{"WARPLENS_GPU", "/bin/false"}}});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.json()["findings"][0]["state"], "works");
  const Ran lost = run_cli(
      {"doctor"}, {.environment = {{"WARPLENS_DATA", "/nonexistent"}, {"WARPLENS_GPU", "/bin/false"}}});
  EXPECT_EQ(lost.code, 3);
  EXPECT_THAT(lost.out, HasSubstr("WARPLENS_DATA"));
}

TEST(Validate, TheGalleryIsSound) {
  const json document = run_cli({"list", "scenarios", "--json"}).json();
  EXPECT_GT(document["scenarios"].size(), 8u);
  for (const json& entry : document["scenarios"]) {
    const std::string file =
        WARPLENS_SOURCE_DIR "/kernels/" + entry["name"].get<std::string>() + ".scenario.json";
    const Ran ran = run_cli({"validate", file});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("sound"));
  }
}

TEST(Report, PascalIsReportedWithWhatIsNotChecked) {
  const Ran pascal = run_cli({"report", "copy_row", "--gpu", "sm_61"});
  EXPECT_EQ(pascal.code, 0);
  EXPECT_THAT(pascal.out,
              testing::AllOf(HasSubstr("predicted for sm_61"), HasSubstr("Not checked on sm_61")));
  EXPECT_THAT(run_cli({"report", "copy_row"}).out, testing::Not(HasSubstr("Not checked")));
}

TEST(Help, OfEveryCommand) {
  EXPECT_EQ(run_cli({"--help"}).code, 0);
  EXPECT_THAT(run_cli({"--version"}).out, HasSubstr("warplens-cli "));
  for (const char* command :
       {"report", "trace", "compare", "check", "render", "measure", "list", "layout", "validate", "doctor"}) {
    const Ran ran = run_cli({command, "--help"});
    EXPECT_EQ(ran.code, 0) << command;
    EXPECT_NE(ran.out, "") << command;
    EXPECT_EQ(ran.err, "") << command;
  }
}

// 64 threads read in[index[i]]: i gives 2 * 4 sectors, 8 * i one each, and 3 for all of them 2.
TEST(Report, ABufferHoldsWhatTheProgramWrites) {
  const scenario::Folder folder;
  const auto sectors = [&](const std::string& value, std::string* told) {
    const auto file = folder.write(
        "gather.cu",
        "__global__ void gather(float* out, const float* in, const int* index) {\n"
        "  out[threadIdx.x] = in[index[threadIdx.x]];\n}\n"
        "int main() {\n  float *in, *out; int *d, h[64];\n  for (int i = 0; i < 64; i++) h[i] = " +
            value +
            ";\n  cudaMalloc(&in, 4096); cudaMalloc(&out, 256); cudaMalloc(&d, 256);\n"
            "  cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);\n  gather<<<1, 64>>>(out, in, d);\n}\n");
    const Ran ran = run_cli({"report", file, "--json"});
    *told = ran.err;
    if (ran.code != 0) return -1;
    const nlohmann::json report = ran.json();
    EXPECT_EQ(report["launch"]["arguments"]["index"].contains("contents"),
              value.find('i') == 0 || value == "3");
    for (const auto& line : report["lines"])
      if (line["text"] == "in[index[threadIdx.x]]") return line["sectors"].get<int>();
    return -2;
  };
  std::string told;
  EXPECT_EQ(sectors("i * 8", &told), 64);
  EXPECT_THAT(told,
              HasSubstr("index holds what the program writes (no option says it): 64 values from 0 to 504"));
  EXPECT_EQ(sectors("i / 32", &told), 2);
  EXPECT_THAT(told, HasSubstr("64 values from 0 to 1"));
  EXPECT_EQ(sectors("3", &told), 2);
  EXPECT_EQ(sectors("(i * 8) % rand()", &told), 8);
  EXPECT_THAT(told, HasSubstr("guessed where that does not say (what index holds)"));
  sectors("rand() % 8", &told);
  EXPECT_THAT(told, HasSubstr("--set index=@64:random(0,7)"));
}

// Eight blocks read each of 512 sectors of `in`, and every block 8 of `index` of its own: that the values
// repeat is seen only where blocks are told apart by what the buffer holds.
TEST(Report, WhatTheProgramWritesIsCountedAsEveryBlockReadsIt) {
  const scenario::Folder folder;
  const auto file = folder.write(
      "gather.cu",
      "__global__ void gather(float* out, const float* in, const int* index) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = in[index[i]];\n}\n"
      "int main() {\n  float *in, *out; int *d, h[4096];\n  for (int i = 0; i < 4096; i++) h[i] = i * 8 % "
      "4096;\n"
      "  cudaMalloc(&in, 16384); cudaMalloc(&out, 16384); cudaMalloc(&d, 16384);\n"
      "  cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);\n  gather<<<64, 64>>>(out, in, d);\n}\n");
  const Ran ran = run_cli({"report", file, "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.json()["totals"]["global"]["load"]["distinct_sectors"], 1024);
}

TEST(Report, TellsOfEachKernelThatTheFileLaunchesInTurn) {
  const scenario::Folder folder;
  const std::string kernels =
      "__global__ void up(float* a, int n) { if (threadIdx.x < n) a[threadIdx.x] += 1; }\n"
      "__global__ void never(float* a) { a[threadIdx.x] = 0; }\n"
      "__global__ void down(float* a) { a[threadIdx.x] -= 1; }\n";
  const auto file = folder.write("two.cu", kernels +
                                               "int main() { float* a; cudaMalloc(&a, 256);\n"
                                               "  down<<<2, 32>>>(a); up<<<3, 64>>>(a, 40); }\n");
  const Ran ran = run_cli({"report", file, "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  ASSERT_EQ(ran.json().size(), 2u);
  EXPECT_EQ(ran.json()[0]["kernel"], "down");
  EXPECT_EQ(ran.json()[1]["kernel"], "up");
  EXPECT_EQ(ran.json()[1]["blocks"]["total"], 3);
  EXPECT_EQ(run_cli({"report", "-", "--json"}, {.input = folder.read(file)}).json().size(), 2u)
      << "it is read once";
  const auto broken = folder.write("broken.cu", kernels +
                                                    "int main() { float* a; cudaMalloc(&a, 64);\n"
                                                    "  down<<<1, 32>>>(a); up<<<1, 32>>>(a, 9); }\n");
  const Ran half = run_cli({"report", broken, "--json"});
  EXPECT_EQ(half.code, 2);
  EXPECT_TRUE(half.json()[0].is_null()) << "32 threads and 16 elements";
  EXPECT_EQ(half.json()[1]["kernel"], "up");
  const auto one = folder.write("one.cu", kernels + "int main() { float* a; up<<<3, 64>>>(a, 40); }\n");
  EXPECT_EQ(run_cli({"report", one, "--json"}).json()["kernel"], "up");
  EXPECT_EQ(run_cli({"trace", one}).code, 0) << "the one that is launched is meant";
  const Ran none = run_cli({"report", folder.write("none.cu", kernels), "--json"});
  EXPECT_EQ(none.code, 0) << none.err;
  EXPECT_EQ(none.json().size(), 3u) << "each with a launch that is guessed";
  EXPECT_THAT(none.err, HasSubstr("guessed from the signature"));
  const Ran left = run_cli(
      {"report", folder.write("left.cu", kernels + "void run(float* a) { up<<<3, 64>>>(a, 40); }\n"
                                                   "int main() { float* a; down<<<2, 32>>>(a); }\n")});
  EXPECT_THAT(left.err, HasSubstr("does not come to (--kernel reports one): up in line 4 of the file"));
}

// No two blocks do the same, and each goes through all numbers: it has no end in sight.
TEST(Report, AKernelThatTakesLongIsNamedAndLeavesTimeForOthers) {
  const scenario::Folder folder;
  const std::string file =
      folder.write("lags.cu",
                   "__global__ void lags(const float* x, float* c, int n) {\n"
                   "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  float sum = 0;\n"
                   "  for (int k = 0; k < n; ++k) if (k * i % 7 < i % 5) sum += x[k];\n  c[i] = sum;\n}\n"
                   "__global__ void put(float* x) { x[threadIdx.x] = 1; }\n"
                   "int main() { lags<<<4096, 256>>>(x, c, 1 << 26); put<<<1, 64>>>(x); }\n");
  const Ran ran = run_cli({"report", file, "--seconds", "24", "--json"});
  EXPECT_EQ(ran.code, 4);
  EXPECT_THAT(ran.err, HasSubstr("lags, 4,096 blocks of 256 threads, takes long: "));
  ASSERT_EQ(ran.json().size(), 2u);
  EXPECT_TRUE(ran.json()[0].is_null());
  EXPECT_EQ(ran.json()[1]["kernel"], "put");
}

TEST(Report, SaysThatMoreSharedMemoryHasToBeAskedFor) {
  const scenario::Folder folder;
  const std::string kernel = "__global__ void k(float* a) { extern __shared__ float s[]; s[0] = a[0]; }\n";
  const auto is_told = [&](const std::string& asks) {
    const Ran ran = run_cli({"report", folder.write("s.cu", kernel + "int main() { float* a; " + asks +
                                                                " k<<<1, 1, 102400>>>(a); }\n")});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.err.find("fails: for more than 48 KB") != std::string::npos;
  };
  const std::string limit = "cudaFuncAttributeMaxDynamicSharedMemorySize, ";
  EXPECT_TRUE(is_told(""));
  EXPECT_FALSE(is_told("cudaFuncSetAttribute(k, " + limit + "102400);"));
  EXPECT_FALSE(is_told("auto* f = &k; if (cudaFuncSetAttribute(f, " + limit + "asked()) != 0) return 1;"));
  EXPECT_TRUE(is_told("cudaFuncSetAttribute(k, " + limit + "65536);")) << "which is not enough";
  EXPECT_TRUE(is_told("cudaFuncSetAttribute(k, cudaFuncAttributePreferredSharedMemoryCarveout, 100);"));
  EXPECT_TRUE(is_told("// cudaFuncSetAttribute would be needed\n"));
}

}  // namespace
}  // namespace warplens::cli_test
