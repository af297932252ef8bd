// Advice is drawn from what an access does: each rule on a small kernel, and a kernel that needs none.
#include "sim/report/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/report/report.h"

namespace warplens::report {
namespace {

using ::testing::HasSubstr;

Report report_of(const char* text, sim::Dim3 block, sim::Dim3 grid = {1, 1, 1}, bool brute_force = false) {
  scenario::Prepared prepared;
  sim::CompileResult compiled =
      sim::compile({.text = text, .kernel = "", .template_arguments = {}, .defines = {}});
  for (const cuda::Diagnostic& d : compiled.diagnostics) ADD_FAILURE() << render(d, text, "k.cu");
  if (!compiled.program) return {};
  prepared.program = *compiled.program;
  prepared.gpu = &memory::default_gpu_model();
  prepared.setup.launch.block = block;
  prepared.setup.launch.grid = grid;
  sim::TotalsOptions options;
  options.brute_force = brute_force;
  const sim::Totals totals = grid_totals(prepared.program, prepared.setup.launch, *prepared.gpu, options);
  EXPECT_FALSE(totals.error) << totals.error->message;
  return make_report(prepared, totals);
}

// "stride@4" for each advice, worst first.
std::string rules_of(const Report& report) {
  std::string text;
  for (const Advice& a : advise(report)) {
    text += (text.empty() ? "" : " ") + std::string(id_of(a.rule)) + "@" +
            std::to_string(report.lines[a.line].line);
  }
  return text;
}

TEST(Advice, EveryRuleHasAnIdAndASentence) {
  const Report report = report_of("__global__ void k(float* a) { a[threadIdx.x] = 1; }", {32, 1, 1});
  std::vector<std::string> ids;
  for (const AdviceRule rule : all_advice_rules()) {
    ids.emplace_back(id_of(rule));
    Advice advice;
    advice.rule = rule;
    EXPECT_GT(advice_text(report, advice).size(), 40u) << ids.back();
    EXPECT_EQ(advice_text(report, advice).find('{'), std::string::npos) << ids.back();
  }
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::unique(ids.begin(), ids.end()), ids.end());
}

TEST(Advice, AKernelThatLosesNothingGetsNone) {
  EXPECT_EQ(rules_of(report_of(R"(__global__ void k(float* out, const float* in) {
  __shared__ float tile[32][33];
  tile[threadIdx.y][threadIdx.x] = in[blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
})",
                               {32, 32, 1}, {7, 1, 1})),
            "");
}

TEST(Advice, AStrideNamesItsBytes) {
  const Report report = report_of(R"(__global__ void k(float* out, const float* in) {
  out[threadIdx.x * 2048 + threadIdx.y] = in[threadIdx.y * 32 + threadIdx.x];
})",
                                  {32, 32, 1});
  ASSERT_EQ(rules_of(report), "stride@2");
  const Advice advice = advise(report)[0];
  EXPECT_EQ(report.lines[advice.line].array, "out");
  EXPECT_EQ(advice.figure("step"), 8192);
  EXPECT_EQ(advice.figure("bytes"), 4);
  EXPECT_EQ(advice.figure("sectors"), 32);
  EXPECT_EQ(advice.figure("ideal"), 4);
  EXPECT_EQ(advice.excess, 32u * 28);
  EXPECT_EQ(advice.wasted_bytes, 32u * 28 * 32);  // 32 requests, 28 sectors too many, 32 bytes each
  EXPECT_THAT(advice_text(report, advice), HasSubstr("8,192 bytes apart"));
}

TEST(Advice, AColumnOfATileGetsThePaddingThatHelps) {
  const char* kernel = R"(__global__ void k(float* out, const float* in) {
  __shared__ float tile[ROWS][32];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  int i = threadIdx.y * 32 + threadIdx.x;
  out[i] = tile[i % ROWS][i / ROWS];
})";
  const auto with_rows = [&](const char* rows) {
    std::string text = kernel;
    for (std::size_t at = text.find("ROWS"); at != std::string::npos; at = text.find("ROWS"))
      text.replace(at, 4, rows);
    return text;
  };
  const Report square = report_of(with_rows("32").c_str(), {32, 32, 1});
  ASSERT_EQ(rules_of(square), "bank_stride@6");
  EXPECT_EQ(advise(square)[0].figure("words"), 32);
  EXPECT_EQ(advise(square)[0].figure("banks"), 1);
  EXPECT_EQ(advise(square)[0].figure("pad"), 1);
  EXPECT_EQ(advise(square)[0].figure("wavefronts"), 32);
  EXPECT_THAT(advice_text(square, advise(square)[0]), HasSubstr("pad each row by 1 word,"));
  // Sixteen rows: a warp reads two columns, which one word of padding lets collide.
  const Report flat = report_of(with_rows("16").c_str(), {32, 16, 1});
  ASSERT_EQ(rules_of(flat), "bank_stride@6");
  EXPECT_EQ(advise(flat)[0].figure("wavefronts"), 16);
  EXPECT_EQ(advise(flat)[0].figure("pad"), 2);
}

