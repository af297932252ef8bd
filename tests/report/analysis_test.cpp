#include "sim/report/analysis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace warplens::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

scenario::Outcome<Analysis> analyze_text(const std::string& text) {
  scenario::JsonLimits limits;
  limits.bytes = kMaxAnalysisBytes;
  scenario::JsonDocument document = scenario::JsonDocument::parse(text, "in.json", limits);
  return analyze(document);
}

TEST(Analysis, GivesTheContractsFieldsInOrder) {
  const auto analysis = analyze_text(R"({"requests": [
    {"space": "global", "op": "load", "bytes": 4, "addresses": [0, 4, null, 128]},
    {"space": "shared", "op": "load", "bytes": 4, "addresses": [0, 128], "family": "ignored"},
    {"space": "shared", "op": "atomic", "bytes": 4, "addresses": []}]})");
  ASSERT_TRUE(analysis) << ::testing::PrintToString(analysis.errors);
  EXPECT_EQ(analysis_json(*analysis.value).dump(),
            "{\"schema\":\"warplens.analysis/1\",\"results\":["
            "{\"requests\":1,\"sectors\":2,\"lines\":2,\"bytes\":12},"
            "{\"requests\":1,\"wavefronts\":2,\"bank_conflicts\":1,\"bytes\":8},"
            "{\"requests\":0,\"wavefronts\":0,\"bank_conflicts\":0,\"bytes\":0}]}");
  EXPECT_THAT(analysis_csv(*analysis.value), HasSubstr("1,shared,load,4,1,8,,,2,1\r\n"));
  EXPECT_THAT(analysis_text(*analysis.value), HasSubstr("2  wavefronts  1  conflicts"));
}

TEST(Analysis, WrongRequestsAreNamed) {
  const std::pair<const char*, const char*> wrongs[] = {
      {"{}", "requests: is missing"},
      {"[]", "must be an object"},
      {"{\"requests\": 1}", "requests: must be a list"},
      {"{\"requests\": [1]}", "requests[0]: must be an object"},
      {"{\"requests\": [{\"space\": \"local\", \"op\": \"load\", \"bytes\": 4, \"addresses\": []}]}",
       "requests[0].space"},
      {"{\"requests\": [{\"space\": \"global\", \"op\": \"read\", \"bytes\": 4, \"addresses\": []}]}",
       "requests[0].op"},
      {"{\"requests\": [{\"space\": \"global\", \"op\": \"load\", \"bytes\": 3, \"addresses\": []}]}",
       "3 is no width"},
      {"{\"requests\": [{\"space\": \"global\", \"op\": \"load\", \"addresses\": []}]}", "bytes: is missing"},
      {"{\"requests\": [{\"space\": \"global\", \"op\": \"load\", \"bytes\": 4, \"addresses\": [-4]}]}",
       "addresses[0]"},
      {"{\"requests\": [{\"space\": \"global\", \"op\": \"load\", \"bytes\": 4, \"addresses\": [1e30]}]}",
       "addresses[0]"},
      {"{\"requests\": [{\"space\": \"global\", \"op\": \"load\", \"bytes\": 4, \"addresses\": [0,\n6]}]}",
       "in.json:2: requests[0].addresses[1]: lane 1 is misaligned: 6"},
      {"{\"schema\": \"warplens.requests/2\", \"requests\": []}", "newer Warplens"}};
  for (const auto& [text, message] : wrongs) {
    const auto analysis = analyze_text(text);
    EXPECT_FALSE(analysis) << text;
    EXPECT_THAT(analysis.errors, ElementsAre(HasSubstr(message))) << text;
  }
  std::string many =
      "{\"requests\": [{\"space\": \"global\", \"op\": \"load\", \"bytes\": 4, \"addresses\": [0";
  for (int i = 0; i < 32; ++i) many += ",0";
  EXPECT_THAT(analyze_text(many + "]}]}").errors, ElementsAre(HasSubstr("has 33 entries")));
}

constexpr const char* kRows = "0, 128, 256, 384, 512, 640, 768, 896";
constexpr const char* kLanes32 =
    "0,4,8,12,16,20,24,28,32,36,40,44,48,52,56,60,64,68,72,76,80,84,88,92,96,100,104,108,112,116,120,124";

TEST(Analysis, MatricesAndAsyncCopiesHaveFieldsOfTheirOwn) {
  const auto analysis = analyze_text(
      "{\"requests\": [{\"op\": \"ldmatrix\", \"matrices\": 1, \"rows\": [" + std::string(kRows) +
      ", null, 3]}, {\"op\": \"cp_async_ca\", \"bytes\": 4, \"shared\": [" + kLanes32 + "], \"global\": [" +
      kLanes32 + "]}, {\"op\": \"stmatrix_trans\", \"matrices\": 2, \"rows\": [" + kRows + "," + kRows +
      "]}]}");
  ASSERT_TRUE(analysis) << ::testing::PrintToString(analysis.errors);
  EXPECT_EQ(analysis_json(*analysis.value).dump(),
            "{\"schema\":\"warplens.analysis/1\",\"results\":["
            "{\"wavefronts\":8,\"bank_conflicts\":7},"
            "{\"sectors\":4,\"wavefronts\":1,\"wavefronts_exact\":true},"
            "{\"wavefronts\":16,\"bank_conflicts\":14}]}");
  const std::string csv = analysis_csv(*analysis.value);
  EXPECT_THAT(csv, HasSubstr("0,shared,ldmatrix,16,1,128,,,8,7\r\n"));
  EXPECT_THAT(csv, HasSubstr("1,global,cp_async_ca,4,1,,4,,1,\r\n"));
  EXPECT_THAT(analysis_text(*analysis.value), HasSubstr("ldmatrix, 16 B"));
}

