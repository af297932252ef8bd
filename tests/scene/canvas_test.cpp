// A picture uses its panel: large cells, what nobody touches left out and counted, arcs, and the array as
// rows and columns where there is room.
#include <gmock/gmock.h>

#include <algorithm>
#include <charconv>

#include "app/scene/memory/array_inset.h"
#include "cases.h"
#include "checks.h"

namespace warplens::scene {
namespace canvas_tests {
namespace {

using checks::arcs_of;
using memory::Op;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr memory::Address kBase = memory::Address{1} << 40;

// The panel of global memory as a kernel without shared memory has it.
struct Panel {
  float width, height, scale;
  float least_type = 0;
};
constexpr Panel kFirstStart{556, 413, 0.8f};  // 1280x720, with the hints of the first minute
constexpr Panel kDesk{846, 690, 1};           // 1920x1080
constexpr Panel kPresent{1200, 300, 1.48f};   // 1280x720, presenting

Canvas canvas_of(const Panel& panel) {
  Canvas canvas = cases::canvas(panel.width, panel.height, panel.scale);
  canvas.least_type = panel.least_type;
  return canvas;
}

GlobalView view_of(const memory::WarpAccess& access) {
  GlobalView view;
  view.access = access;
  view.buffer_base = kBase;
  view.buffer_name = "out";
  return view;
}

// A matrix of floats, of which the block touches 32 rows of 16 columns.
ArrayView matrix(std::int64_t rows, std::int64_t columns) {
  return {{rows, columns, 4, true}, kBase, {0, 0, 32, 16}};
}

// Where the words are that lanes touch: the ends of their arcs.
float least_touched_word(const Scene& scene, int lanes) {
  float least = 1000;
  int found = 0;
  for (const Arc& arc : arcs_of(scene)) {
    for (const Layer& layer : scene.layers) {
      for (const Cell& cell : layer.cells) {
        const bool ends = std::abs(cell.rect.y - arc.to.y) < 0.01f &&
                          std::abs(cell.rect.x + 0.5f * cell.rect.width - arc.to.x) < 0.01f;
        const bool same = std::abs(cell.fill.r - arc.color.r) + std::abs(cell.fill.g - arc.color.g) +
                              std::abs(cell.fill.b - arc.color.b) <
                          0.01f;
        if (!ends || !same) continue;
        least = std::min({least, cell.rect.width, cell.rect.height});
        ++found;
      }
    }
  }
  EXPECT_EQ(found, lanes);
  return least;
}

// The numbers in the labels that contain `word`, added up.
long long sum_in_labels(const Scene& scene, const std::string& word) {
  long long sum = 0;
  for (const Label& label : checks::labels_of(scene)) {
    const std::size_t mark = label.text.rfind("… ");
    if (mark == std::string::npos || label.text.find(word) == std::string::npos) continue;
    std::string digits;
    for (const char c : label.text.substr(mark)) {
      if (c >= '0' && c <= '9') digits += c;
    }
    long long number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    sum += number;
  }
  return sum;
}

std::vector<std::string> overlapping_words(const Scene& scene, const Palette& palette) {
  std::vector<Rect> words;
  for (const Layer& layer : scene.layers) {
    for (const Cell& cell : layer.cells) {
      const bool word = cell.fill == palette.cell || (cell.hatch > 0 && cell.border_width > 0);
      if (word && cell.rect.width < 60) words.push_back(cell.rect);
    }
  }
  std::vector<std::string> complaints;
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (std::size_t j = i + 1; j < words.size(); ++j) {
      const Rect &a = words[i], &b = words[j];
      const float across = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x),
                  down = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
      if (across > 0.5f && down > 0.5f) complaints.push_back(std::to_string(i) + " and " + std::to_string(j));
    }
  }
  return complaints;
}

TEST(Canvas, ThirtyTwoLinesAreReadableRowsWithArcs) {
  for (const Panel& panel : {kFirstStart, kDesk, kPresent}) {
    const Scene scene = global_scene(view_of(cases::strided(Op::Store, 4, kBase, 0x4000)), canvas_of(panel));
    EXPECT_THAT(arcs_of(scene), SizeIs(32)) << panel.width;
    EXPECT_GE(least_touched_word(scene, 32), 14) << panel.width;
    EXPECT_THAT(overlapping_words(scene, dark_palette()), IsEmpty()) << panel.width;
    EXPECT_THAT(checks::all(scene, dark_palette()), IsEmpty()) << panel.width;
    for (const Arc& arc : arcs_of(scene)) EXPECT_GE(arc.to.y - arc.from.y, 20) << "an arc to follow";
  }
}

TEST(Canvas, NoTwoWordsOverlapInAnyForm) {
  for (const auto& c : cases::global_cases()) {
    for (const Panel& panel : {kFirstStart, kDesk, kPresent, Panel{556, 170, 0.8f}}) {
      const Scene scene = global_scene(c.view, canvas_of(panel));
      EXPECT_THAT(overlapping_words(scene, dark_palette()), IsEmpty()) << c.name << " " << panel.width;
      EXPECT_THAT(checks::all(scene, dark_palette()), IsEmpty()) << c.name << " " << panel.width;
    }
  }
}

TEST(Canvas, LinesLeftOutAreTold) {
  // 32 lines, each 128 lines after the one before.
  const auto column = view_of(cases::strided(Op::Store, 4, kBase, 0x4000));
  for (const Panel& panel : {kFirstStart, kDesk, kPresent})
    EXPECT_TRUE(checks::has_label(global_scene(column, canvas_of(panel)),
                                  "32 lines of 128 bytes, 16,384 bytes apart"))
        << panel.width;
  // Three lines under each other: a mark before the second and the third.
  memory::WarpAccess access = cases::strided(Op::Load, 4, kBase, 0);
  for (std::size_t lane = 0; lane < 32; ++lane)
    access.addresses[lane] = kBase + (lane < 10 ? 0u : lane < 20 ? 5u * 128 : 6u * 128) + 4 * lane;
  const Scene scene = global_scene(view_of(access), canvas_of(kDesk));
  EXPECT_TRUE(checks::has_label(scene, "… 4 lines untouched"));
  EXPECT_EQ(sum_in_labels(scene, "untouched"), 4) << "the third follows the second";
}

TEST(Canvas, SectorsThatNoLaneTouchesAreFolded) {
  const Pen pen(canvas_of(kFirstStart));
  const views::GlobalLayout layout =
      views::layout_global(pen, {std::vector<std::uint8_t>(32, 0b0100), 60, true});
  EXPECT_EQ(layout.form, views::LineForm::Stacks);
  for (int line = 0; line < 32; ++line) {
    EXPECT_TRUE(layout.is_open(line, 2));
    EXPECT_FALSE(layout.is_open(line, 0));
    EXPECT_GT(layout.sector(line, 2).width, 20 * layout.sector(line, 0).width);
    EXPECT_GE(layout.sector(line, 3).width, 2) << "a folded one is still seen";
  }
}

TEST(Canvas, TheArrayStandsBesideThePicture) {
  GlobalView view = view_of(cases::strided(Op::Store, 4, kBase, 0x4000));
  const auto lit = [](const Scene& scene, int lane) {
    return std::count_if(scene.hot_spots.begin(), scene.hot_spots.end(), [&](const HotSpot& spot) {
      return spot.lane == lane && spot.tooltip.find("out[") != std::string::npos;
    });
  };
  const Canvas roomy = cases::canvas(1300, 620);
  EXPECT_EQ(lit(global_scene(view, roomy), 5), 0) << "nobody says what shape it has";
  view.array = matrix(4096, 4096);
  const Scene scene = global_scene(view, roomy);
  EXPECT_EQ(lit(scene, 5), 1);
  EXPECT_TRUE(std::any_of(scene.hot_spots.begin(), scene.hot_spots.end(),
                          [](const HotSpot& spot) { return spot.tooltip == "lane 5 → out[5][0]"; }));
  EXPECT_THAT(checks::all(scene, dark_palette()), IsEmpty());
  EXPECT_EQ(lit(global_scene(view, cases::canvas(556, 150, 0.8f)), 5), 0) << "no room";
}

// The ground on which the array stands; width 0: it is not there.
Rect ground_of_array(const Scene& scene) {
  for (const Layer& layer : scene.layers) {
    for (const Cell& cell : layer.cells) {
      if (cell.fill == dark_palette().panel && cell.rect.width > 100 && cell.rect.height > 60)
        return cell.rect;
    }
  }
  return {};
}

bool goes_through(const Arc& arc, const Rect& r) {
  for (int i = 0; i <= 100; ++i) {
    const float t = static_cast<float>(i) / 100, u = 1 - t, high = arc.to.y - arc.from.y;
    const float x = arc.from.x * u * u * (1 + 2 * t) + arc.to.x * t * t * (1 + 2 * u);
    const float y = arc.from.y + high * (1.5f * u * u * t + 1.5f * u * t * t + t * t * t);
    if (x > r.x && y > r.y && x < r.x + r.width && y < r.y + r.height) return true;
  }
  return false;
}

TEST(Canvas, EachArcIsSeenToItsEndBesideTheArray) {
  constexpr Panel kStage{1178, 640, 1.225f}, kLargeStage{1770, 960, 1.85f};
  GlobalView view = view_of(cases::strided(Op::Store, 4, kBase, 0x4000));
  view.array = matrix(4096, 4096);
  int beside = 0;
  for (const Panel& panel : {kStage, kLargeStage, kDesk, kFirstStart}) {
    const Scene scene = global_scene(view, canvas_of(panel));
    const Rect ground = ground_of_array(scene);
    beside += ground.width > 0;
    for (const Arc& arc : arcs_of(scene)) EXPECT_FALSE(goes_through(arc, ground)) << panel.width;
  }
  EXPECT_GT(beside, 0) << "it is still there where there is room";
}

// One column of a matrix, touched by a warp and its block, is shown as the edge of a matrix.
TEST(Canvas, AStripOfAnArrayHasMoreOfItBesideIt) {
  const Canvas canvas = canvas_of(kDesk);
  const Pen pen(canvas);
  ArrayView array = matrix(1024, 1024);
  for (const bool column : {true, false}) {
    array.tile = column ? scene::MatrixBox{0, 0, 32, 1} : scene::MatrixBox{0, 0, 1, 32};
    const auto access = cases::strided(Op::Load, 4, kBase, column ? 4096 : 4);
    const InsetFit fit = fit_inset(pen, inset_of(array, access, "A"), {0, 0, 800, 400});
    ASSERT_GT(fit.cell, 0);
    EXPECT_EQ(column ? fit.shown.columns : fit.shown.rows, 8);
    EXPECT_GE(column ? fit.shown.rows : fit.shown.columns, 32);
    EXPECT_EQ(fit.shown.row, 0);
    EXPECT_EQ(fit.shown.column, 0) << "an array begins there";
  }
  const ArrayView small = {{32, 3, 4, true}, kBase, {0, 0, 32, 1}};
  const InsetFit fit =
      fit_inset(pen, inset_of(small, cases::strided(Op::Load, 4, kBase, 12), "A"), {0, 0, 800, 400});
  EXPECT_EQ(fit.shown.columns, 3) << "no more than it has";
}

TEST(Canvas, OfALargeArrayThePartAroundTheWarpIsShown) {
  const Pen pen(canvas_of(kDesk));
  memory::WarpAccess access = cases::strided(Op::Load, 4, kBase + 4 * (4096 * 100 + 1000), 4);
  const ArrayInset inset = inset_of({{4096, 4096, 4, true}, kBase, {100, 0, 16, 4096}}, access, "in");
  const InsetFit fit = fit_inset(pen, inset, {0, 0, 400, 200});
  ASSERT_GT(fit.cell, 0);
  EXPECT_LE(fit.shown.column, 1000);
  EXPECT_GE(fit.shown.column + fit.shown.columns, 1032);
  EXPECT_EQ(fit.shown.row, 99) << "the block's rows, and one more on either side";
  EXPECT_EQ(fit.shown.rows, 18);
  EXPECT_LE(fit.grid.x + fit.grid.width, 400);
  EXPECT_LE(fit.grid.y + fit.grid.height, 200);
  // All that the warp touches, or nothing.
  const ArrayInset far =
      inset_of({{4096, 4096, 4, true}, kBase, {}}, cases::strided(Op::Load, 4, kBase, 0x40000), "in");
  EXPECT_EQ(fit_inset(pen, far, {0, 0, 400, 200}).cell, 0);
}

TEST(Canvas, RowsOfTheSharedArrayLeftOutAreTold) {
  // Words 0, 128 words on, 256 ...: eight rows of 256, 32 rows apart, four lanes each.
  cases::BankCase c = cases::column_case("sparse", 256, 32, 0);
  for (std::size_t lane = 0; lane < 32; ++lane)
    c.access.addresses[lane] = static_cast<memory::Address>(lane / 4 * 32 * 128 + lane % 4 * 4);
  const Scene scene = bank_scene(c.view(), cases::canvas(846, 420));
  EXPECT_TRUE(checks::has_label(scene, "8 touched rows of 256"));
  EXPECT_THAT(checks::all(scene, dark_palette()), IsEmpty());
  EXPECT_THAT(overlapping_words(scene, dark_palette()), IsEmpty());
}

}  // namespace
}  // namespace canvas_tests
}  // namespace warplens::scene