// Rows of 34 words, read from the first to the last or the other way round, in an array at the beginning of
// shared memory or behind another.
TEST(Advice, ThePaddingDoesNotDependOnTheWayThatRowsAreRead) {
  for (const char* row : {"t", "31 - t"}) {
    for (const char* before : {"", "__shared__ float other[5]; other[t % 5] = 0; "}) {
      const std::string text = "__global__ void k(float* out) {\n  int t = threadIdx.x;\n  " +
                               std::string(before) +
                               "__shared__ float tile[32][34];\n"
                               "  for (int j = 0; j < 32; ++j) tile[j][t] = t;\n"
                               "  __syncthreads();\n"
                               "  float sum = 0;\n"
                               "  for (int j = 0; j < 32; ++j) sum += tile[" +
                               row + "][j];\n  out[t] = sum;\n}\n";
      SCOPED_TRACE(text);
      const Report report = report_of(text.c_str(), {32, 1, 1});
      ASSERT_EQ(rules_of(report), "bank_stride@7");
      EXPECT_EQ(advise(report)[0].figure("pad"), 1);
    }
  }
}

// Each block of eight reads another column of one tile.
TEST(Advice, IsTheSameByClassesAndByBruteForce) {
  const char* text = R"(__global__ void k(float* out) {
  __shared__ float tile[32][32 * 8 + 2];
  int t = threadIdx.x;
  for (int j = 0; j < 256; ++j) tile[t][j] = j;
  __syncthreads();
  out[t] = tile[31 - t][blockIdx.x * 32 + 31 - t / 2] + tile[t][blockIdx.x * 32];
})";
  const Report classes = report_of(text, {32, 1, 1}, {8, 1, 1}),
               brute = report_of(text, {32, 1, 1}, {8, 1, 1}, true);
  ASSERT_EQ(classes.lines.size(), brute.lines.size());
  for (std::size_t i = 0; i < brute.lines.size(); ++i) {
    SCOPED_TRACE(brute.lines[i].text);
    EXPECT_TRUE(classes.lines[i].shape == brute.lines[i].shape);
    EXPECT_EQ(classes.lines[i].shape.worst.addresses, brute.lines[i].shape.worst.addresses);
    if (brute.lines[i].space != memory::Space::Shared) continue;
    for (const memory::Address address : brute.lines[i].shape.worst.addresses)
      EXPECT_LT(address, 32u * 258 * 4);
  }
  const auto of_classes = advise(classes), of_brute = advise(brute);
  ASSERT_EQ(of_classes.size(), of_brute.size());
  ASSERT_FALSE(of_brute.empty());
  for (std::size_t i = 0; i < of_brute.size(); ++i)
    EXPECT_EQ(of_classes[i].figure("pad"), of_brute[i].figure("pad"));
}

TEST(Advice, FieldsOfAStruct) {
  const Report report = report_of(R"(struct Point { float x, y, z, w, u; };
__global__ void k(float* out, const Point* in) {
  out[threadIdx.x] = in[threadIdx.x].y;
})",
                                  {64, 1, 1});
  ASSERT_EQ(rules_of(report), "struct_field@3");
  EXPECT_EQ(advise(report)[0].figure("step"), 20);
  EXPECT_EQ(advise(report)[0].figure("taken"), 4);
}

// Three requests a sector, and all of it used in the end: what caches keep is not requested of memory again.
TEST(Advice, FieldsThatTogetherAreTheElement) {
  for (const bool all : {true, false}) {
    const std::string third = all ? "p.z" : "p.x";
    const std::string text =
        "struct Point { float x, y, z; };\n"
        "__global__ void k(float* out, const Point* in) {\n"
        "  out[threadIdx.x] = in[threadIdx.x].x + in[threadIdx.x].y + in[threadIdx.x]" +
        third.substr(1) + ";\n}\n";
    const Report report = report_of(text.c_str(), {64, 1, 1});
    const auto advices = advise(report);
    ASSERT_FALSE(advices.empty());
    EXPECT_EQ(advices[0].figure("step"), 12);
    EXPECT_EQ(advices[0].figure("taken"), all ? 12 : 8) << "a field read twice is one field";
  }
}

