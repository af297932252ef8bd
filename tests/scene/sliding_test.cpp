// Words on their way: at the old bank when padding has just been turned, at the new one at the end, between
// them in the middle.
#include <gtest/gtest.h>

#include "cases.h"
#include "checks.h"

namespace warplens::scene {
namespace {

// The tile[16][32] of one access becomes a tile[16][32 + 2].
struct Change {
  cases::BankCase before = cases::column_case("before", 16, 32, 0);
  cases::BankCase after = cases::column_case("after", 16, 32, 2);

  Scene at(float slide) const {
    BankView view = after.view();
    view.previous = &before.access;
    view.previous_program = &before.program;
    view.previous_site = &before.program.sites[0];
    view.previous_padding_words = 0;
    view.slide = slide;
    return bank_scene(view, cases::canvas(872, 620));
  }
};

// Left edges of the array's cells (of words, not of padding) that lie in the row of height `y`.
std::vector<float> words_at(const Scene& scene, float y, const Color& fill) {
  std::vector<float> left;
  for (const Cell& c : scene.layers[0].cells) {
    if (c.fill == fill && c.hatch <= 0 && std::abs(c.rect.y - y) < 0.6f) left.push_back(c.rect.x);
  }
  std::sort(left.begin(), left.end());
  return left;
}

struct Grid {
  float x = 0, y = 0, pitch = 0, step = 0;  // few rows are higher than wide
};
Grid grid_of(const Scene& rest) {
  std::vector<const Cell*> cells;
  for (const Cell& c : rest.layers[0].cells) {
    if (c.fill == dark_palette().cell && c.hatch <= 0 && c.rect.width < 40) cells.push_back(&c);
  }
  Grid grid{1e9f, 1e9f, 0, 0};
  for (const Cell* c : cells) grid.y = std::min(grid.y, c->rect.y), grid.x = std::min(grid.x, c->rect.x);
  float next = 1e9f, below = 1e9f;
  for (const Cell* c : cells) {
    if (c->rect.x > grid.x + 0.5f) next = std::min(next, c->rect.x);
    if (c->rect.y > grid.y + 0.5f) below = std::min(below, c->rect.y);
  }
  grid.pitch = next - grid.x;
  grid.step = below - grid.y;
  return grid;
}

TEST(Sliding, BeginsAtTheOldBanksAndEndsAtTheNew) {
  const Change change;
  const Scene end = change.at(1);
  const Grid grid = grid_of(end);
  // At first row 1 of the array begins in bank 0 of the second row of 32 words; at the end in bank 2.
  const std::vector<float> first = words_at(change.at(0), grid.y + grid.step, dark_palette().cell);
  ASSERT_EQ(first.size(), 32u);
  EXPECT_NEAR(first.front(), grid.x, 0.6f);
  // The last two words of row 1 have gone on to the third row: bank 0 and 1 hold row 0's padding.
  const std::vector<float> last = words_at(end, grid.y + grid.step, dark_palette().cell);
  ASSERT_EQ(last.size(), 30u);
  EXPECT_NEAR(last.front(), grid.x + 2 * grid.pitch, 0.6f);
}

TEST(Sliding, IsBetweenTheTwoInTheMiddle) {
  const Change change;
  const Grid grid = grid_of(change.at(1));
  const std::vector<float> middle = words_at(change.at(0.5f), grid.y + grid.step, dark_palette().cell);
  ASSERT_FALSE(middle.empty());
  EXPECT_NEAR(middle.front(), grid.x + grid.pitch, 0.6f) << "half of two banks";
}

// A tower that slides apart: of chips close to each other, too.
TEST(Sliding, ChipsKeepTheirNumbersWhereTheyHaveRoom) {
  const Change change;
  for (const float slide : {0.0f, 0.15f, 0.3f, 0.45f, 0.6f, 1.0f})
    EXPECT_GE(change.at(slide).layers.at(2).labels.size(), 28u) << slide;
}

TEST(Sliding, PaddingComesWhereItIs) {
  const Change change;
  const auto hatched = [](const Scene& scene) {
    return checks::count_cells(scene, [](const Cell& c) { return c.hatch > 0 && c.hatch_color.a > 0.2f; });
  };
  EXPECT_EQ(hatched(change.at(0)), 0);
  EXPECT_EQ(hatched(change.at(0.5f)), 32);
  EXPECT_EQ(hatched(change.at(1)), 32);
}

}  // namespace
}  // namespace warplens::scene
