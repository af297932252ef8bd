// The gallery's ladders under an H200's roofs, as recorded.
#include "app/views/roofline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/recorded.h"

namespace warplens::app::roofline_test {

using report::MemoryLevel;
using testing::HasSubstr;

views::RooflineView view_of(const char* scenario, const char* language = "en") {
  LadderTimes ladder;
  return views::roofline_view(ladder.of(gallery(), opening(gallery(), scenario).settings, recorded()),
                              strings_of(language));
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
  EXPECT_THAT(view_of("transpose_padded").nothing, HasSubstr("do no floating-point arithmetic"));
  EXPECT_THAT(view_of("transpose_padded", "zh-CN").nothing, HasSubstr("不做浮点运算"));
  EXPECT_THAT(view_of("dgemm_tiled").nothing, HasSubstr("double precision"));
}

}  // namespace warplens::app::roofline_test
