// Advice is drawn from what an access does: each rule on a small kernel, and a kernel that needs none.
#include "sim/report/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/report/report.h"
#include "tests/sim/program_of.h"

namespace warplens::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Report report_of(const char* text, sim::Dim3 block, sim::Dim3 grid = {1, 1, 1}) {
  scenario::Prepared prepared;
  prepared.program = sim::program_of(text);
  prepared.gpu = &memory::default_gpu_model();
  prepared.setup.launch.block = block;
  prepared.setup.launch.grid = grid;
  const sim::Totals totals = grid_totals(prepared.program, prepared.setup.launch, *prepared.gpu);
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

// +264, -248, +264, ...: sixteen of 31 distances are the most frequent one, and that is not how the lanes
// lie.
TEST(Advice, NamesNoDistanceWhereDistancesChange) {
  const Report report = report_of(R"(__global__ void k(float* out, const float* in) {
  out[threadIdx.x] = in[threadIdx.x * 33 % 64 * 2];
})",
                                  {32, 1, 1});
  ASSERT_EQ(rules_of(report), "stride@2");
  const Advice advice = advise(report)[0];
  EXPECT_EQ(advice.figure("step"), 264);
  EXPECT_NEAR(advice.figure("alike"), 100.0 * 16 / 31, 0.01);
  EXPECT_EQ(advice.distance(), Distance::Changing);
  EXPECT_THAT(advice_text(report, advice), Not(HasSubstr("apart")));
  EXPECT_THAT(advice_text(report, advice), HasSubstr("16 sectors"));
  // One distance in each request, another from request to request.
  const Report steps = report_of(R"(__global__ void k(float* out, const float* in) {
  float sum = 0;
  for (int s = 16; s <= 64; s *= 2) sum += in[threadIdx.x * s];
  out[threadIdx.x] = sum;
})",
                                 {32, 1, 1});
  ASSERT_EQ(rules_of(steps), "stride@3");
  EXPECT_NEAR(advise(steps)[0].figure("alike"), 100.0 / 3, 0.01);
  EXPECT_THAT(advice_text(steps, advise(steps)[0]), Not(HasSubstr("apart")));
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

TEST(Advice, FiguresAreShort) {
  EXPECT_EQ(figure_text(8192), "8,192");
  EXPECT_EQ(figure_text(12.46), "12.5");
  EXPECT_EQ(figure_text(-4), "-4");
  EXPECT_EQ(figure_text(1.96), "2");
}

Report of_scenario(const char* name, const std::vector<std::pair<std::string, std::int64_t>>& values = {}) {
  scenario::Target target;
  target.what = std::string(WARPLENS_SOURCE_DIR "/kernels/") + name + ".scenario.json";
  for (const auto& [key, value] : values) target.sets.push_back(key + "=" + std::to_string(value));
  auto setup = scenario::resolve(target);
  EXPECT_TRUE(setup);
  auto prepared = scenario::prepare(std::move(*setup.value), memory::default_gpu_model());
  EXPECT_TRUE(prepared);
  return make_report(*prepared.value, grid_totals(prepared.value->program, prepared.value->setup.launch,
                                                  *prepared.value->gpu));
}

// Thirty loads are 2 words apart and one 32: the words are those of nearly all, and so are the banks.
TEST(Advice, BanksAreThoseOfTheDistanceThatIsNamed) {
  const Report report = report_of(R"(__global__ void k(float* out) {
  __shared__ float words[1024];
  float sum = 0;
  for (int i = 0; i < 60; ++i)
    sum += words[(threadIdx.x * (i == 0 ? 32 : 2)) % 1024];
  out[threadIdx.x] = sum;
})",
                                  {32, 1, 1});
  ASSERT_FALSE(advise(report).empty());
  const Advice advice = advise(report)[0];
  ASSERT_EQ(advice.distance(), Distance::Mostly);
  EXPECT_EQ(advice.figure("words"), 2);
  EXPECT_EQ(advice.figure("banks"), 16);
}

// 256 bins: of 15.6 passes too many in a request 11.5 go to other sectors, but 4,096 atomics want each bin.
// 4,096 bins: only 256 do. One bin: all lanes of a request wait for one address.
TEST(Advice, AnAtomicWaitsForAnAddressWhereManyWantIt) {
  const Report crowded = of_scenario("histogram_global");
  ASSERT_EQ(advise(crowded).size(), 1u);
  EXPECT_EQ(advise(crowded)[0].rule, AdviceRule::SameAddress);
  EXPECT_EQ(advise(crowded)[0].excess, 623'895u - 113'378u);
  EXPECT_THAT(advice_text(crowded, advise(crowded)[0]),
              HasSubstr("1,048,576 atomics go to an array of 256 elements and wait for each other"));
  EXPECT_THAT(report_text(crowded), HasSubstr("510,517 extra passes"));
  const Report many = of_scenario("histogram_global", {{"nbins", 4096}});
  ASSERT_EQ(advise(many).size(), 1u);
  EXPECT_EQ(advise(many)[0].rule, AdviceRule::Scattered);
  EXPECT_THAT(advice_text(many, advise(many)[0]), HasSubstr("passes a request"));
  const Report one = of_scenario("histogram_global", {{"nbins", 1}});
  ASSERT_EQ(advise(one).size(), 1u);
  EXPECT_EQ(advise(one)[0].rule, AdviceRule::SameAddress);
  EXPECT_EQ(advise(one)[0].figure("lanes"), 32);
  EXPECT_EQ(advise(one)[0].figure("elements"), 0);
}

