// What the pictures say, with counts that can be derived by hand.
#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <tuple>

#include "app/scene/memory/question_scene.h"
#include "cases.h"
#include "checks.h"

namespace warplens::scene {
namespace {

using memory::Op;

constexpr memory::Address kBase = memory::Address{1} << 40;

Scene global_of(const memory::WarpAccess& access, int hovered = -1) {
  GlobalView view;
  view.access = access;
  view.buffer_base = kBase;
  view.buffer_name = "in";
  Canvas canvas = cases::canvas(872, 260);
  canvas.hovered_lane = hovered;
  return global_scene(view, canvas);
}

Scene bank_of(const cases::BankCase& c, float height = 500) {
  return bank_scene(c.view(), cases::canvas(872, height));
}

std::vector<Arc> arcs_of(const Scene& scene) {
  std::vector<Arc> arcs;
  for (const Layer& layer : scene.layers) arcs.insert(arcs.end(), layer.arcs.begin(), layer.arcs.end());
  return arcs;
}

bool is_hatched(const Cell& cell) {
  return cell.hatch > 0;
}
bool is_costly_tower(const Cell& cell) {
  return cell.fill == dark_palette().costly;
}
bool is_ideal_tower(const Cell& cell) {
  return cell.fill == dark_palette().ideal;
}

TEST(GlobalPicture, ARowOfFloatsFillsFourSectors) {
  const Scene scene = global_of(cases::strided(Op::Load, 4, kBase, 4));
  EXPECT_EQ(scene.answer, "= 4 sectors · 4 ideal · 100 %");
  EXPECT_TRUE(scene.answer_is_ideal);
  EXPECT_FALSE(scene.answer_is_costly);
  EXPECT_EQ(checks::count_borders(scene, dark_palette().ideal), 4);
  EXPECT_EQ(checks::count_borders(scene, dark_palette().costly), 0);
  EXPECT_EQ(checks::count_cells(scene, is_hatched), 0);
  EXPECT_TRUE(checks::has_label(scene, "128-byte line, in + 0x0000"));
  for (const char* label : {"sector 0", "sector 3"}) EXPECT_TRUE(checks::has_label(scene, label)) << label;
  // Lane i lies over word i, so its arc drops straight down.
  ASSERT_EQ(arcs_of(scene).size(), 32u);
  for (const Arc& arc : arcs_of(scene)) EXPECT_NEAR(arc.from.x, arc.to.x, 0.01f);
}

TEST(GlobalPicture, AColumnFetches32SectorsAndUsesAnEighth) {
  const Scene scene = global_of(cases::strided(Op::Store, 4, kBase, 0x4000));
  EXPECT_EQ(scene.answer, "×8 · 32 sectors · 4 ideal · 12.5 %");
  EXPECT_TRUE(scene.answer_is_costly);
  EXPECT_EQ(checks::count_borders(scene, dark_palette().costly), 32);
  EXPECT_TRUE(checks::has_label(scene, "32 lines of 128 bytes, 0x4000 apart"));
  EXPECT_TRUE(checks::has_label(scene, "in + 0x0000"));
  EXPECT_TRUE(checks::has_label(scene, "in + 0x7c000"));  // 31 * 0x4000
  ASSERT_EQ(arcs_of(scene).size(), 32u);
}

TEST(GlobalPicture, AnUnalignedRowTouchesAFifthSector) {
  const Scene scene = global_of(cases::strided(Op::Load, 4, kBase + 4, 4));
  EXPECT_EQ(scene.answer, "×1.25 · 5 sectors · 4 ideal · 80 %");
  // Words 1 to 31 of the first line and word 0 of the second: 1 and 7 words are fetched in vain.
  EXPECT_EQ(checks::count_cells(scene, is_hatched), 8);
  EXPECT_EQ(checks::count_borders(scene, dark_palette().ideal), 3);  // sectors used in full
  EXPECT_EQ(checks::count_borders(scene, dark_palette().costly), 2);
  EXPECT_TRUE(checks::has_label(scene, "sector 1 · not fetched"));
}

TEST(GlobalPicture, ABroadcastShowsItsCount) {
  const Scene scene = global_of(cases::strided(Op::Load, 4, kBase, 0));
  EXPECT_TRUE(checks::has_label(scene, "×32"));
  EXPECT_EQ(checks::count_borders(scene, dark_palette().ideal), 1);
}

TEST(GlobalPicture, AtomicsTellTheirPasses) {
  const Scene scene = global_of(cases::strided(Op::Atomic, 4, kBase, 0));
  EXPECT_EQ(scene.answer.find("×32 · 32 sector passes · 1 ideal"), 0u) << scene.answer;
  EXPECT_TRUE(checks::has_label(scene, "sector 0 · 32 passes"));
}

TEST(GlobalPicture, WideLanesSpanTheirWords) {
  const Scene scene = global_of(cases::strided(Op::Load, 16, kBase, 16));
  float word = 0, lane = 0;
  for (const Layer& layer : scene.layers) {
    for (const Cell& cell : layer.cells) {
      if (!(cell.fill == dark_palette().lanes[5])) continue;
      (cell.rect.y < 30 ? lane : word) = cell.rect.width;
    }
  }
  EXPECT_GT(lane, 0);
  EXPECT_GT(word, 3.5f * lane);  // four words
}

TEST(GlobalPicture, InactiveLanesHaveNoArc) {
  memory::WarpAccess access = cases::strided(Op::Load, 4, kBase, 4);
  access.active = 0x0000ff01u;
  EXPECT_EQ(arcs_of(global_of(access)).size(), 9u);
  access.active = 0;
  const Scene none = global_of(access);
  EXPECT_TRUE(arcs_of(none).empty());
  EXPECT_EQ(none.answer, "no lane is active");
}

TEST(GlobalPicture, AHoveredLaneStandsOut) {
  const Scene scene = global_of(cases::strided(Op::Load, 4, kBase, 4), 7);
  const std::vector<Arc> arcs = arcs_of(scene);
  const auto thick = std::count_if(arcs.begin(), arcs.end(), [](const Arc& arc) { return arc.width > 2; });
  EXPECT_EQ(thick, 1);
}

TEST(GlobalPicture, GrowsFromLanesToWordsToSectors) {
  GlobalView view;
  view.access = cases::strided(Op::Load, 4, kBase, 4);
  view.buffer_base = kBase;
  const Canvas canvas = cases::canvas(872, 260);
  const auto lit = [](const Scene& scene) {
    return checks::count_cells(scene, [](const Cell& c) { return c.fill == dark_palette().lanes[9]; });
  };
  view.progress = 0.1f;
  for (const Arc& arc : arcs_of(global_scene(view, canvas))) EXPECT_LT(arc.drawn, 0.5f);
  view.progress = 0;
  EXPECT_EQ(lit(global_scene(view, canvas)), 1);  // the lane alone
  view.progress = 0.3f;
  const Scene flying = global_scene(view, canvas);
  EXPECT_EQ(lit(flying), 2) << "and on its way";
  EXPECT_EQ(checks::count_borders(flying, dark_palette().ideal), 0);
  // Lanes 0 to 7 have arrived by 0.46, the last by 0.65: their sectors are lit one after another.
  view.progress = 0.5f;
  EXPECT_EQ(checks::count_borders(global_scene(view, canvas), dark_palette().ideal), 1);
  view.progress = 0.68f;
  const Scene words = global_scene(view, canvas);
  EXPECT_EQ(lit(words), 2) << "arrived";
  EXPECT_EQ(checks::count_borders(words, dark_palette().ideal), 4);
  view.progress = 1;
  EXPECT_EQ(checks::count_borders(global_scene(view, canvas), dark_palette().ideal), 4);
}

TEST(BankPicture, AColumnOfSixteenRowsConflictsSixteenWays) {
  const Scene scene = bank_of(cases::bank_cases()[0]);  // float tile[16][32], wavefront 3 of 16
  EXPECT_EQ(scene.title, "Shared memory · load tile[c][r] · float tile[16][32]");
  EXPECT_EQ(scene.answer, "16-way conflict · wavefront 3 of 16");
  EXPECT_TRUE(scene.answer_is_costly);
  EXPECT_EQ(checks::count_cells(scene, is_costly_tower), 2);  // banks 0 and 1
  EXPECT_TRUE(checks::has_label(scene, "×16"));
  EXPECT_TRUE(
      checks::has_label(scene,
                        "one column of tile lies in one bank: 16 different words each in banks 0 and 1, so "
                        "16 wavefronts one after another"));
  EXPECT_EQ(checks::count_borders(scene, dark_palette().text), 2);  // lanes 2 and 18 are served now
}

TEST(BankPicture, AsAWholeNoWavefrontStandsOut) {
  cases::BankCase c = cases::column_case("whole", 16, 32, 0);
  c.wavefront = 16;
  const Scene scene = bank_of(c);
  EXPECT_EQ(scene.answer, "16-way conflict · 16 wavefronts");
  EXPECT_EQ(checks::count_borders(scene, dark_palette().text), 0);
  EXPECT_EQ(
      checks::count_cells(scene, [](const Cell& cell) { return cell.fill == dark_palette().lanes[15]; }), 1);
}

TEST(BankPicture, TwoWordsOfPaddingSpreadTheColumn) {
  const Scene scene = bank_of(cases::column_case("padded", 16, 32, 2));
  EXPECT_EQ(scene.title, "Shared memory · load tile[c][r] · float tile[16][32 + 2]");
  EXPECT_EQ(scene.answer, "= 1 wavefront, no conflict");
  EXPECT_TRUE(scene.answer_is_ideal);
  EXPECT_EQ(checks::count_cells(scene, is_costly_tower), 0);
  EXPECT_EQ(checks::count_cells(scene, is_ideal_tower), 32);
  EXPECT_EQ(checks::count_cells(scene, is_hatched), 32);  // 2 in each of 16 rows
  EXPECT_TRUE(
      checks::has_label(scene,
                        "hatched: 2 words of padding end every row, so each row starts 2 banks further and "
                        "the words spread over 32 banks"));
}

TEST(BankPicture, OneWordOfPaddingIsNotEnoughFor32x16) {
  const Scene scene = bank_of(cases::column_case("padded", 16, 32, 1));
  // Lane i lies in bank i mod 16 + i / 16: banks 1 to 15 have two words, banks 0 and 16 one.
  EXPECT_EQ(scene.answer, "2-way conflict · wavefront 1 of 2");
  EXPECT_EQ(checks::count_cells(scene, is_costly_tower), 15);
  EXPECT_EQ(checks::count_cells(scene, is_ideal_tower), 2);
}

TEST(BankPicture, PaddingIsReadFromTheExtentWhereItIsAFigure) {
  cases::BankCase c = cases::column_case("padded", 16, 32, 2);
  c.padding_words = -1;
  EXPECT_EQ(checks::count_cells(bank_of(c), is_hatched), 32);
  c.program.shared_arrays[0].extent_texts.back() = "BX + PAD";
  EXPECT_EQ(checks::count_cells(bank_of(c), is_hatched), 0);
}

TEST(BankPicture, WindowsSayWhichRowsTheyShow) {
  const Scene scene = bank_of(cases::column_case("tall", 32, 64, 0), 160);
  EXPECT_TRUE(checks::has_label(scene, "rows 0–5 of 64, 29 words beyond")) << "rows of the window";
  EXPECT_TRUE(checks::has_label(scene, "×32"));
}

// The lanes whose words are drawn below the banks, and the rows' least height among them.
std::set<int> lanes_in(const Scene& scene, float* height) {
  std::set<int> lanes;
  for (const Layer& layer : scene.layers) {
    for (const Cell& cell : layer.cells) {
      for (int lane = 0; lane < 32; ++lane) {
        const Color& color = dark_palette().lanes[static_cast<std::size_t>(lane)];
        if (std::abs(cell.fill.r - color.r) + std::abs(cell.fill.g - color.g) +
                std::abs(cell.fill.b - color.b) >
            1e-4f)
          continue;
        lanes.insert(lane);
        *height = cell.rect.height;
      }
    }
  }
  return lanes;
}

TEST(BankPicture, WhatTheAccessTouchesIsShownWhole) {
  for (const int padding : {0, 1, 2, 5}) {
    for (const int columns : {32, 64}) {
      cases::BankCase c = cases::column_case("whole", 32, columns, padding);
      c.wavefront = 32;
      for (const float height : {230.0f, 260.0f, 290.0f, 420.0f}) {
        float row = 0;
        const Scene scene = bank_of(c, height);
        EXPECT_EQ(lanes_in(scene, &row).size(), 32u) << padding << " " << columns << " " << height;
        EXPECT_GE(row, 2) << padding << " " << columns << " " << height;
      }
    }
  }
}

TEST(BankPicture, ALittlePaddingKeepsTheScale) {
  for (const float height : {260.0f, 290.0f, 420.0f, 470.0f}) {
    for (const int columns : {32, 64}) {
      std::set<float> heights;
      for (const int padding : {0, 1, 2}) {
        cases::BankCase c = cases::column_case("toggled", 32, columns, padding);
        c.wavefront = 32;
        float row = 0;
        lanes_in(bank_of(c, height), &row);
        heights.insert(row);
      }
      EXPECT_EQ(heights.size(), 1u) << height << " " << columns;
    }
  }
}

// Words that stand in for their lanes, numbered: their cells.
std::vector<Rect> numbered(const Scene& scene) {
  std::vector<Rect> cells;
  for (const Layer& layer : scene.layers) {
    for (const Label& label : layer.labels) {
      if (!label.bold || label.font != Font::Code || label.align != Align::Center) continue;
      for (const Cell& cell : layer.cells) {
        if (std::abs(cell.rect.x + 0.5f * cell.rect.width - label.at.x) < 0.1f &&
            std::abs(cell.rect.y + 0.5f * cell.rect.height - label.at.y) < 0.1f)
          cells.push_back(cell.rect);
      }
    }
  }
  return cells;
}

TEST(BankPicture, LanesKeepTheirNumbersAsPaddingIsTurned) {
  for (const auto& [width, height, scale] :
       {std::tuple{1808.0f, 620.0f, 1.85f}, {1150.0f, 640.0f, 1.85f}, {560.0f, 310.0f, 0.8f}}) {
    for (const int padding : {0, 1, 2}) {
      cases::BankCase c = cases::column_case("numbered", 16, 32, padding);
      c.wavefront = 16;
      const Scene scene = bank_scene(c.view(), cases::canvas(width, height, scale));
      EXPECT_EQ(numbered(scene).size(), 32u) << width << " " << padding;
    }
  }
}

TEST(BankPicture, PanesBesideEachOtherShareOneScale) {
  for (const int rows : {16, 32}) {
    const cases::BankCase a = cases::column_case("a", rows, 32, 0), b = cases::column_case("b", rows, 32, 5);
    BankView left = a.view(), right = b.view();
    left.wavefront = right.wavefront = 32;
    const BankView left_alone = left;
    left.beside = &right, right.beside = &left_alone;
    for (const auto& [width, height, scale] :
         {std::tuple{690.0f, 300.0f, 1.0f}, {900.0f, 480.0f, 1.85f}, {560.0f, 420.0f, 0.8f}}) {
      const auto word_of_lane_0 = [&](const BankView& view) {
        for (const Layer& layer : bank_scene(view, cases::canvas(width, height, scale)).layers) {
          for (const Cell& cell : layer.cells)
            if (cell.fill == dark_palette().lanes[0]) return cell.rect;
        }
        return Rect{};
      };
      const Rect in_a = word_of_lane_0(left), in_b = word_of_lane_0(right);
      EXPECT_GT(in_a.width, 0);
      EXPECT_EQ(in_a.x, in_b.x) << rows << " " << width;
      EXPECT_EQ(in_a.y, in_b.y) << rows << " " << width;
      EXPECT_EQ(in_a.width, in_b.width) << rows << " " << width;
      EXPECT_EQ(in_a.height, in_b.height) << rows << " " << width;
    }
  }
}

// The number at the left of the first row.
float first_row_label(const Scene& scene) {
  float y = 1e9f, row = -1;
  for (const Label& label : scene.layers[0].labels) {
    if (label.align != Align::Right || label.font != Font::Code || label.at.y >= y) continue;
    y = label.at.y;
    row = std::stof(label.text);
  }
  return row;
}

TEST(BankPicture, TheWindowFollowsTheWavefront) {
  cases::BankCase c = cases::column_case("tall", 32, 32, 0);
  std::set<float> windows;
  for (int wavefront = 0; wavefront < 32; ++wavefront) {
    c.wavefront = wavefront;
    const Scene scene = bank_of(c, 160);
    EXPECT_EQ(checks::count_borders(scene, dark_palette().text), 1) << wavefront;
    windows.insert(first_row_label(scene));
  }
  EXPECT_LT(windows.size(), 17u);  // it moves on by half a window, not at every wavefront
}

TEST(BankPicture, WideAccessesShowTheirGroups) {
  for (const auto& c : cases::bank_cases()) {
    if (c.name == "float4") {
      const Scene scene = bank_of(c);
      EXPECT_EQ(scene.answer, "= wavefront 2 of 4, no conflict");
      EXPECT_TRUE(checks::has_label(scene, "lanes 8–15 · 1 wavefront"));
      EXPECT_EQ(checks::count_borders(scene, dark_palette().text), 8);  // the second quarter-warp
    }
    if (c.name == "float4-merged") {
      EXPECT_TRUE(checks::has_label(bank_of(c), "lanes 0–15 merged · 1 wavefront"));
    }
    if (c.name == "atomic-word") {
      EXPECT_TRUE(
          checks::has_label(bank_of(c), "32 lanes update the same word, so they take turns: 32 wavefronts"));
    }
  }
}

TEST(BankPicture, WordsSlideFromOldToNew) {
  cases::BankCase c = cases::column_case("slide", 16, 32, 2);
  c.previous = cases::column_case("", 16, 32, 0).access;
  c.has_previous = true;
  const auto x_of_lane = [](const Scene& scene, std::size_t lane) {
    for (const Layer& layer : scene.layers) {
      for (const Label& label : layer.labels) {
        if (label.bold && label.size > 9 && label.text == std::to_string(lane) &&
            label.align == Align::Center && label.at.y > 100)
          return label.at.x;
      }
    }
    return -1.0f;
  };
  c.slide = 0;
  const float start = x_of_lane(bank_of(c), 15);
  c.slide = 0.5f;
  const float middle = x_of_lane(bank_of(c), 15);
  c.slide = 1;
  const float end = x_of_lane(bank_of(c), 15);
  EXPECT_LT(start, middle);  // from bank 0 to bank 30
  EXPECT_LT(middle, end);
  EXPECT_NEAR(middle, 0.5f * (start + end), 1);
}

TEST(Padding, ComesFromTheExtentAsWritten) {
  sim::SharedArray array;
  array.element_bytes = 8;
  array.extents = {16, 17};
  array.extent_texts = {"16", "16 + 1"};
  EXPECT_EQ(padding_words(array, {}), 2);  // one double
  array.extent_texts[1] = "BX + PAD";
  EXPECT_EQ(padding_words(array, {}), 0);
  EXPECT_EQ(padding_words(array, {{"pad", 3}}), 6);
  EXPECT_EQ(padding_words(array, {{"pad", 17}}), 0);  // no room for it
  EXPECT_EQ(padding_words(array, {{"pad", -1}}), 0);
  array.extent_texts[1] = "(BX + (PAD))";
  EXPECT_EQ(padding_words(array, {{"PAD", 1}}), 2);
  array.extent_texts.clear();
  EXPECT_EQ(padding_words(array, {{"PAD", 1}}), 0);
}

TEST(BlockMap, EveryWarpCanBeClicked) {
  const Scene scene =
      block_map_scene(cases::block_map_case(48, 5, 1, 2), cases::canvas(400, 200));  // 240 threads
  EXPECT_EQ(scene.title, "Block 48 × 5 × 1 · 8 warps");
  std::uint32_t warps = 0, lanes = 0;
  for (const HotSpot& spot : scene.hot_spots) {
    if (spot.warp >= 0) warps |= 1u << spot.warp;
    if (spot.lane >= 0) lanes |= 1u << spot.lane;
  }
  EXPECT_EQ(warps, 0xffu);
  EXPECT_EQ(lanes, 0xffffffffu);
}

TEST(Scrubber, SegmentsAreAsWideAsTheyCost) {
  const Scene scene = scrubber_scene(cases::scrubber_case(), cases::canvas(650, 18));  // costs 4, 1, 16, 4
  ASSERT_EQ(scene.hot_spots.size(), 4u);
  const float unit = scene.hot_spots[1].rect.width;
  EXPECT_NEAR(scene.hot_spots[0].rect.width, 4 * unit, 0.1f);
  EXPECT_NEAR(scene.hot_spots[2].rect.width, 16 * unit, 0.1f);
}

// Enlarged in a small window: eight lanes a row or four, none below the picture's end.
TEST(Question, StaysInALowPicture) {
  QuestionView view;
  view.access.space = memory::Space::Shared;
  view.access.active = ~memory::LaneMask{0};
  for (std::size_t lane = 0; lane < memory::kWarpLanes; ++lane) view.access.addresses[lane] = 128 * lane;
  view.place = "shared memory";
  for (const float height : {96.0f, 130.0f, 170.0f, 300.0f}) {
    for (const float width : {300.0f, 380.0f, 700.0f})
      EXPECT_TRUE(checks::things_outside(question_scene(view, cases::canvas(width, height))).empty())
          << width << " x " << height;
  }
}

// What a question hides: width, height, colour and tooltip are those of any other; the open one tells the
// truth.
TEST(Scrubber, SecretAccessesLookAlike) {
  ScrubberView view = cases::scrubber_case();  // costs 4, 1, 16, 4
  view.alike = true;
  for (auto& segment : view.segments) segment.secret = true;
  view.segments[2].secret = false;
  const Scene scene = scrubber_scene(view, cases::canvas(650, 18));
  ASSERT_EQ(scene.hot_spots.size(), 4u);
  for (const std::size_t i : {0u, 1u, 3u}) {
    EXPECT_NEAR(scene.hot_spots[i].rect.width, scene.hot_spots[0].rect.width, 0.1f);
    EXPECT_EQ(scene.hot_spots[i].tooltip.find("ideal"), std::string::npos) << scene.hot_spots[i].tooltip;
    EXPECT_EQ(scene.layers[0].cells[i].rect.height, scene.layers[0].cells[0].rect.height);
  }
  EXPECT_NE(scene.hot_spots[2].tooltip.find("16, ideal 1"), std::string::npos);
  EXPECT_GT(scene.layers[0].cells[2].rect.height, scene.layers[0].cells[0].rect.height);
}

TEST(Scrubber, ThousandsOfAccessesFit) {
  ScrubberView view;
  view.segments.assign(5000, {1, 1});
  view.segments[2500] = {32, 1};
  view.current = 4999;
  const Scene scene = scrubber_scene(view, cases::canvas(650, 18));
  EXPECT_LT(checks::count_cells(scene, [](const Cell&) { return true; }), 700);
  EXPECT_TRUE(checks::things_outside(scene).empty());
}

TEST(TimeBars, BarsAreInProportion) {
  TimeBarsView view;
  view.bars = {{"a", 10e-6, 0, 0, 100, false, true, false, false},
               {"b", 40e-6, 0, 0, 25, true, false, false, false}};
  const Scene scene = time_bars_scene(view, cases::canvas(420, 120));
  ASSERT_EQ(scene.layers[0].cells.size(), 2u);
  EXPECT_NEAR(4 * scene.layers[0].cells[0].rect.width, scene.layers[0].cells[1].rect.width, 1);
  EXPECT_EQ(scene.layers[0].cells[0].hatch, 0);
  EXPECT_GT(scene.layers[0].cells[1].hatch, 0);  // recorded
  EXPECT_TRUE(checks::has_label(scene, "10.0 µs"));
}

}  // namespace
}  // namespace warplens::scene