// A lane of source size 0 reads nothing; sizes in between are another instruction, which is not certain.
TEST(Analysis, SourceSizesSayWhichLanesRead) {
  const auto results_of = [](const std::string& sizes) {
    const auto analysis = analyze_text(
        "{\"requests\": [{\"op\": \"cp_async_cg\", \"bytes\": 16, \"shared\": [0, 16, 32, 48], \"global\": "
        "[0, 128, 256, 384]" +
        sizes + "}]}");
    EXPECT_TRUE(analysis) << ::testing::PrintToString(analysis.errors);
    return analysis ? analysis_json(*analysis.value)["results"].dump() : "";
  };
  EXPECT_EQ(results_of(""), R"([{"sectors":4,"wavefronts":4,"wavefronts_exact":true}])");
  EXPECT_EQ(results_of(", \"src_size\": [16, 0, null, 0]"),
            R"([{"sectors":2,"wavefronts":1,"wavefronts_exact":false}])");
  EXPECT_EQ(results_of(", \"src_size\": [0, 0, 0, 0]"),
            R"([{"sectors":0,"wavefronts":1,"wavefronts_exact":false}])");
  EXPECT_EQ(results_of(", \"src_size\": [16, 4, 8, 1]"),
            R"([{"sectors":4,"wavefronts":8,"wavefronts_exact":false}])");
  EXPECT_EQ(results_of(", \"src_size\": [16], \"any_src_size\": true"),
            R"([{"sectors":4,"wavefronts":8,"wavefronts_exact":false}])");
}

TEST(Analysis, TheMatrixRecordsAreReadAsTheyStand) {
  std::ifstream file(WARPLENS_SOURCE_DIR "/tests/data/h200_matrix_and_async.json");
  std::stringstream text;
  text << file.rdbuf();
  const auto analysis = analyze_text(text.str());
  ASSERT_TRUE(analysis);
  EXPECT_EQ(analysis.value->requests.size(), 197u);
}

TEST(Analysis, WrongMatricesAndCopiesAreNamed) {
  const std::pair<std::string, const char*> wrongs[] = {
      {"{\"op\": \"ldmatrix\", \"rows\": []}", "requests[0].matrices: is missing"},
      {"{\"op\": \"ldmatrix\", \"matrices\": 3, \"rows\": []}", "matrices: is 3; 1, 2 or 4 are needed"},
      {"{\"op\": \"ldmatrix\", \"matrices\": 1}", "rows: is missing"},
      {"{\"op\": \"stmatrix\", \"matrices\": 1, \"rows\": [0, 16]}",
       "rows: lane 2 has no address: lanes 0 to 7 give the rows of a matrix"},
      {"{\"op\": \"ldmatrix\", \"matrices\": 2, \"rows\": [" + std::string(kRows) + "]}",
       "lane 8 has no address: lanes 0 to 15 give the rows of 2 matrices"},
      {"{\"op\": \"ldmatrix\", \"matrices\": 1, \"rows\": [0,1,2,3,4,5,6,7]}",
       "rows[1]: lane 1 is misaligned: 1 is no multiple of the 16 bytes"},
      {"{\"op\": \"cp_async_ca\", \"bytes\": 2, \"shared\": [], \"global\": []}",
       "is 2; 4, 8 or 16 are needed"},
      {"{\"op\": \"cp_async_cg\", \"bytes\": 8, \"shared\": [], \"global\": []}",
       "is 8; past L1 (cg) 16 bytes a lane are copied"},
      {"{\"op\": \"cp_async_ca\", \"bytes\": 4, \"shared\": [0, 4], \"global\": [0, null]}",
       "global: lane 1 has a shared address and no global one"},
      {"{\"op\": \"cp_async_ca\", \"bytes\": 4, \"shared\": [0], \"global\": [2]}",
       "global[0]: lane 0 is misaligned"},
      {"{\"op\": \"cp_async_ca\", \"bytes\": 4, \"shared\": [0]}", "global: is missing"},
      {"{\"op\": \"cp_async_ca\", \"bytes\": 4, \"shared\": [0], \"global\": [0], \"src_size\": [5]}",
       "src_size[0]: must be the bytes that the lane reads, from 0 to 4, or null for all"},
      {"{\"op\": 5}", "op"}};
  for (const auto& [request, message] : wrongs) {
    const auto analysis = analyze_text("{\"requests\": [" + request + "]}");
    EXPECT_FALSE(analysis) << request;
    ASSERT_FALSE(analysis.errors.empty()) << request;
    EXPECT_THAT(::testing::PrintToString(analysis.errors), HasSubstr(message)) << request;
  }
}

}  // namespace
}  // namespace warplens::report