// A copy has no rows. Of rows 32 * 8 + 2 words long each fourth begins with a sector.
TEST(Advice, SaysWhichRequestsBeginInsideASector) {
  const Report copy = of_scenario("copy_offset");
  ASSERT_EQ(advise(copy).size(), 1u);
  EXPECT_EQ(advise(copy)[0].figure("offset"), 4);
  EXPECT_THAT(advice_text(copy, advise(copy)[0]), HasSubstr("each request begins 4 bytes into a sector"));
  EXPECT_THAT(report_text(copy), HasSubstr("131,072 extra sectors"));
  const Report rows = report_of(R"(__global__ void k(float* out, const float* in) {
  out[blockIdx.x * 32 + threadIdx.x] = in[blockIdx.x * 258 + threadIdx.x];
})",
                                {32, 1, 1}, {8, 1, 1});
  ASSERT_EQ(rules_of(rows), "misaligned@2");
  EXPECT_EQ(advise(rows)[0].figure("offset"), 0);
  EXPECT_THAT(advice_text(rows, advise(rows)[0]), HasSubstr("some requests begin inside a sector"));
}

// Eight rows of 32 halves, four lanes a row: the padding is what makes the store conflict. Rows of 64 bytes,
// two of which lie under all banks, need the half of their number in the swizzle.
TEST(Advice, PaddingThatIsInTheWayIsTakenAway) {
  const Report report = report_of(R"(__global__ void padded_store(const int4* in, int4* out) {
  __shared__ short tile[8][40];
  int l = threadIdx.x;
  *(int4*)&tile[l / 4][l % 4 * 8] = in[l];
  __syncthreads();
  out[l] = *(int4*)&tile[l % 8][l / 8 * 8];
})",
                                  {32, 1, 1});
  ASSERT_EQ(rules_of(report), "bank_stride@4");
  const Advice advice = advise(report)[0];
  EXPECT_EQ(advice.figure("less"), 4);
  EXPECT_EQ(advice.figure("swizzle"), 2);
  EXPECT_EQ(advice.figure("pad"), 0);
  EXPECT_THAT(
      advice_text(report, advice),
      HasSubstr("take the padding of 4 words a row away, and swizzle the column with the row's number / 2"));
  const Report swizzled = report_of(R"(__global__ void swizzled(const int4* in, int4* out) {
  __shared__ short tile[8][32];
  int l = threadIdx.x;
  *(int4*)&tile[l / 4][(l % 4 ^ l / 4 / 2 % 4) * 8] = in[l];
  __syncthreads();
  out[l] = *(int4*)&tile[l % 8][(l / 8 ^ l % 8 / 2 % 4) * 8];
})",
                                    {32, 1, 1});
  EXPECT_EQ(rules_of(swizzled), "");
}

// i + i / 32, as scans do: an array of one dimension has the rows that its index makes.
TEST(Advice, AnArrayOfOneDimensionGetsGaps) {
  const Report pairs = report_of(R"(__global__ void pairs(float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = 0; s[threadIdx.x + 32] = 0;
  __syncthreads();
  out[threadIdx.x] = s[2 * threadIdx.x];
})",
                                 {32, 1, 1});
  ASSERT_EQ(rules_of(pairs), "bank_stride@5");
  EXPECT_THAT(
      advice_text(pairs, advise(pairs)[0]),
      HasSubstr("leave 1 word free after every 32, or let neighbouring threads take neighbouring words"));
  const Report rows = report_of(R"(__global__ void rows(float* out) {
  __shared__ float s[32 * 48];
  float sum = 0;
  for (int k = 0; k < 48; ++k) sum += s[threadIdx.x * 48 + k];
  out[threadIdx.x] = sum;
})",
                                {32, 1, 1});
  ASSERT_EQ(rules_of(rows), "bank_stride@4");
  EXPECT_EQ(advise(rows)[0].figure("row"), 48);
  EXPECT_EQ(advise(rows)[0].figure("pad"), 1);
}

}  // namespace
}  // namespace warplens::report
