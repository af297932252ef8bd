// Figures of a view: of lanes that are active, of warps that are there; and which rules ask for them.
#include "sim/lesson/figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/lesson/grade.h"

namespace warplens::lesson {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

// 40 elements in blocks of 32: the second block has 8 active lanes.
View last_lanes() {
  View view;
  view.scenario = "copy";
  view.values = {{"n", 40}, {"block_x", 32}};
  view.block = {1, 0, 0};
  return view;
}

Outcome<std::int64_t> figure(const std::string& rule, const View& view) {
  const auto prepared = prepare_view(view);
  EXPECT_TRUE(prepared) << ::testing::PrintToString(prepared.errors);
  Prediction asked;
  asked.ask = rule;
  return answer(asked, *prepared.value, view);
}

TEST(Figures, OfLanesThatAreActive) {
  EXPECT_EQ(figure("active_lanes", last_lanes()).value, 8);
  EXPECT_EQ(figure("step_7", last_lanes()).value, 28);
  EXPECT_FALSE(figure("step_8", last_lanes()).value);
}

TEST(Figures, OfWarpsThatAreThere) {
  View view = last_lanes();
  view.warp = 1;
  EXPECT_THAT(figure("sectors", view).errors, Contains(HasSubstr("has no warp 1; it has 1")));
}

TEST(Figures, OfAnAccessOnlyWhereARuleSpeaksOfIt) {
  for (const char* rule : {"sectors == 4", "4 == wavefronts", "(bank_17)", "n * lines"})
    EXPECT_TRUE(speaks_of_access(rule)) << rule;
  for (const char* rule :
       {"global_load_sectors == 4", "n * 2", "shared_load_bank_conflicts + shared_store_wavefronts"})
    EXPECT_FALSE(speaks_of_access(rule)) << rule;
}

}  // namespace
}  // namespace warplens::lesson
