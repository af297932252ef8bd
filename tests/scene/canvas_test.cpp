// A picture uses its panel: large cells, what nobody touches left out and counted, arcs, and the array as
// rows and columns where there is room.
#include <gmock/gmock.h>

#include <algorithm>

#include "app/scene/memory/array_inset.h"
#include "cases.h"
#include "checks.h"

namespace warplens::scene::canvas_tests {
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
  // Three lines under each other: a mark before the second and the third.
  memory::WarpAccess access = cases::strided(Op::Load, 4, kBase, 0);
  for (std::size_t lane = 0; lane < 32; ++lane)
    access.addresses[lane] = kBase + (lane < 10 ? 0u : lane < 20 ? 5u * 128 : 6u * 128) + 4 * lane;
  const Scene scene = global_scene(view_of(access), canvas_of(kDesk));
  EXPECT_TRUE(checks::has_label(scene, "… 4 lines untouched"));
  EXPECT_EQ(std::ranges::count_if(checks::labels_of(scene),
                                  [](const Label& label) { return label.text.starts_with("…"); }),
            1)
      << "the third follows the second";
}

bool is_dot(const Cell& cell) {
  return cell.fill == dark_palette().secondary && cell.rect.width < 5 && cell.rect.height == cell.rect.width;
}

// Also on a phone: a box a sector that a lane can be read in and followed to, addresses, and dots where
// memory is left out. Of few lines the rows stay whole.
TEST(Canvas, OfManyLinesTheTouchedSectorsStandAlone) {
  constexpr Panel kPhone{360, 640, 0.86f};
  const auto every = [](std::int64_t bytes) { return view_of(cases::strided(Op::Load, 4, kBase, bytes)); };
  for (const Panel& panel : {kFirstStart, kDesk, kPresent, kPhone}) {
    for (const auto& [stride, told] : {std::pair{128, "128"}, {0x4000, "16,384"}}) {
      const Scene scene = global_scene(every(stride), canvas_of(panel));
      EXPECT_EQ(checks::count_cells(scene, is_dot), 31 * 3) << panel.width << " " << stride;
      EXPECT_TRUE(checks::has_label(scene, "31")) << panel.width << " " << stride;
      EXPECT_THAT(scene.layers[1].arcs, SizeIs(32));
      for (const Arc& arc : scene.layers[1].arcs) EXPECT_GE(arc.to.y - arc.from.y, 20) << panel.width;
      const auto labels = checks::labels_of(scene);
      EXPECT_GE(std::ranges::count(labels, '+', [](const Label& l) { return l.text[0]; }), 16) << panel.width;
      const std::string words = std::string("··· untouched memory; sectors ") + told + " bytes apart";
      EXPECT_EQ(checks::has_label(scene, words), panel.width >= 400) << "on a phone a part of it";
      EXPECT_THAT(checks::all(scene, dark_palette()), IsEmpty());
    }
    for (const int stride : {4, 8}) {
      const Scene scene = global_scene(every(stride), canvas_of(panel));
      EXPECT_EQ(checks::count_cells(scene, is_dot), 0);
      EXPECT_TRUE(checks::has_label(scene, "128-byte line, out + 0")) << panel.width << " " << stride;
    }
  }
  EXPECT_THAT(checks::all(global_scene(every(128), canvas_of({700, 130, 2})), dark_palette()), IsEmpty());
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
    const Point p = along_arc(arc.from, arc.to, 0.01f * static_cast<float>(i));
    if (p.x > r.x && p.y > r.y && p.x < r.x + r.width && p.y < r.y + r.height) return true;
  }
  return false;
}

// No curve leads into a word, a bar of what is moved or the array: it bends above them, and is straight and
// before them from there on, between words that are large enough to be told apart.
TEST(Canvas, EachCurveIsSeenToItsEnd) {
  constexpr Panel kStage{1178, 640, 1.225f}, kLargeStage{1770, 960, 1.85f};
  GlobalView view = view_of(cases::strided(Op::Store, 4, kBase, 0x4000));
  view.array = matrix(4096, 4096);
  auto views = cases::global_cases();
  views.push_back({"beside the array", view});
  int beside = 0, between = 0;
  for (const auto& c : views) {
    for (const Panel& panel : {kStage, kLargeStage, kDesk, kFirstStart}) {
      const Scene scene = global_scene(c.view, canvas_of(panel));
      const Rect ground = ground_of_array(scene);
      beside += ground.width > 0;
      const std::vector<Arc> arcs = arcs_of(scene);
      for (const Arc& arc : arcs) {
        EXPECT_FALSE(goes_through(arc, ground)) << c.name << panel.width;
        const auto is_at = [&](const Cell& cell) {
          const float x = arc.to.x - cell.rect.x, y = arc.to.y - cell.rect.y;
          return x > -3 && x < cell.rect.width + 3 && y > -3 && y < cell.rect.height + 3;
        };
        const bool goes_on = std::ranges::any_of(
            arcs, [&](const Arc& a) { return a.from.x == arc.to.x && a.from.y == arc.to.y; });
        EXPECT_TRUE(goes_on || std::ranges::any_of(scene.layers[1].cells, is_at)) << c.name << panel.width;
      }
      for (const Cell& cell : scene.layers[0].cells) {
        for (const Arc& arc : scene.layers[1].arcs)
          EXPECT_FALSE(goes_through(arc, cell.rect)) << c.name << panel.width;
        if (scene.layers.size() < 3 || cell.rect.width < 10 || cell.rect.width > 60) continue;
        for (const Arc& arc : scene.layers[2].arcs) {
          EXPECT_TRUE(arc.from.x == arc.to.x || arc.from.y == arc.to.y);
          const bool down = arc.from.x == arc.to.x;
          EXPECT_FALSE(down && goes_through(arc, cell.rect)) << c.name << panel.width;
          between += down;
        }
      }
    }
  }
  EXPECT_GT(beside, 0) << "it is still there where there is room";
  EXPECT_GT(between, 0);
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
  Pen drawn(canvas_of(kDesk));
  draw_inset(&drawn, inset, fit);
  const Scene numbered = drawn.finish();
  for (const char* of : {"100", "115"}) EXPECT_TRUE(checks::has_label(numbered, of)) << "of the frame";
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
  EXPECT_TRUE(checks::has_label(scene, "8 of 256 bank rows are touched"));
  EXPECT_EQ(checks::count_cells(scene, is_dot), 3 * 8);
  const float banks = scene.hot_spots.front().rect.x;
  for (const Cell& cell : scene.layers[0].cells) EXPECT_FALSE(is_dot(cell) && cell.rect.x > banks);
  EXPECT_THAT(checks::all(scene, dark_palette()), IsEmpty());
  EXPECT_THAT(overlapping_words(scene, dark_palette()), IsEmpty());
}

