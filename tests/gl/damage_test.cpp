// What has to be drawn again: tiles whose content differs, as few disjoint rectangles.
#include "app/gl/damage.h"

#include <gtest/gtest.h>

#include <limits>

namespace warplens::gl {
namespace {

constexpr int kTile = Damage::kTile;

struct Thing {
  PixelRect where;
  std::uint64_t what = 1;
};

std::vector<PixelRect> frame(Damage* damage, const std::vector<Thing>& things, int width = 640,
                             int height = 480) {
  damage->begin(width, height);
  for (const Thing& thing : things) damage->add(thing.where, thing.what);
  return damage->finish();
}

bool covers(const std::vector<PixelRect>& parts, int x, int y) {
  for (const PixelRect& p : parts) {
    if (x >= p.left && x < p.right && y >= p.top && y < p.bottom) return true;
  }
  return false;
}

TEST(Damage, IsEverythingAtFirstAndAfterForgetting) {
  Damage damage;
  const std::vector<PixelRect> whole{{0, 0, 640, 480}};
  EXPECT_EQ(frame(&damage, {}), whole);
  EXPECT_TRUE(frame(&damage, {}).empty());
  damage.forget();
  EXPECT_EQ(frame(&damage, {}), whole);
  EXPECT_EQ(frame(&damage, {}, 640, 481), (std::vector<PixelRect>{{0, 0, 640, 481}}));
}

TEST(Damage, IsTheTilesOfWhatAppearedVanishedOrChanged) {
  Damage damage;
  frame(&damage, {});
  const Thing thing{{40, 70, 50, 80}, 7};  // in the second tile of the third row
  const std::vector<PixelRect> tile{{kTile, 2 * kTile, 2 * kTile, 3 * kTile}};
  EXPECT_EQ(frame(&damage, {thing}), tile);
  EXPECT_TRUE(frame(&damage, {thing}).empty());
  EXPECT_EQ(frame(&damage, {{thing.where, 8}}), tile);
  EXPECT_EQ(frame(&damage, {}), tile);
}

TEST(Damage, HeedsTheOrderOfDrawing) {
  Damage damage;
  const Thing a{{0, 0, 10, 10}, 1}, b{{5, 5, 15, 15}, 2};
  frame(&damage, {a, b});
  EXPECT_EQ(frame(&damage, {b, a}), (std::vector<PixelRect>{{0, 0, kTile, kTile}}));
}

TEST(Damage, EndsAtTheEdgeOfTheWindow) {
  Damage damage;
  frame(&damage, {}, 100, 50);
  EXPECT_EQ(frame(&damage, {{{-500, -500, 5000, 5000}}}, 100, 50), (std::vector<PixelRect>{{0, 0, 100, 50}}));
  EXPECT_TRUE(
      frame(&damage, {{{-500, -500, 5000, 5000}}, {{100, 0, 200, 50}}, {{9, 9, 9, 20}}}, 100, 50).empty());
}

// Many places: few parts, disjoint, and each place is in one.
TEST(Damage, StaysFewAndDisjoint) {
  Damage damage;
  std::vector<Thing> things;
  frame(&damage, things, 1920, 1080);
  for (int i = 0; i < 60; ++i) {
    const int x = 37 * i * i % 1880, y = 61 * i % 1040;
    things.push_back({{x, y, x + 30, y + 30}, static_cast<std::uint64_t>(i)});
  }
  const auto parts = frame(&damage, things, 1920, 1080);
  EXPECT_LE(parts.size(), 20u);
  for (const Thing& t : things) {
    EXPECT_TRUE(covers(parts, t.where.left, t.where.top));
    EXPECT_TRUE(covers(parts, t.where.right - 1, t.where.bottom - 1));
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t k = i + 1; k < parts.size(); ++k) EXPECT_TRUE(intersection(parts[i], parts[k]).empty());
  }
}

TEST(Damage, FarCornersStayApart) {
  Damage damage;
  frame(&damage, {}, 1920, 1080);
  const auto parts = frame(&damage, {{{0, 0, 5, 5}}, {{1900, 1060, 1910, 1070}}}, 1920, 1080);
  EXPECT_EQ(parts.size(), 2u);
}

TEST(Damage, BoxesHoldAllTheirPixels) {
  EXPECT_EQ(pixels_around(0.5f, 1, 2.25f, 3), (PixelRect{0, 1, 3, 3}));
  EXPECT_EQ(pixels_around(-0.5f, -1, -0.25f, -3.75f), (PixelRect{-1, -1, 0, -3}));
  const float none = std::numeric_limits<float>::quiet_NaN(), far = std::numeric_limits<float>::infinity();
  const PixelRect odd = pixels_around(none, -far, none, far);
  EXPECT_LT(odd.left, 0);
  EXPECT_LT(odd.top, 0);
  EXPECT_GT(odd.right, 100000);
  EXPECT_GT(odd.bottom, 100000);
}

TEST(Damage, HashesDependOnEveryByteAndTheLength) {
  std::vector<unsigned char> bytes(21, 0);
  const std::uint64_t zero = hash_of(bytes.data(), bytes.size());
  for (unsigned char& byte : bytes) {
    byte = 1;
    EXPECT_NE(hash_of(bytes.data(), bytes.size()), zero);
    byte = 0;
  }
  EXPECT_NE(hash_of(bytes.data(), 20), zero);
  EXPECT_EQ(hash_of(bytes.data(), bytes.size()), zero);
}

}  // namespace
}  // namespace warplens::gl
