// Pictures without OpenGL.
#include "app/scene/file/raster.h"

#include <gmock/gmock.h>

#include "app/scene/page.h"
#include "cases.h"

namespace warplens::scene {
namespace {

constexpr Color kBlack{0, 0, 0, 1}, kRed{1, 0, 0, 1}, kWhite{1, 1, 1, 1};

int red_at(const Image& image, int x, int y) {
  return image.rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                         static_cast<std::size_t>(x))];
}

Scene empty_scene(float width, float height) {
  Scene scene;
  scene.width = width, scene.height = height;
  scene.layers.resize(1);
  return scene;
}

TEST(Raster, FillsExactlyTheCell) {
  Scene scene = empty_scene(20, 20);
  scene.layers[0].cells.push_back({{3, 4, 5, 6}, 0, kRed, {}, 0, 0, {}});
  Message error;
  const Image image = rasterize(scene, 2, kBlack, &error);
  ASSERT_EQ(image.width, 40);
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < 40; ++x)
      EXPECT_EQ(red_at(image, x, y), x >= 6 && x < 16 && y >= 8 && y < 20 ? 255 : 0) << x << "," << y;
  }
}

TEST(Raster, DrawsLettersWhereTheyBelong) {
  Scene scene = empty_scene(100, 20);
  scene.layers[0].labels.push_back({{100, 10}, "HH", 10, kWhite, Align::Right, Font::Words, false});
  Message error;
  const Image image = rasterize(scene, 1, kBlack, &error);
  ASSERT_TRUE(error.empty()) << error;
  int left = 100, right = 0, top = 20, bottom = 0;
  for (int y = 0; y < 20; ++y) {
    for (int x = 0; x < 100; ++x) {
      if (red_at(image, x, y) < 100) continue;
      left = std::min(left, x), right = std::max(right, x), top = std::min(top, y),
      bottom = std::max(bottom, y);
    }
  }
  EXPECT_GE(left, 82);  // two letters of less than 8 pixels
  EXPECT_LE(right, 99);
  EXPECT_NEAR(0.5f * static_cast<float>(top + bottom), 10, 1.1f);  // capitals stand around the middle
}

TEST(Raster, RefusesWhatIsTooLarge) {
  Message error;
  EXPECT_EQ(rasterize(empty_scene(20000, 10), 1, kBlack, &error).width, 0);
  EXPECT_THAT(error, ::testing::HasSubstr("16384"));
  EXPECT_EQ(rasterize(empty_scene(0, 10), 1, kBlack, &error).width, 0);
}

TEST(Raster, EveryPictureTwiceAlike) {
  const Scene scene = bank_scene(cases::bank_cases()[0].view(), cases::canvas(572, 290));
  const Scene page = compose(std::span(&scene, 1), dark_palette());
  Message error;
  EXPECT_EQ(rasterize(page, 1, kBlack, &error).rgba, rasterize(page, 1, kBlack, &error).rgba);
}

// A picture is laid over the arcs of the layer before and under its own cells, pixel for pixel.
TEST(Raster, DrawsPicturesWhereTheyStand) {
  Scene scene = empty_scene(8, 8);
  auto image = std::make_shared<Image>(Image{2, 2, {}});
  for (const std::uint8_t red : {10, 20, 30, 40}) image->rgba.insert(image->rgba.end(), {red, 0, 0, 255});
  scene.layers[0].pictures.push_back({{2, 2, 4, 4}, image});
  scene.layers[0].cells.push_back({{4, 4, 4, 4}, 0, kRed, {}, 0, 0, {}});
  Message error;
  const Image drawn = rasterize(scene, 1, kBlack, &error);
  EXPECT_EQ(red_at(drawn, 1, 2), 0);
  EXPECT_EQ(red_at(drawn, 2, 2), 10);
  EXPECT_EQ(red_at(drawn, 3, 3), 10);
  EXPECT_EQ(red_at(drawn, 5, 3), 20);
  EXPECT_EQ(red_at(drawn, 3, 5), 30);
  EXPECT_EQ(red_at(drawn, 5, 5), 255);
}

}  // namespace
}  // namespace warplens::scene