// The eye learns one row of lanes: at the same place in both memories' pictures, at any size.
TEST(Canvas, LanesStandAtTheSamePlaceInBothPictures) {
  const auto lanes_of = [](const Scene& scene) {
    std::vector<Rect> lanes(32);
    for (const HotSpot& spot : scene.hot_spots)
      if (spot.lane >= 0 && lanes[static_cast<std::size_t>(spot.lane)].width == 0)
        lanes[static_cast<std::size_t>(spot.lane)] = spot.rect;
    return lanes;
  };
  const cases::BankCase shared = cases::column_case("column", 32, 32, 0);
  for (const auto& [width, height, scale] :
       {std::tuple{1220.0f, 520.0f, 1.233f}, {1830.0f, 800.0f, 1.85f}, {846.0f, 690.0f, 1.0f}}) {
    for (const std::int64_t stride : {4, 4096}) {
      GlobalView global;
      global.access = cases::strided(Op::Load, 4, kBase, stride);
      global.buffer_base = kBase;
      const Canvas canvas = cases::canvas(width, height, scale);
      const auto a = lanes_of(bank_scene(shared.view(), canvas)), b = lanes_of(global_scene(global, canvas));
      for (std::size_t lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(a[lane].x, b[lane].x) << width << ", " << stride << ", lane " << lane;
        EXPECT_EQ(a[lane].y, b[lane].y) << width << ", " << stride << ", lane " << lane;
        EXPECT_EQ(a[lane].width, b[lane].width) << width << ", " << stride << ", lane " << lane;
      }
    }
  }
}

// One verdict a box: green where all of what is moved is used, and nowhere else.
TEST(Canvas, ASectorOfWhichSomeIsMovedInVainIsNotGreen) {
  GlobalView view;
  view.access = cases::strided(Op::Load, 4, kBase, 4);
  view.access.active = 0x7ff;  // 44 bytes, in as few sectors as can be
  view.buffer_base = kBase;
  const Scene scene = global_scene(view, cases::canvas(846, 690));
  EXPECT_EQ(checks::count_borders(scene, dark_palette().ideal), 1) << "the whole one";
  const auto labels = checks::labels_of(scene);
  const auto part =
      std::ranges::find_if(labels, [](const Label& l) { return l.text.find("12 of") != l.text.npos; });
  ASSERT_NE(part, labels.end());
  EXPECT_NEAR(part->color.r, dark_palette().costly.r, 1e-3f);
  EXPECT_NEAR(part->color.g, dark_palette().costly.g, 1e-3f);
}

// A lane out of range keeps its number; the first says which element it asked for.
TEST(Canvas, TheFirstLaneOutOfRangeSaysWhatItAskedFor) {
  sim::Program program;
  program.parameters.resize(1);
  program.parameters[0].name = "in";
  program.parameters[0].element_bytes = 4;
  GlobalView view;
  view.program = &program;
  view.access = cases::strided(Op::Load, 4, kBase + 992 * 4, 4);
  view.access.active = 0xff, view.refused = 0xffffff00;
  view.buffer_base = kBase, view.buffer_name = "in";
  for (const float progress : {0.3f, 1.0f}) {
    view.progress = progress;
    const Scene scene = global_scene(view, cases::canvas(1200, 690));
    EXPECT_TRUE(checks::has_label(scene, "in[1000]"));
    EXPECT_TRUE(checks::has_label(scene, "8"));
    EXPECT_TRUE(checks::has_label(scene, "31"));
    EXPECT_THAT(checks::all(scene, dark_palette()), IsEmpty());
  }
}

}  // namespace
}  // namespace warplens::scene::canvas_tests
