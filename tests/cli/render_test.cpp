// Pictures from the command line, without a display.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "tests/cli/run_cli.h"
#include "tests/scenario/folder.h"

namespace warplens::cli_test {
namespace render_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> render(const std::string& file, std::vector<std::string> more = {}) {
  std::vector<std::string> words = {"render", "transpose_shared", "--set", "pad=0", "--block", "32,16", "-o",
                                    file};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(Render, AnSvgWithCaptionAndProvenance) {
  const scenario::Folder folder;
  const auto file = folder.path() / "step.svg";
  const Ran ran = run_cli(render(file.string()));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::string svg = content_of(file);
  EXPECT_THAT(svg, HasSubstr("<svg"));
  EXPECT_THAT(svg, HasSubstr("transpose_shared, line"));
  EXPECT_THAT(svg, HasSubstr("predicted for sm_90"));
  EXPECT_THAT(svg, HasSubstr("pad=0"));
  EXPECT_THAT(svg, HasSubstr("tile[c][r]"));  // the costliest access of the kernel
  ASSERT_EQ(run_cli(render(file.string())).code, 0);
  EXPECT_EQ(content_of(file), svg);  // the same bytes again
}

TEST(Render, APng) {
  const scenario::Folder folder;
  const auto file = folder.path() / "step.png";
  const Ran ran = run_cli(render(file.string(), {"--step", "0", "--theme", "dark", "--lang", "zh-CN"}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(content_of(file), StartsWith("\x89PNG"));
}

// The views of the window that take a target beside the access.
TEST(Render, MatrixPhasesAndComparison) {
  const scenario::Folder folder;
  const auto file = folder.path() / "view.svg";
  const auto picture = [&](std::vector<std::string> more) {
    const Ran ran = run_cli(render(file.string(), std::move(more)));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return content_of(file);
  };
  EXPECT_THAT(picture({"--view", "matrix", "--array", "in", "--scope", "warp"}),
              ::testing::AllOf(HasSubstr("<image"), HasSubstr("Matrix map · in"), HasSubstr("warp 0: ")));
  EXPECT_THAT(picture({"--view", "phases"}), HasSubstr("Phases · "));
  EXPECT_THAT(picture({"--view", "comparison", "--against", "warplens:transpose_shared?pad=1"}),
              ::testing::AllOf(HasSubstr(">padding 0<"), HasSubstr(">padding 1<"), HasSubstr("16-way"),
                               HasSubstr(">bank conflicts</text>")));
}

// Who touched the sectors before, alone, beside the source, on both sides of A│B; and not while it asks.
TEST(Render, TellsWhoTouchedTheSectorsBefore) {
  const scenario::Folder folder;
  const auto file = folder.path() / "view.svg";
  const auto picture = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"render", "sum_aos", "--set", "n=8192",     "--step",
                                      "1",      "--reuse", "-o",    file.string()};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = run_cli(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return content_of(file);
  };
  const auto told = ::testing::AllOf(HasSubstr(">12 this warp"), HasSubstr("x, y and z share them"));
  EXPECT_THAT(picture({}), told);
  EXPECT_THAT(picture({"--view", "slide"}), told);
  EXPECT_THAT(picture({"--view", "global"}), told);
  EXPECT_THAT(picture({"--view", "comparison", "--against", "sum_aos"}), HasSubstr(">12 this warp"));
  EXPECT_THAT(picture({"--lang", "zh-CN"}), HasSubstr(">12 本线程束访问过"));
  EXPECT_THAT(picture({"--view", "slide", "--predict"}), ::testing::Not(HasSubstr("this warp")));
}

TEST(Render, TimelineAndLandscape) {
  const scenario::Folder folder;
  const auto file = folder.path() / "view.svg";
  const auto picture = [&](std::vector<std::string> more) {
    const Ran ran = run_cli(render(file.string(), std::move(more)));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return content_of(file);
  };
  EXPECT_THAT(picture({"--view", "timeline"}),
              ::testing::AllOf(HasSubstr("Timeline · block"), HasSubstr("barrier 1")));
  const std::vector<std::string> small{"--set", "nrows=64", "--set", "ncols=64", "--view", "landscape"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), small.begin(), small.end());
    return more;
  };
  EXPECT_THAT(picture(small), ::testing::AllOf(HasSubstr("padding × block x"), HasSubstr("The least: ")));
  EXPECT_THAT(picture(with({"--axes", "block_y", "pad", "--of", "sectors-a-request"})),
              ::testing::AllOf(HasSubstr("block y × padding"), HasSubstr("sectors of the costliest access")));
  EXPECT_EQ(run_cli(render(file.string(), with({"--axes", "block_y", "nothing"}))).code, 2);
  EXPECT_EQ(run_cli(render(file.string(), with({"--axes", "pad", "pad"}))).code, 2);
}

TEST(Render, WhyThatLongBesideTheRecordedTime) {
  const scenario::Folder folder;
  const auto file = folder.path() / "why.svg";
  const auto rendered = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"render", "sum_aos", "--view", "why", "-o", file.string()};
    words.insert(words.end(), more.begin(), more.end());
    return run_cli(words);
  };
  ASSERT_EQ(rendered({}).code, 0);
  EXPECT_THAT(content_of(file),
              ::testing::AllOf(HasSubstr("DRAM needs at least 13.1"), HasSubstr("recorded on NVIDIA H200"),
                               HasSubstr("least time that each resource needs")));
  ASSERT_EQ(rendered({"--gpu", "sm_61"}).code, 0);
  EXPECT_THAT(content_of(file),
              ::testing::AllOf(HasSubstr("Counts without times"), ::testing::Not(HasSubstr("H200"))));
  EXPECT_NE(rendered({"--predict"}).code, 0) << "it would give the answer away";
}

