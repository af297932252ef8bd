// Links on the command line: what a browser's address bar or a chat says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/run_cli.h"

namespace warplens::cli_test {
namespace {

using ::testing::HasSubstr;

// The copy, edited so that all lanes of a warp read one element: a sector a request.
const std::string kEdited =
    "language=zh-CN&theme=light&view="
    "1.eNoljkEPgjAMhf_KCydEIgncFD158c4NCBlsyuLoiE4DIfx3yzw07ZfX99olcGpywZHbMBrhFHI3j4rEoFBcKmqa"
    "h7GtME2Dr9USnR3nsIhgPy5moLcDk6aYy4F2WCqCnzXOaI3tnjc5HSZEf7jqgWEP17-UkF46eccdoUa-JSBJWFYwgs"
    "O9CYOYwftdj1bNlqTXFcnNie2XUtd8TlOpkSBL-VqW1hy8VhSsP_4ySbQ";

nlohmann::json totals_of(const std::vector<std::string>& words) {
  const Ran ran = run_cli(words);
  EXPECT_EQ(ran.code, 0) << ran.err;
  return ran.code == 0 ? ran.json()["totals"] : nlohmann::json();
}

TEST(CliLink, AnAddressIsTheScenarioThatItNames) {
  EXPECT_EQ(totals_of({"report", "https://example.org/gpu/?embed#copy_stride?stride=4!warp=1&language=en",
                       "--json"}),
            totals_of({"report", "copy_stride", "--set", "stride=4", "--json"}));
}

TEST(CliLink, ItsTextIsTheOneThatIsCounted) {
  const auto gallery = totals_of({"report", "copy", "--json"}),
             edited = totals_of({"report", "warplens:copy#" + kEdited, "--json"}),
             address = totals_of({"report", "https://example.org/#copy!" + kEdited, "--json"});
  EXPECT_EQ(edited, address);
  EXPECT_EQ(edited["global"]["load"]["sectors"].get<int>() * 4,
            gallery["global"]["load"]["sectors"].get<int>());
  EXPECT_EQ(edited["global"]["store"], gallery["global"]["store"]);
}

TEST(CliLink, WhatIsWrongIsTold) {
  EXPECT_THAT(run_cli({"report", "warplens:copy#" + kEdited.substr(0, kEdited.size() - 9)}).err,
              HasSubstr("not whole"));
  EXPECT_THAT(run_cli({"report", "warplens:copy#" + kEdited, "--set", "n=1024"}).err,
              HasSubstr("its own text"));
  EXPECT_THAT(run_cli({"report", "warplens:kernel#language=en"}).err, HasSubstr("kernel"));
}

}  // namespace
}  // namespace warplens::cli_test
