// warplens-cli grade: one student's file, and a course's.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/cli/run_cli.h"
#include "tests/scenario/folder.h"

namespace warplens::cli_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

std::string start() {
  return scenario::Folder().read(WARPLENS_SOURCE_DIR "/assets/exercises/lines_touched.cu");
}

std::string with_claims(const std::string& claims) {
  std::string text = start();
  const std::string hole = "// ? lines, ? sectors";
  for (std::size_t at = text.find(hole); at != std::string::npos; at = text.find(hole, at + 1))
    text.replace(at, hole.size(), "// " + claims);
  return text;
}

TEST(Grade, SaysOfEachClaimRightOrWrongAndWhy) {
  const scenario::Folder folder;
  const std::string file = folder.write("ada.cu", with_claims("1 line, 4 sectors")).string();
  const Ran ran = run_cli({"grade", file, "--against", "lines_touched"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.out, HasSubstr("right    line 5, store rows[x + 32 * y]: 1 line\n"));
  EXPECT_THAT(ran.out, HasSubstr("WRONG    line 6, store columns[y + 32 * x]: 1 line; it is 32 lines: its 32 "
                                 "lanes take 4 bytes each, 128 bytes apart"));
  EXPECT_THAT(ran.out, HasSubstr("missing  line 7, store shifted[1 + x + 32 * y]: coalesced or not\n"))
      << "the answer is not told";
  EXPECT_THAT(ran.out, HasSubstr("2 of 9 right"));
  const Ran chinese = run_cli({"grade", file, "--against", "lines_touched", "--lang", "zh-CN"});
  EXPECT_THAT(chinese.out,
              HasSubstr("错误  第 6 行，写入 columns[y + 32 * x]：写的是1 条缓存行，应为32 条缓存行"));
  EXPECT_THAT(chinese.out, HasSubstr("答对 2 个，共 9 个"));
}

TEST(Grade, ACourseOfFiveHundredIsATable) {
  const scenario::Folder folder;
  for (int i = 0; i < 500; ++i)
    folder.write("s" + std::to_string(1000 + i) + ".cu", i % 2 == 0 ? with_claims("4 sectors") : start());
  folder.write("s2000.cu", "no kernel at all");
  folder.write("s2001.cu", std::string(std::size_t{5} << 20, 'x'));  // larger than any text may be
  const Ran ran = run_cli({"grade", folder.path().string(), "--against", "lines_touched", "--csv"});
  EXPECT_EQ(ran.code, 1);
  std::istringstream rows(ran.out);
  std::string row;
  std::vector<std::string> all;
  while (std::getline(rows, row)) all.push_back(row);
  ASSERT_EQ(all.size(), 503u);
  EXPECT_THAT(all[0], HasSubstr("file,right,of,store rows coalesced,store rows lines"));
  EXPECT_THAT(all[1], HasSubstr("s1000.cu,1,9,missing,missing,right,missing,missing,wrong"));
  EXPECT_THAT(all[2], HasSubstr("s1001.cu,0,9,missing"));
  EXPECT_THAT(all[501], HasSubstr("line 1: the code is not that of lines_touched.cu"));
  EXPECT_THAT(all[502], HasSubstr("s2001.cu,0,9,,"));
  EXPECT_THAT(all[502], Not(HasSubstr("missing")));
}

TEST(Grade, WhatCannotBeGradedIsSaid) {
  const scenario::Folder folder;
  const std::string file = folder.write("ada.cu", start()).string();
  Ran ran = run_cli({"grade", file, "--against", "lines_tuched"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("there is no exercise \"lines_tuched\""));
  ran = run_cli({"grade", (folder.path() / "none.cu").string(), "--against", "lines_touched"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.out, HasSubstr("none.cu"));
  std::filesystem::create_directory(folder.path() / "empty");
  ran = run_cli({"grade", (folder.path() / "empty").string(), "--against", "lines_touched"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("there is no .cu file in it"));
}

TEST(Grade, ExercisesAreListedAndValidated) {
  const Ran list = run_cli({"list", "exercises", "--json"});
  const json exercises = json::parse(list.out).at("exercises");
  EXPECT_GE(exercises.size(), 12u);
  for (const json& exercise : exercises) {
    const std::string file = exercise.at("file");
    const Ran ran = run_cli({"validate", file.substr(0, file.size() - 3) + ".exercise.json"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("sound (exercise " + exercise.at("name").get<std::string>()));
  }
}

}  // namespace
}  // namespace warplens::cli_test
