// The gallery's ladders under an H200's roofs, as recorded.
#include "app/views/roofline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/recorded.h"

namespace warplens::app {
namespace roofline_test {

using report::MemoryLevel;
using testing::HasSubstr;

views::RooflineView view_of(const char* scenario, const char* language = "en") {
  LadderTimes ladder;
  return views::roofline_view(ladder.of(gallery(), opening(gallery(), scenario).settings, recorded()),
                              strings_of(language));
}

// One operation at a time for 32 lanes that each fetch their own line: L1 is all but full.
TEST(Roofline, TheNaiveProductTouchesTheRoofOfL1) {
  const views::RooflineView view = view_of("sgemm_naive");
  ASSERT_EQ(view.nothing, "");
  ASSERT_EQ(view.roofs.memory.size(), 3u);
  EXPECT_THAT(view.sentence, HasSubstr("L1 and shared is the nearest roof"));
  EXPECT_THAT(view.source, HasSubstr("NVIDIA H200"));
  const views::RooflineRung& naive = view.rungs.front();
  EXPECT_TRUE(naive.current);
  ASSERT_EQ(naive.marks.size(), 3u);
  EXPECT_NEAR(naive.per_second, 4.85e11, 1e10);
}

// A roof is a roof: by the same 3 % that bounds have.
TEST(Roofline, NoMarkIsAboveItsRoof) {
  for (const char* scenario : {"sgemm_naive", "copy", "histogram_shared", "reduce_sequential"}) {
    const views::RooflineView view = view_of(scenario);
    for (const views::RooflineRung& rung : view.rungs)
      for (const report::RooflinePoint& mark : rung.marks) {
        EXPECT_LE(rung.per_second, 1.03 * view.roofs.of(mark.level)->bytes_per_second * mark.intensity)
            << rung.label;
        EXPECT_LE(rung.per_second, 1.03 * view.roofs.flops_per_second) << rung.label;
      }
  }
}

TEST(Roofline, WhatComputesNothingHasNoPointAndSaysSo) {
  EXPECT_THAT(view_of("transpose_padded").nothing, HasSubstr("do no arithmetic"));
  EXPECT_THAT(view_of("transpose_padded", "zh-CN").nothing, HasSubstr("不做运算"));
  EXPECT_THAT(view_of("dgemm_tiled").nothing, HasSubstr("double precision"));
}

}  // namespace roofline_test
}  // namespace warplens::app