TEST(Advice, NeighbouringElementsOfAThreadAreTakenAtOnce) {
  const Report report = report_of(R"(__global__ void k(float* out, const float* in) {
  float sum = 0;
  for (int i = 0; i < 4; ++i) sum += in[4 * threadIdx.x + i];
  out[threadIdx.x] = sum;
})",
                                  {64, 1, 1});
  ASSERT_EQ(rules_of(report), "narrow@3");
  EXPECT_EQ(advise(report)[0].figure("step"), 16);
  // One of four elements alone is a stride: there is nothing between to take.
  EXPECT_EQ(rules_of(report_of("__global__ void k(float* out, const float* in) {\n"
                               "  out[threadIdx.x] = in[4 * threadIdx.x]; }",
                               {64, 1, 1})),
            "stride@2");
}

TEST(Advice, MisalignedRowsAndShortRows) {
  const Report shifted = report_of(
      "__global__ void k(float* out, const float* in) {\n"
      "  out[threadIdx.x] = in[threadIdx.x + 3]; }",
      {64, 1, 1});
  ASSERT_EQ(rules_of(shifted), "misaligned@2");
  EXPECT_EQ(advise(shifted)[0].figure("offset"), 12);
  EXPECT_EQ(advise(shifted)[0].figure("sectors"), 5);
  const Report narrow = report_of(
      "__global__ void k(float* out) {\n"
      "  out[threadIdx.y * 1000 + threadIdx.x] = 1; }",
      {4, 64, 1});
  ASSERT_EQ(rules_of(narrow), "short_runs@2");
  EXPECT_EQ(advise(narrow)[0].figure("run"), 4);
}

TEST(Advice, ScatteredAtomicAndIdle) {
  EXPECT_EQ(rules_of(report_of("__global__ void k(float* out, const float* in) {\n"
                               "  out[threadIdx.x] = in[threadIdx.x * threadIdx.x * 17 % 1009]; }",
                               {256, 1, 1})),
            "scattered@2");
  const Report atomic =
      report_of("__global__ void k(int* bins) { atomicAdd(&bins[threadIdx.x % 2], 1); }", {64, 1, 1});
  ASSERT_EQ(rules_of(atomic), "same_address@1");
  EXPECT_EQ(advise(atomic)[0].figure("lanes"), 16);
  const Report idle = report_of(
      "__global__ void k(float* out) { if (threadIdx.x % 4 == 0)\n"
      "  out[threadIdx.x / 4] = 1; }",
      {64, 1, 1});
  ASSERT_EQ(rules_of(idle), "idle_lanes@2");
  EXPECT_EQ(advise(idle)[0].figure("lanes"), 8);
}

TEST(Advice, FiguresAreShort) {
  EXPECT_EQ(figure_text(8192), "8,192");
  EXPECT_EQ(figure_text(12.46), "12.5");
  EXPECT_EQ(figure_text(-4), "-4");
  EXPECT_EQ(figure_text(1.96), "2");
}

// The gallery's ladder: the naive store, the tile's column, and nothing on the best rung.
TEST(Advice, OfTheTransposeLadder) {
  const auto of = [](const char* name) {
    scenario::Target target;
    target.what = std::string(WARPLENS_SOURCE_DIR "/kernels/") + name + ".scenario.json";
    auto setup = scenario::resolve(target);
    EXPECT_TRUE(setup);
    auto prepared = scenario::prepare(std::move(*setup.value), memory::default_gpu_model());
    EXPECT_TRUE(prepared);
    return make_report(*prepared.value, grid_totals(prepared.value->program, prepared.value->setup.launch,
                                                    *prepared.value->gpu));
  };
  const Report naive = of("transpose_naive_row");
  ASSERT_EQ(advise(naive).size(), 1u);
  EXPECT_EQ(advise(naive)[0].rule, AdviceRule::Stride);
  EXPECT_EQ(naive.lines[advise(naive)[0].line].op, memory::Op::Store);
  const Report tile = of("transpose_shared");
  ASSERT_EQ(advise(tile).size(), 1u);
  EXPECT_EQ(advise(tile)[0].rule, AdviceRule::BankStride);
  EXPECT_GT(advise(tile)[0].figure("pad"), 0);
  EXPECT_EQ(advise(of("transpose_padded")).size(), 0u);
  EXPECT_EQ(advise(of("transpose_swizzle")).size(), 0u);
}

}  // namespace
}  // namespace warplens::report
