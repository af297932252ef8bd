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

TEST(Analysis, TheHardwareRecordsAreReadAsTheyStand) {
  std::ifstream file(WARPLENS_SOURCE_DIR "/tests/data/h200_requests.json");
  std::stringstream text;
  text << file.rdbuf();
  const auto analysis = analyze_text(text.str());
  ASSERT_TRUE(analysis);
  EXPECT_EQ(analysis.value->costs.size(), 1302u);
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

}  // namespace
}  // namespace warplens::report
