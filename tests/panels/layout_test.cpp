// Where panels go: what a kernel does not use has no more room than to say so.
#include "app/panels/layout.h"

#include <gtest/gtest.h>

namespace warplens::panels {
namespace {

LayoutOptions beside(bool a_uses_shared, bool b_uses_shared) {
  LayoutOptions options;
  options.compare = true;
  options.a_uses_shared = a_uses_shared;
  options.uses_shared = b_uses_shared;
  return options;
}

TEST(Layout, BesideAnotherTheOneWithoutSharedMemoryHasALargePicture) {
  for (const bool b_uses : {false, true}) {
    const Layout layout = lay_out(beside(!b_uses, b_uses));
    const Pane &with = b_uses ? layout.b : layout.a, &without = b_uses ? layout.a : layout.b;
    EXPECT_GT(without.global.height, 2 * with.global.height);
    EXPECT_GT(without.shared.height, 30) << "a strip says that there is none";
    EXPECT_LT(without.shared.height, 60);
    EXPECT_EQ(without.shared.y + without.shared.height, with.shared.y + with.shared.height);
  }
}

TEST(Layout, BesideAnotherNothingIsSaidOfSharedMemoryThatNeitherUses) {
  const Layout layout = lay_out(beside(false, false));
  for (const Pane* pane : {&layout.a, &layout.b}) {
    EXPECT_EQ(pane->shared.height, 0);
    EXPECT_GT(pane->global.height, 500);
  }
}

LayoutOptions embedded(float width, float height) {
  LayoutOptions options;
  options.alone = true;
  options.shared_active = false;
  options.width = width, options.height = height;
  return options;
}

TEST(Layout, EmbeddedWithoutParametersThePictureHasTheirRoom) {
  LayoutOptions options = embedded(800, 450);
  const Layout with = lay_out(options);
  options.parameters = false;
  const Layout without = lay_out(options);
  EXPECT_GT(with.parameters.height, 0);
  EXPECT_EQ(without.parameters.height, 0);
  EXPECT_EQ(without.global.height, with.global.height + with.parameters.height);
}

TEST(Layout, EmbeddedAQuestionIsBesideThePictureOrBelowIt) {
  LayoutOptions options = embedded(800, 450);
  options.lesson = true;
  const Layout wide = lay_out(options);
  EXPECT_GT(wide.lesson.width, 300);
  EXPECT_GE(wide.lesson.x, wide.global.x + wide.global.width) << "beside it";
  EXPECT_LE(wide.lesson.x + wide.lesson.width, 800);
  options.width = 390, options.height = 844;
  const Layout tall = lay_out(options);
  EXPECT_GT(tall.lesson.height, 200);
  EXPECT_GE(tall.lesson.y, tall.global.y + tall.global.height) << "below it";
  EXPECT_LE(tall.lesson.y + tall.lesson.height, tall.transport.y);
}

}  // namespace
}  // namespace warplens::panels
