#include "sim/scenario/target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sim/scenario/text_file.h"
#include "sim/text/scan.h"
#include "tests/scenario/folder.h"

namespace warplens::scenario {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

sim::Argument argument(const std::string& text) {
  const auto outcome = parse_argument(text, "--set x");
  EXPECT_TRUE(outcome) << text << ::testing::PrintToString(outcome.errors);
  return outcome.value.value_or(sim::Argument(std::int64_t{-999}));
}

TEST(Target, Numbers) {
  EXPECT_EQ(std::get<std::int64_t>(argument("4096")), 4096);
  EXPECT_EQ(std::get<std::int64_t>(argument("-1")), -1);
  EXPECT_EQ(std::get<std::int64_t>(argument("+7")), 7);
  EXPECT_EQ(std::get<std::int64_t>(argument("0x10")), 16);
  EXPECT_EQ(std::get<std::int64_t>(argument("true")), 1);
  EXPECT_EQ(std::get<std::int64_t>(argument("9223372036854775807")), 9223372036854775807);
  EXPECT_EQ(std::get<std::uint64_t>(argument("0xffffffffffffffff")),
            std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(std::get<std::int64_t>(argument("-9223372036854775808")),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(std::get<double>(argument("1.5")), 1.5);
  EXPECT_EQ(std::get<double>(argument("1.5f")), 1.5);
  EXPECT_EQ(std::get<double>(argument("-2e3")), -2000);
  EXPECT_TRUE(
      std::isnan(std::get<double>(argument("nan"))));  // fit for a float; the launch refuses it for an int
}

TEST(Target, Buffers) {
  EXPECT_EQ(std::get<sim::Buffer>(argument("@4096")), (sim::Buffer{4096, sim::Fill::Zero}));
  EXPECT_EQ(std::get<sim::Buffer>(argument("@4096:iota")), (sim::Buffer{4096, sim::Fill::Iota}));
  EXPECT_EQ(std::get<sim::Buffer>(argument("@8:random")), (sim::Buffer{8, sim::Fill::Random}));
  EXPECT_EQ(std::get<sim::Buffer>(argument("@:iota")), (sim::Buffer{0, sim::Fill::Iota}));
}

TEST(Target, WrongNumbersAreRefused) {
  for (const char* wrong : {"", "x", "1x", "1,5", "--1", "0x", "18446744073709551616", "1e999", "@", "@0",
                            "@-1", "@x", "@5:ones", "@99999999999999999999", "@:"}) {
    const auto outcome = parse_argument(wrong, "--set x");
    EXPECT_FALSE(outcome) << wrong;
    EXPECT_THAT(outcome.errors, ElementsAre(HasSubstr("--set x"))) << wrong;
  }
}

TEST(Target, Extents) {
  EXPECT_EQ(parse_extents("32", "--block").value, (sim::Dim3{32, 1, 1}));
  EXPECT_EQ(parse_extents("32,16", "--block").value, (sim::Dim3{32, 16, 1}));
  EXPECT_EQ(parse_extents("8x4x2", "--block").value, (sim::Dim3{8, 4, 2}));
  for (const char* wrong : {"", "0", "32,", ",32", "1,2,3,4", "-1", "1.5", "4294967296", "a", "32,0"}) {
    EXPECT_FALSE(parse_extents(wrong, "--block")) << wrong;
  }
}

TEST(Target, ArgumentsSplitAtOuterCommas) {
  EXPECT_THAT(text::split_list("32, float4,true", kNesting), ElementsAre("32", "float4", "true"));
  EXPECT_THAT(text::split_list("Tile<16, 2>,f(1,2)", kNesting), ElementsAre("Tile<16, 2>", "f(1,2)"));
  EXPECT_THAT(text::split_list(">,x", kNesting), ElementsAre(">", "x"));
}

TEST(Target, AKernelFileTakesItsLaunchAsWritten) {
  const Folder folder;
  Target target;
  target.what = folder.write("mine.cu", "__global__ void k(float* a, int n) {}").string();
  target.block = "32,8";
  target.grid = "64,64";
  target.shared = "1024";
  target.defines = {"A", "B=2", "C=x=y"};
  target.sets = {"n=2048", "a=@4096:random"};
  const auto setup = resolve(target);
  ASSERT_TRUE(setup) << ::testing::PrintToString(setup.errors);
  EXPECT_EQ(setup.value->name, "mine");
  EXPECT_EQ(setup.value->launch.grid, (sim::Dim3{64, 64, 1}));
  EXPECT_EQ(setup.value->launch.block, (sim::Dim3{32, 8, 1}));
  EXPECT_EQ(setup.value->launch.shared_bytes, 1024u);
  EXPECT_THAT(setup.value->compile.defines,
              ElementsAre(std::pair("A", "1"), std::pair("B", "2"), std::pair("C", "x=y")));
  EXPECT_EQ(std::get<sim::Buffer>(setup.value->launch.arguments.at("a")).elements, 4096u);
}

TEST(Target, AScenariosBlockGoesToItsParameters) {
  Target target;
  target.what = WARPLENS_SOURCE_DIR "/kernels/transpose_shared.scenario.json";
  target.block = "16,8";
  target.sets = {"nrows=100", "ncols=200", "pad=1"};
  const auto setup = resolve(target);
  ASSERT_TRUE(setup) << ::testing::PrintToString(setup.errors);
  EXPECT_EQ(setup.value->launch.block, (sim::Dim3{16, 8, 1}));
  EXPECT_EQ(setup.value->launch.grid, (sim::Dim3{13, 13, 1}));
  EXPECT_THAT(setup.value->compile.template_arguments, ElementsAre("16", "8", "1"));
}

TEST(Target, WrongTargetsAreTold) {
  const auto errors_of = [](Target target) {
    std::string all;
    for (const std::string& error : resolve(target).errors) all += error + "\n";
    return all;
  };
  const std::string scenario = WARPLENS_SOURCE_DIR "/kernels/transpose_shared.scenario.json";
  EXPECT_THAT(errors_of({.what = "transpose_sharde"}), HasSubstr("did you mean \"transpose_shared\"?"));
  EXPECT_THAT(errors_of({.what = "absent.cu"}), HasSubstr("absent.cu: cannot be opened"));
  EXPECT_THAT(errors_of({.what = scenario, .sets = {"pda=1"}}), HasSubstr("did you mean \"pad\"?"));
  EXPECT_THAT(errors_of({.what = scenario, .sets = {"pad"}}), HasSubstr("NAME=VALUE"));
  EXPECT_THAT(errors_of({.what = scenario, .sets = {"pad=nan"}}), HasSubstr("an integer is needed"));
  EXPECT_THAT(errors_of({.what = scenario, .sets = {"pad=99999999999999999999"}}), HasSubstr("too large"));
  EXPECT_THAT(errors_of({.what = scenario, .template_arguments = "1"}), HasSubstr("go with a kernel file"));
  EXPECT_THAT(errors_of({.what = scenario, .block = "0"}), HasSubstr("1 or more"));
  EXPECT_THAT(errors_of({.what = scenario, .block = "8,8,8"}), HasSubstr("no parameter block_z"));
}

TEST(Target, NearestNames) {
  EXPECT_EQ(nearest_name("pda", {"nrows", "pad"}), "pad");
  EXPECT_EQ(nearest_name("PAD", {"nrows", "pad"}), "pad");
  EXPECT_EQ(nearest_name("transpose", {"copy", "transpose_shared"}), "transpose_shared");
  EXPECT_EQ(nearest_name("zzzzzzzz", {"nrows", "pad"}), "");
}

TEST(Target, TextFilesAreBounded) {
  const Folder folder;
  const auto file = folder.write("big.cu", std::string(2000, 'x'));
  EXPECT_TRUE(read_text(file, 2000));
  EXPECT_THAT(read_text(file, 1999).errors, ElementsAre(HasSubstr("larger than 1999 bytes")));
  EXPECT_THAT(read_text(folder.path()).errors, ElementsAre(HasSubstr("is a folder")));
}

}  // namespace
}  // namespace warplens::scenario