TEST(Render, OccupancyAndLanesAtWork) {
  const scenario::Folder folder;
  const auto file = folder.path() / "occupancy.svg";
  const auto picture = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "render");
    words.insert(words.end(), {"--view", "occupancy", "-o", file.string()});
    const Ran ran = run_cli(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return content_of(file);
  };
  // Of the 8 turns s = 128 ... 1 the last five part the one warp that works: 16, 8, 4, 2, 1 lanes; before
  // that 4, 2 and 1 warps work with all. The mean of the 12 is 255 / 12.
  EXPECT_THAT(picture({"reduce_strided"}),
              ::testing::AllOf(HasSubstr("holds 8 blocks of 256 threads at once: 64 of 64 warps"),
                               HasSubstr("2,048 of 2,048"), HasSubstr("17: branch"), HasSubstr("21.2 of 32"),
                               HasSubstr("lanes part 5 of 64 times"), HasSubstr("lanes part 1 of 8 times"),
                               HasSubstr("All 32 lanes work at 3 other places")));
  EXPECT_THAT(picture({"copy_row", "--block", "32,1", "--lang", "zh-CN"}),
              ::testing::AllOf(HasSubstr("占线程束上限的 50 %"), HasSubstr("限制来自"),
                               HasSubstr("全部 32 个通道在工作")));
}

TEST(Render, AProfileBesideThePrediction) {
  const scenario::Folder folder;
  const auto file = folder.path() / "profile.svg";
  const std::string profile = std::string(WARPLENS_SOURCE_DIR) + "/tests/data/ncu/full_set.csv";
  const auto rendered = [&](const std::string& pad, const std::string& rows) {
    return run_cli({"render", "transpose_shared", "--set", "pad=" + pad, "--block", "32,16", "--set",
                    "nrows=" + rows, "--set", "ncols=2048", "--view", "profile", "--profile", profile, "-o",
                    file.string()});
  };
  const Ran ran = rendered("0", "2048");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(content_of(file),
              ::testing::AllOf(HasSubstr("full_set.csv · launch 0"), HasSubstr("every difference explained"),
                               HasSubstr("tile[c][r]: (16 − 1) × 131,072 requests = 1,966,080"),
                               HasSubstr("L2 Hit Rate 50.21 %")));
  EXPECT_EQ(rendered("1", "2048").code, 0);
  EXPECT_THAT(content_of(file), HasSubstr("not explained")) << "it was profiled without padding";
  EXPECT_EQ(run_cli(render(file.string(), {"--view", "profile"})).code, 2);
  const Ran other = rendered("0", "4096");
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("was profiled with grid / block 64 x 128 / 32 x 16"));
}

TEST(Render, WhatCannotBePictured) {
  const scenario::Folder folder;
  const std::string svg = (folder.path() / "step.svg").string();
  EXPECT_EQ(run_cli(render((folder.path() / "step.gif").string())).code, 2);
  EXPECT_EQ(run_cli(render(svg, {"--step", "99"})).code, 2);
  EXPECT_EQ(run_cli(render(svg, {"--warp", "31"})).code, 2);
  EXPECT_EQ(run_cli(render(svg, {"--size", "9x9"})).code, 2);
  EXPECT_EQ(run_cli(render(svg, {"--lang", "fr"})).code, 2);
  EXPECT_EQ(run_cli(render(svg, {"--view", "comparison"})).code, 2) << "against what?";
  EXPECT_EQ(run_cli(render(svg, {"--view", "slide", "--against", "copy_row"})).code, 2);
  EXPECT_EQ(run_cli(render(svg, {"--view", "matrix", "--predict"})).code, 2);
  EXPECT_FALSE(std::filesystem::exists(svg));
  EXPECT_EQ(run_cli(render((folder.path() / "absent" / "step.svg").string())).code, 2);
}

}  // namespace render_test
}  // namespace warplens::cli_test
