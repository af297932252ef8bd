// Where panels go.
#include "app/panels/layout.h"

#include <gtest/gtest.h>

namespace warplens::panels {
namespace {

TEST(Layout, BesideAnotherBothPicturesAreAsLarge) {
  LayoutOptions options;
  options.compare = true;
  const Layout layout = lay_out(options);
  EXPECT_EQ(layout.a.picture.width, layout.b.picture.width);
  EXPECT_EQ(layout.a.picture.height, layout.b.picture.height);
  EXPECT_GT(layout.b.picture.height, 500);
}

// Presenting, the picture is what there is; what lies over it comes and goes, and moves nothing.
TEST(Layout, PresentingThePictureHasTheWindow) {
  for (const auto& [width, height] : {std::pair{1280.0f, 720.0f}, {1920.0f, 1080.0f}, {3840.0f, 2160.0f}}) {
    LayoutOptions options;
    options.width = width, options.height = height;
    options.present = true;
    const Layout layout = lay_out(options);
    EXPECT_TRUE(layout.floats);
    EXPECT_GE(layout.picture.width * layout.picture.height, 0.85f * width * height) << width;
    EXPECT_GE(layout.strip.y, layout.picture.y + layout.picture.height);
    EXPECT_LE(layout.strip.y + layout.strip.height, height);
    options.source = true;
    EXPECT_FALSE(lay_out(options).floats) << "what is typed stands beside it";
    EXPECT_GT(lay_out(options).source.width, 200);
  }
}

LayoutOptions embedded(float width, float height) {
  LayoutOptions options;
  options.alone = true;
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
  EXPECT_EQ(without.picture.height, with.picture.height + with.parameters.height);
}

TEST(Layout, EmbeddedAQuestionIsBesideThePictureOrBelowIt) {
  LayoutOptions options = embedded(800, 450);
  options.lesson = true;
  const Layout wide = lay_out(options);
  EXPECT_GT(wide.lesson.width, 300);
  EXPECT_GE(wide.lesson.x, wide.picture.x + wide.picture.width) << "beside it";
  EXPECT_LE(wide.lesson.x + wide.lesson.width, 800);
  options.width = 390, options.height = 844;
  const Layout tall = lay_out(options);
  EXPECT_GT(tall.lesson.height, 200);
  EXPECT_GE(tall.lesson.y, tall.picture.y + tall.picture.height) << "below it";
  EXPECT_LE(tall.lesson.y + tall.lesson.height, tall.transport.y);
}

}  // namespace
}  // namespace warplens::panels
