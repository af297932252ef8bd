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

}  // namespace
}  // namespace warplens::panels
