// Pictures without a window.
#include "app/gl/offscreen.h"

#include <gmock/gmock.h>

#include <atomic>

namespace warplens::gl {
namespace {

using namespace scene;

constexpr Color kNight{0, 0, 0, 1}, kInk{1, 0, 0, 1}, kPaper{1, 1, 1, 1};

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

TEST(Offscreen, DrawsLettersWhereTheyBelong) {
  Scene scene = empty_scene(100, 20);
  scene.layers[0].labels.push_back({{100, 10}, "HH", 10, kPaper, Align::Right, Font::Words, false});
  Message error;
  const Image image = Offscreen().draw(scene, 1, kNight, &error);
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

TEST(Offscreen, RefusesWhatIsTooLarge) {
  Message error;
  EXPECT_EQ(Offscreen().draw(empty_scene(20000, 10), 1, kNight, &error).width, 0);
  EXPECT_THAT(error, ::testing::HasSubstr("16384"));
  EXPECT_EQ(Offscreen().draw(empty_scene(0, 10), 1, kNight, &error).width, 0);
}

TEST(Offscreen, LettersLieUnderTheNextLayer) {
  Scene scene = empty_scene(100, 20);
  scene.layers.resize(2);
  scene.layers[0].labels.push_back({{0, 10}, "HHHHHHHHHHHH", 14, kPaper, Align::Left, Font::Words, false});
  scene.layers[1].cells.push_back({{0, 0, 50, 20}, 0, kInk, {}, 0, 0, {}});
  Message error;
  const Image image = Offscreen().draw(scene, 1, kNight, &error);
  const auto blue = [&](int from, int to) {
    int most = 0;
    for (int y = 0; y < 20; ++y) {
      for (int x = from; x < to; ++x)
        most = std::max<int>(most, image.rgba[static_cast<std::size_t>(4 * (y * image.width + x) + 2)]);
    }
    return most;
  };
  EXPECT_EQ(blue(0, 50), 0);
  EXPECT_GT(blue(50, 100), 200);
}

// Large ones fill the sheet several times over.
TEST(Offscreen, DrawsMoreLettersThanTheSheetHolds) {
  Scene scene = empty_scene(4000, 4000);
  for (int i = 0; i < 10; ++i) {
    const float y = 200 + 400 * static_cast<float>(i);
    scene.layers[0].labels.push_back({{0, y}, "HHHHHHHHHHHH", 400, kPaper, Align::Left, Font::Words, false});
  }
  Message error;
  const Image image = Offscreen().draw(scene, 1, kNight, &error);
  ASSERT_TRUE(error.empty()) << error;
  const auto strokes = [&](int y) {  // along a line through the letters' stems
    int count = 0;
    for (int x = 1; x < image.width; ++x)
      count += red_at(image, x, y) > 128 && red_at(image, x - 1, y) <= 128;
    return count;
  };
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(strokes(100 + 400 * i), strokes(100)) << i;
    EXPECT_GE(strokes(100 + 400 * i), 20) << i;
  }
}

TEST(Offscreen, GoesByItsBudget) {
  const std::atomic<bool> cancel{true};
  Budget cancelled({.cancel = &cancel});
  Message error;
  EXPECT_THROW(Offscreen().draw(empty_scene(100, 100), 1, kNight, &error, cancelled), Stopped);
}

// A picture is laid over the arcs of the layer before and under its own cells, pixel for pixel.
TEST(Offscreen, DrawsPicturesWhereTheyStand) {
  Scene scene = empty_scene(8, 8);
  auto image = std::make_shared<Image>(Image{2, 2, {}});
  for (const std::uint8_t red : {10, 20, 30, 40}) image->rgba.insert(image->rgba.end(), {red, 0, 0, 255});
  scene.layers[0].pictures.push_back({{2, 2, 4, 4}, image});
  scene.layers[0].cells.push_back({{4, 4, 4, 4}, 0, kInk, {}, 0, 0, {}});
  Message error;
  const Image drawn = Offscreen().draw(scene, 1, kNight, &error);
  EXPECT_EQ(red_at(drawn, 1, 2), 0);
  EXPECT_EQ(red_at(drawn, 2, 2), 10);
  EXPECT_EQ(red_at(drawn, 3, 3), 10);
  EXPECT_EQ(red_at(drawn, 5, 3), 20);
  EXPECT_EQ(red_at(drawn, 3, 5), 30);
  EXPECT_EQ(red_at(drawn, 5, 5), 255);
}

TEST(Offscreen, FillsExactlyTheCell) {
  Scene scene = empty_scene(20, 20);
  scene.layers[0].cells.push_back({{3, 4, 5, 6}, 0, kInk, {}, 0, 0, {}});
  Message error;
  const Image image = Offscreen().draw(scene, 2, kNight, &error);
  ASSERT_EQ(image.width, 40);
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < 40; ++x)
      EXPECT_EQ(red_at(image, x, y), x >= 6 && x < 16 && y >= 8 && y < 20 ? 255 : 0) << x << "," << y;
  }
}

}  // namespace
}  // namespace warplens::gl
