// `warplens-cli explain`: published profiles whose figures puzzled their authors, and what is refused.
#include <gmock/gmock.h>

#include "tests/cli/run_cli.h"
#include "tests/scenario/folder.h"

namespace warplens::cli_test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kData = std::string(WARPLENS_SOURCE_DIR) + "/tests/data/ncu/";

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

json explained(const std::string& name, const std::vector<std::string>& launch, int code = 0) {
  const Ran ran = run_cli(with({"explain", kData + name + ".csv", kData + name + ".cu", "--json"}, launch));
  EXPECT_EQ(ran.code, code) << ran.err;
  return ran.out.empty() ? json() : ran.json();
}

json counter(const json& document, const std::string& name) {
  for (const json& c : document["counters"])
    if (c["name"] == name) return c;
  ADD_FAILURE() << "no counter " << name;
  return {};
}

double part(const json& counter, const std::string& kind) {
  double sum = 0;
  for (const json& p : counter["parts"])
    if (p["kind"] == kind) sum += p["amount"].get<double>();
  return sum;
}

const std::vector<std::string> kTranspose{"--grid", "128,128", "--block", "32,32", "--set", "m=4096"};
const std::string kStores = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum";

// forums.developer.nvidia.com/t/217015: a transpose of 4096 x 4096 doubles through an unpadded tile.
TEST(Explain, SixteenMillionConflictsAreThoseOfTheAddressesAndArbitration) {
  const json document = explained("transpose_unpadded", kTranspose);
  EXPECT_EQ(document["schema"], "warplens.explain/1");
  EXPECT_EQ(document["page"], "details");
  const json stores = counter(document, kStores);
  EXPECT_EQ(stores["measured"], 16'012'462);
  EXPECT_EQ(part(stores, "addresses"), 15'728'640);
  EXPECT_EQ(part(stores, "arbitration"), 283'822);
  EXPECT_EQ(stores["parts"].size(), 2u);
  EXPECT_EQ(stores["state"], "explained");
  EXPECT_EQ(stores["lines"][0]["requests"], 524'288);
  EXPECT_EQ(stores["lines"][0]["wavefronts_a_request"], 32);
  EXPECT_EQ(stores["lines"][0]["ideal_a_request"], 2);
  EXPECT_EQ(
      part(counter(document, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"), "arbitration"), 88);
  EXPECT_EQ(counter(document, "smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct")["state"],
            "equal");
  EXPECT_EQ(counter(document, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum")["state"], "equal");
  EXPECT_EQ(document["summary"]["unexplained"], 0);
}

// Two warps, a stride of four words.
TEST(Explain, SixIsFourLessOneTimesTwo) {
  const json stores = counter(explained("stride_four", {"--grid", "1", "--block", "64"}), kStores);
  EXPECT_EQ(stores["state"], "equal");
  EXPECT_EQ(part(stores, "addresses"), 6);
  const Ran text = run_cli(
      {"explain", kData + "stride_four.csv", kData + "stride_four.cu", "--grid", "1", "--block", "64"});
  EXPECT_THAT(text.out, HasSubstr("line 4, shm[idx * 4]: (4 − 1) × 2 requests = 6"));
}

TEST(Explain, TextInBothLanguages) {
  const auto words =
      with({"explain", kData + "transpose_unpadded.csv", kData + "transpose_unpadded.cu"}, kTranspose);
  const Ran english = run_cli(words), chinese = run_cli(with(words, {"--lang", "zh-CN"}));
  EXPECT_THAT(english.out, AllOf(HasSubstr("16,012,462 = 15,728,640 by addresses + 283,822 by arbitration"),
                                 HasSubstr("9 equal, 4 explained, 0 not explained")));
  EXPECT_THAT(chinese.out, AllOf(HasSubstr("16,012,462 = 15,728,640（由地址决定） + 283,822（仲裁）"),
                                 HasSubstr("9 个相等"), Not(HasSubstr("explain."))));
}

std::string header() {
  return "\"ID\",\"Process ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"Metric Name\",\"Metric "
         "Unit\",\"Metric Value\"\n";
}
std::string row(const std::string& id, const std::string& kernel, const std::string& extents,
                const std::string& metric, const std::string& value) {
  return "\"" + id + "\",\"1\",\"" + kernel + "\"," + extents + ",\"" + metric + "\",\"\",\"" + value +
         "\"\n";
}
const std::string kCopy = "\"(256, 1, 1)\",\"(64, 1, 1)\"";  // n = 16384
const std::vector<std::string> kCopyTarget{"copy", "--set", "n=16384"};
const std::string kRequests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
const std::string kSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";

Ran explain(const std::string& csv, const std::vector<std::string>& more) {
  const scenario::Folder folder;
  return run_cli(with({"explain", folder.write("profile.csv", csv).string()}, more));
}

std::string state_of(const std::string& rows, const std::string& name) {
  const Ran ran = explain(header() + rows, with(kCopyTarget, {"--json"}));
  return ran.out.empty() ? ran.err : counter(ran.json(), name)["state"].get<std::string>();
}

TEST(Explain, TheLaunchThatFits) {
  const std::string csv =
      header() + row("3", "warm_up(int)", kCopy, kRequests, "1") +
      row("4", "void copy<float>(float *)", "\"(256, 1, 1)\",\"(9, 1, 1)\"", kRequests, "1") +
      row("5", "copy(float *)", kCopy, kRequests, "512") +
      row("6", "void copy<4>(float *)", kCopy, kRequests, "512") +
      row("7", "copy(float *)", kCopy, kRequests, "512");
  const json first = explain(csv, with(kCopyTarget, {"--json"})).json();
  EXPECT_EQ(first["launch"]["id"], "5");
  EXPECT_EQ(first["launch"]["others"], json({"6", "7"}));
  EXPECT_EQ(explain(csv, with(kCopyTarget, {"--json", "--launch", "7"})).json()["launch"]["id"], "7");
  const Ran other = explain(csv, with(kCopyTarget, {"--launch", "3"}));
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.err, HasSubstr("launch 3 is of warm_up(int), not of copy"));
  const Ran none = explain(csv, with(kCopyTarget, {"--launch", "9"}));
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("no launch with the ID 9; it has 3, 4, 5, 6, 7"));
}

// A sum of floats in shared memory is a loop: more loads than the text has are explained by it, more stores
// are not.
TEST(Explain, LoopsOfAtomicsExplainWhatTheyChangeAlone) {
  const scenario::Folder folder;
  const std::string text =
      "__global__ void sums(float* out, const float* in) {\n  __shared__ float s[32];\n  int t = "
      "threadIdx.x;\n"
      "  s[t] = 0;\n  __syncthreads();\n  atomicAdd(&s[t / 2], in[t]);\n  __syncthreads();\n  out[t] = "
      "s[t];\n}\n";
  const std::string loads = "smsp__sass_inst_executed_op_shared_ld.sum",
                    stores = "smsp__sass_inst_executed_op_shared_st.sum",
                    extents = "\"(32, 1, 1)\",\"(1, 1, 1)\"";
  const json document =
      explain(header() + row("1", "sums(float *)", extents, loads, "3") +
                  row("1", "sums(float *)", extents, stores, "3"),
              {folder.write("sums.cu", text).string(), "--grid", "1", "--block", "32", "--json"})
          .json();
  EXPECT_EQ(counter(document, loads)["state"], "explained");
  EXPECT_EQ(counter(document, stores)["state"], "unexplained");
}

// Eight are listed; of more, that there are more.
TEST(Explain, ALongListEndsWithDots) {
  std::string csv = header();
  for (int i = 1; i <= 8; ++i) csv += row(std::to_string(i), "copy(float *)", kCopy, kRequests, "512");
  const std::vector<std::string> ninth = with(kCopyTarget, {"--launch", "99"});
  EXPECT_THAT(explain(csv, ninth).err,
              AllOf(HasSubstr("it has 1, 2, 3, 4, 5, 6, 7, 8"), Not(HasSubstr("8, ..."))));
  csv += row("9", "copy(float *)", kCopy, kRequests, "512");
  EXPECT_THAT(explain(csv, ninth).err, AllOf(HasSubstr("7, 8, ..."), Not(HasSubstr("9, ..."))));
}

TEST(Explain, NoLaunchFits) {
  const Ran kernel = explain(header() + row("0", "other(int)", kCopy, kRequests, "1"), kCopyTarget);
  EXPECT_EQ(kernel.code, 2);
  EXPECT_THAT(kernel.err, HasSubstr("no launch of copy; it has other (1)"));
  const Ran extents = explain(
      header() + row("0", "copy(int)", "\"(128, 1, 1)\",\"(64, 1, 1)\"", kRequests, "1"), kCopyTarget);
  EXPECT_EQ(extents.code, 2);
  EXPECT_THAT(extents.err, HasSubstr("profiled with grid / block 64 / 128 (launch 0), and this is 64 / 256"));
}

TEST(Explain, CausesOfGlobalCounters) {
  EXPECT_EQ(state_of(row("0", "copy", kCopy, kRequests, "512"), kRequests), "equal");
  EXPECT_EQ(state_of(row("0", "copy", kCopy, kRequests, "128"), kRequests), "explained") << "wider loads";
  EXPECT_EQ(state_of(row("0", "copy", kCopy, kRequests, "513"), kRequests), "unexplained");
  const std::string elsewhere =
      row("0", "copy", kCopy, kRequests, "512") + row("0", "copy", kCopy, kSectors, "2,560");
  EXPECT_EQ(state_of(elsewhere, kSectors), "unexplained") << "as many requests touch other sectors";
  const std::string wider =
      row("0", "copy", kCopy, kRequests, "128") + row("0", "copy", kCopy, kSectors, "1,024");
  EXPECT_EQ(state_of(wider, kSectors), "explained") << "fewer sectors, and fewer requests say why";
  EXPECT_EQ(state_of(row("0", "copy", kCopy, "dram__bytes_read.sum", "1,024"), "dram__bytes_read.sum"),
            "caches");
  EXPECT_EQ(state_of(row("0", "copy", kCopy, "L2 Hit Rate", "12.5"), "lts__t_sector_hit_rate.pct"),
            "not_predicted");
}

// Estimates stand beside the number, and are no part of its sum.
TEST(Explain, WhatModelsExpect) {
  const Ran ran =
      explain(header() + row("0", "copy", kCopy, "dram__bytes_read.sum", "70,000") +
                  row("0", "copy", kCopy, "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_ld.sum", "512"),
              with(kCopyTarget, {"--json"}));
  EXPECT_EQ(counter(ran.json(), "dram__bytes_read.sum")["modelled"], 65'536);
  const json tags = counter(ran.json(), "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_ld.sum");
  EXPECT_EQ(tags["modelled"], 512);
  EXPECT_EQ(tags["state"], "not_predicted");
}

TEST(Explain, RoundedFiguresAreHeldAgainstWhatTheyMayHide) {
  const auto bytes = [](const std::string& value) {
    const Ran ran = explain(
        "ID,Kernel Name,Block Size,Grid Size,l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum\n"
        ",,,,Kbyte\n0,copy,\"(256, 1, 1)\",\"(64, 1, 1)\"," +
            value + "\n",
        with(kCopyTarget, {"--json"}));
    return ran.json()["counters"][0]["state"].get<std::string>();
  };
  EXPECT_EQ(bytes("65.54"), "equal") << "65,536 bytes";
  EXPECT_EQ(bytes("65.56"), "unexplained");
}

// transpose_shared 2048 x 2048 without padding: 131,072 loads of 16 wavefronts, 131,072 stores of one.
const std::vector<std::string> kShared{
    "transpose_shared", "--set", "nrows=2048", "--set", "ncols=2048", "--set", "pad=0",
    "--block",          "32,16", "--json"};
json shared(const std::string& rows) {
  const Ran ran = explain(header() + rows, kShared);
  return ran.out.empty() ? json(ran.err) : ran.json();
}
std::string shared_row(const std::string& metric, const std::string& value) {
  return row("0", "void transpose_shared<32, 16, 0>(float*)", "\"(32, 16, 1)\",\"(64, 128, 1)\"", metric,
             value);
}

// A tile's product as PTX: what an H100 counted of it (tests/compiled/data/assembled) is equal as assembled.
TEST(Explain, SharedLoadsOfPtxAreTheAssemblers) {
  const auto tile = [](const std::string& metric, const std::string& value) {
    return row("0", "tile16(const float*)", "\"(16, 16, 1)\",\"(4, 1, 1)\"", metric, value);
  };
  const std::string loads = "smsp__sass_inst_executed_op_shared_ld.sum";
  const Ran ran = explain(header() + tile(loads, "640") + tile("memory_l1_wavefronts_shared", "832"),
                          {WARPLENS_SOURCE_DIR "/tests/compiled/data/assembled/tiles.ptx", "--kernel",
                           "tile16", "--grid", "4", "--block", "16,16", "--set", "param_3=16", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(counter(ran.json(), loads)["state"], "equal") << ran.out;
  EXPECT_EQ(counter(ran.json(), "memory_l1_wavefronts_shared")["state"], "equal");
}

TEST(Explain, CompilerAndArbitrationAreToldApart) {
  const std::string pipe = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
  const json merged =
      shared(shared_row("smsp__sass_inst_executed_op_shared_ld.sum", "65,536") +
             shared_row("smsp__sass_inst_executed_op_shared_st.sum", "131,072") +
             shared_row("smsp__sass_data_bytes_mem_shared_op_ld.sum", "8,388,608") +
             shared_row("smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "1,048,576") +
             shared_row(pipe, "1,050,000"));
  EXPECT_EQ(part(counter(merged, pipe), "compiler"), -1'048'576);
  EXPECT_EQ(part(counter(merged, pipe), "arbitration"), 1'424);
  EXPECT_EQ(counter(merged, "smsp__sass_inst_executed_op_shared_ld.sum")["state"], "explained");
  const json untouched = shared(shared_row("smsp__sass_inst_executed_op_shared_ld.sum", "131,072") +
                                shared_row(pipe, "2,097,000"));
  EXPECT_EQ(counter(untouched, pipe)["state"], "unexplained")
      << "fewer turns than the addresses make, and the compiler did nothing";
}

// Where what the compiler left and arbitration do not add up to what was measured, neither is told as a part.
TEST(Explain, ASumThatDoesNotHoldIsNotTold) {
  const std::string pipe = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
  const std::string exact = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
  const json far = counter(shared(shared_row("smsp__sass_inst_executed_op_shared_ld.sum", "65,536") +
                                  shared_row(exact, "1,048,576") + shared_row(pipe, "2,200,000")),
                           pipe);
  EXPECT_EQ(part(far, "arbitration"), 2'200'000 - 2'097'152) << far;
  EXPECT_EQ(part(far, "compiler"), 0);
  // As many wavefronts from fewer loads: the compiler has no part in what comes on top.
  const json same = counter(shared(shared_row("smsp__sass_inst_executed_op_shared_ld.sum", "131,071") +
                                   shared_row(exact, "2,097,152") + shared_row(pipe, "2,100,000")),
                            pipe);
  EXPECT_EQ(part(same, "arbitration"), 2'848);
  for (const json& p : same["parts"]) EXPECT_NE(p["kind"], "compiler") << same;
}

// A ratio is as explained as the counters that it is made of; where the file has none of them, it is not.
TEST(Explain, AnAverageAloneIsNotExplained) {
  const std::string average = "smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct";
  EXPECT_EQ(counter(shared(shared_row(average, "42")), average)["state"], "unexplained");
  EXPECT_EQ(counter(shared(shared_row(average, "42") +
                           shared_row("smsp__sass_inst_executed_op_shared_st.sum", "131,072") +
                           shared_row("smsp__sass_inst_executed_op_shared_ld.sum", "65,536")),
                    average)["state"],
            "explained");
}

// Other counts than predicted, where these follow from what a buffer holds.
TEST(Explain, WhatFollowsFromDataIsSaidToDoSo) {
  const scenario::Folder folder;
  const std::filesystem::path cu =
      folder.write("gather.cu",
                   "__global__ void gather(float* out, const float* in, const int* index) {\n"
                   "  out[threadIdx.x] = in[index[threadIdx.x]];\n}\n");
  const std::string sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
  const Ran ran = explain(header() + row("0", "gather(float*, const float*, const int*)",
                                         "\"(32, 1, 1)\",\"(1, 1, 1)\"", sectors, "21"),
                          {cu.string(), "--grid", "1", "--block", "32", "--json"});
  ASSERT_EQ(ran.code, 1) << ran.err;
  EXPECT_THAT(counter(ran.json(), sectors)["words"].get<std::string>(), HasSubstr("follows from data"));
  const std::string plain = shared(shared_row(sectors, "21")).dump();
  EXPECT_THAT(plain, Not(HasSubstr("follows from data")));
}

TEST(Explain, OnlyPlausibleArbitrationIsExplained) {
  const std::string pipe = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum";
  EXPECT_EQ(counter(shared(shared_row(pipe, "196,608")), pipe)["state"], "explained");
  EXPECT_EQ(counter(shared(shared_row(pipe, "196,609")), pipe)["state"], "unexplained");
}

// ---- a file of kernels: each row of the table says kernel, template arguments, grid and block

Ran explained_rows(const std::string& name, const std::vector<std::string>& more = {}) {
  return run_cli(with({"explain", kData + name + ".csv", kData + name + ".cu", "--json"}, more));
}

TEST(Explain, TheRowSaysKernelTemplateArgumentsGridAndBlock) {
  const json one = explained_rows("two_kernels").json();
  EXPECT_EQ(one["kernel"], "every");
  EXPECT_EQ(one["launch"]["grid"], json({100, 1, 1}));
  const json sectors = counter(one, kSectors);
  EXPECT_EQ(sectors["predicted"], 3'200) << "16 sectors, 2 warps, 100 blocks: every<4>, no other instance";
  EXPECT_EQ(sectors["state"], "equal");
}

TEST(Explain, EachRowIsHeldAgainstItsOwnLaunch) {
  const Ran all = explained_rows("nine_launches");
  const json document = all.json();
  EXPECT_EQ(document["schema"], "warplens.explain-launches/1");
  ASSERT_EQ(document["launches"].size(), 9u);
  const std::string conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum";
  const double of_pitch[] = {21, 2, 1};  // st<64>, st<68>, st<72>
  for (std::size_t i = 0; i < 3; ++i) {
    const json c = counter(document["launches"][1 + i], conflicts);
    EXPECT_EQ(c["predicted"], of_pitch[i]) << i;
    EXPECT_EQ(c["state"], "equal") << i;
  }
  const json second = explained_rows("nine_launches", {"--kernel", "st", "--launch", "2"}).json();
  EXPECT_EQ(second["launch"]["kernel"], "void st<68>(float2 *, float *)");
  EXPECT_EQ(counter(second, conflicts)["predicted"], 2);
}

TEST(Explain, OnlyAContradictionIsRefused) {
  const auto refused = [](const std::vector<std::string>& options, const std::string& words) {
    const Ran ran = explained_rows("nine_launches", options);
    EXPECT_EQ(ran.code, 2) << ran.out;
    EXPECT_THAT(ran.err, HasSubstr(words));
  };
  refused({"--launch", "2", "--kernel", "rs"}, "launch 2 is of void st<68>(float2 *, float *), not of");
  refused({"--launch", "2", "--template", "64"}, "whose template arguments differ");
  refused({"--kernel", "st", "--template", "80"}, "whose template arguments differ");
  refused({"--kernel", "st", "--block", "64"}, "profiled with grid / block 1 / 32 (launch 1, 2, 3)");
  refused({"--kernel", "other"}, "no launch of other; it has rs (1), st (3)");
  const Ran agree = explained_rows("nine_launches", {"--kernel", "st", "--template", "72", "--block", "32"});
  EXPECT_EQ(agree.code, 0) << agree.err;
  EXPECT_EQ(agree.json()["launch"]["id"], "3");
  const Ran none =
      explain(header() + row("0", "void other<2>(float *)", "\"(64, 1, 1)\",\"(1, 1, 1)\"", kSectors, "1"),
              {kData + "two_kernels.cu"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("other of the file is not a template"));
}

// Of two launches of a kernel in the host code the one with the row's extents says the size.
TEST(Explain, TheHostsLaunchThatAgreesSaysTheRest) {
  const scenario::Folder folder;
  const std::filesystem::path cu = folder.write(
      "add.cu",
      "__global__ void add(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] "
      "+= 1; }\n"
      "int main() { float *a; cudaMalloc(&a, 4096); add<<<4, 256>>>(a, 1000); add<<<2, 128>>>(a, 130); }\n");
  const Ran ran =
      explain(header() + row("0", "add(float *, int)", "\"(128, 1, 1)\",\"(2, 1, 1)\"", kSectors, "17"),
              {cu.string(), "--json"});
  EXPECT_EQ(ran.code, 0) << ran.err << ran.out;
  EXPECT_EQ(ran.json()["counters"][0]["state"], "equal") << "130 floats lie in 17 sectors";
}

// The details page as a class sees it: human names, sentences of rules, decimal commas, two kernels.
TEST(Explain, TheDetailsPageOfTheFullSet) {
  const Ran ran = run_cli({"explain", kData + "full_set.csv", "transpose_shared", "--set", "nrows=2048",
                           "--set", "ncols=2048", "--set", "pad=0", "--block", "32,16", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json document = ran.json();
  for (const char* name :
       {"launch__thread_count", "memory_l1_wavefronts_shared",
        "derived__memory_l1_wavefronts_shared_excessive", "smsp__inst_executed_op_shared_ld.sum",
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"})
    EXPECT_EQ(counter(document, name)["state"], "equal") << name;
  EXPECT_EQ(counter(document, "lts__t_sector_hit_rate.pct")["measured"], 50.21);
  EXPECT_THAT(counter(document, "l1tex__t_sector_hit_rate.pct")["words"], HasSubstr("A model expects"));
}

TEST(Explain, InstructionsIssuedAgain) {
  const std::string issued = "smsp__inst_executed_op_shared_ld.sum";
  const json document = shared(shared_row(issued, "131,080"));
  EXPECT_EQ(part(counter(document, issued), "issues"), 8);
}

TEST(Explain, AFileThatIsWrongSaysWhereAndWhatToDo) {
  EXPECT_EQ(explain("", kCopyTarget).code, 2);
  const Ran cut = explain(header() + "\"0\",\"1\",\"copy", kCopyTarget);
  EXPECT_EQ(cut.code, 2);
  EXPECT_THAT(cut.err, HasSubstr("line 2, column 9: the quote is never closed"));
  EXPECT_EQ(run_cli({"explain", "/nonexistent.csv", "copy"}).code, 2);
  EXPECT_EQ(run_cli({"explain", kData + "stride_four.csv"}).code, 2) << "no target";
  const Ran input = run_cli(with({"explain", "-"}, kCopyTarget),
                            {.input = header() + row("0", "copy", kCopy, kRequests, "512")});
  EXPECT_EQ(input.code, 0) << input.err;
  EXPECT_THAT(input.out, HasSubstr("standard input, launch 0"));
}

TEST(Explain, HostileNamesSteerNoTerminal) {
  const Ran ran =
      explain(header() + row("0", "copy\x1b[31m(int)", kCopy, "\x1b]0;x\x07__", "1"), kCopyTarget);
  EXPECT_THAT(ran.out + ran.err, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace warplens::cli_test
