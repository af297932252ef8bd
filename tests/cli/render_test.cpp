// Pictures from the command line, without a display. What they say: tests/frozen, pictures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/cli/run_cli.h"
#include "tests/scenario/folder.h"

namespace warplens::cli_test::render_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<std::string> render(const std::string& file, std::vector<std::string> more = {}) {
  std::vector<std::string> words = {"render", "transpose_shared", "--set", "pad=0", "--block", "32,16", "-o",
                                    file};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(Render, AnSvgAndTheSameAgain) {
  const scenario::Folder folder;
  const auto file = folder.path() / "step.svg";
  const Ran ran = run_cli(render(file.string()));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::string svg = folder.read(file);
  EXPECT_THAT(svg, HasSubstr("<svg"));
  EXPECT_THAT(svg, ::testing::Not(HasSubstr("href"))) << "nothing outside the file";
  EXPECT_EQ(std::system(("rsvg-convert -o " + file.string() + ".png " + file.string()).c_str()), 0);
  const Ran again = run_cli(render(file.string()));
  ASSERT_EQ(again.code, 0);
  EXPECT_THAT(again.err, HasSubstr("has been replaced"));
  EXPECT_EQ(folder.read(file), svg);  // the same bytes again
}

TEST(Render, APng) {
  const scenario::Folder folder;
  const auto file = folder.path() / "step.png";
  const Ran ran = run_cli(render(file.string(), {"--step", "0", "--theme", "dark", "--lang", "zh-CN"}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(folder.read(file), StartsWith("\x89PNG"));
}

TEST(Render, WhatCannotBePictured) {
  const scenario::Folder folder;
  const std::string svg = (folder.path() / "step.svg").string();
  EXPECT_EQ(run_cli(render((folder.path() / "step.gif").string())).code, 2);
  using Options = std::vector<std::string>;
  for (const Options& options : {Options{"--lang", "fr"},
                                 {"--view", "comparison"},  // against what?
                                 {"--view", "slide", "--against", "copy_row"},
                                 {"--view", "matrix", "--predict"},
                                 {"--view", "landscape", "--axes", "block_y", "nothing"},
                                 {"--view", "landscape", "--axes", "pad", "pad"},
                                 {"--view", "profile"}})
    EXPECT_EQ(run_cli(render(svg, options)).code, 2) << ::testing::PrintToString(options);
  EXPECT_NE(run_cli(render(svg, {"--view", "why", "--predict"})).code, 0) << "it would give the answer away";
  const Ran link = run_cli({"render", "warplens:transpose_shared?pda=1&pad=99", "-o", svg});
  EXPECT_EQ(link.code, 2);
  EXPECT_THAT(link.err, ::testing::AllOf(HasSubstr("pda=1"), HasSubstr("pad=99")));
  EXPECT_FALSE(std::filesystem::exists(svg));
}

}  // namespace warplens::cli_test::render_test
