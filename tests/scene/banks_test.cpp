// Shared memory in motion: chips fall into the shafts of their banks, wait on each other, pass the gate and
// come back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "cases.h"
#include "checks.h"

namespace warplens::scene {
namespace {
namespace banks_test {

using memory::Op;
using testing::ElementsAre;
using testing::IsEmpty;

Scene bank_of(const cases::BankCase& c, float height = 500) {
  return bank_scene(c.view(), cases::canvas(872, height));
}

bool is_hatched(const Cell& cell) {
  return cell.hatch > 0;
}

// The gate, and the chips of each bank above and below it, counted in what is drawn.
struct Shafts {
  Rect gate;
  float pitch = 0;
  std::array<int, 32> waiting{}, passing{};
  float highest = 1e9f;  // top of the highest chip

  int most() const { return *std::ranges::max_element(waiting); }
};
constexpr std::size_t kChips = 2;

Shafts shafts_of(const Scene& scene) {
  Shafts shafts;
  for (const Cell& cell : scene.layers.at(0).cells)
    if (cell.rect.height <= 9 && cell.border_width == 0 && cell.rect.width > shafts.gate.width)
      shafts.gate = cell.rect;
  shafts.pitch = shafts.gate.width / 32;
  if (scene.layers.size() <= kChips) return shafts;
  for (const Cell& cell : scene.layers[kChips].cells) {
    const float banks = std::round((cell.rect.width + 1) / shafts.pitch);
    if (cell.rect.width < 0.7f * shafts.pitch || banks < 1) continue;  // the strip of a chip of several lanes
    const bool above = cell.rect.y < shafts.gate.y;
    const float middle = cell.rect.x + 0.5f * std::min(cell.rect.width, shafts.pitch);
    const auto first = static_cast<std::size_t>((middle - shafts.gate.x) / shafts.pitch);
    for (std::size_t bank = first; bank < first + static_cast<std::size_t>(banks); ++bank)
      ++(above ? shafts.waiting : shafts.passing).at(bank);
    if (above) shafts.highest = std::min(shafts.highest, cell.rect.y);
  }
  return shafts;
}

int banks_with(const std::array<int, 32>& counts, int chips) {
  return static_cast<int>(std::ranges::count(counts, chips));
}

// float tile[rows][32]; `ways` lanes in one bank: lane i on word i % ways of bank i / ways.
cases::BankCase conflict_case(int ways, int rows) {
  cases::BankCase c = cases::column_case("ways", rows, 32, 0);
  for (int lane = 0; lane < 32; ++lane)
    c.access.addresses[static_cast<std::size_t>(lane)] =
        static_cast<memory::Address>(4 * (32 * (lane % ways) + lane / ways));
  return c;
}

struct PictureSize {
  float width, height, scale;
};
constexpr PictureSize kSizes[] = {{460, 130, 1},      {460, 160, 0.8f},  {560, 310, 0.8f},   {572, 230, 1},
                                  {690, 420, 1},      {872, 500, 1},     {1150, 640, 1.85f}, {1744, 900, 2},
                                  {1808, 620, 1.85f}, {3600, 1900, 3.7f}};

// The class's guesses lie over the banks' numbers: the darker, the more named it.
TEST(BankPicture, TheClassesGuessesAreAHeatMapOverTheBanks) {
  const cases::BankCase c = conflict_case(16, 32);
  Canvas canvas = cases::canvas(900, 420);
  const auto told = [](const Scene& scene) {
    std::vector<std::string> tips;
    for (const HotSpot& spot : scene.hot_spots)
      if (spot.tooltip.find("of the class") != std::string::npos) tips.push_back(spot.tooltip);
    return tips;
  };
  EXPECT_TRUE(told(bank_scene(c.view(), canvas)).empty());
  canvas.bank_votes[3] = 20, canvas.bank_votes[0] = 5;
  const Scene scene = bank_scene(c.view(), canvas);
  ASSERT_THAT(told(scene), ElementsAre("5 of the class said bank 0", "20 of the class said bank 3"));
  const auto shade = [&](const Rect& at) {
    for (const Layer& layer : scene.layers)
      for (const Cell& cell : layer.cells)
        if (cell.rect.x == at.x && cell.rect.y == at.y && cell.rect.width == at.width) return cell.fill.a;
    return 0.0f;
  };
  const auto& spots = scene.hot_spots;
  const auto at = [&](const char* bank) {
    return std::ranges::find_if(spots,
                                [&](const HotSpot& s) {
                                  return s.tooltip.ends_with(bank) &&
                                         s.tooltip.find("of the class") != std::string::npos;
                                })
        ->rect;
  };
  EXPECT_GT(shade(at("bank 3")), shade(at("bank 0")));
  EXPECT_GT(shade(at("bank 0")), 0);
}

// The stack is the whole cost: so many chips wait as there are wavefronts to come, at every size.
TEST(BankPicture, StacksAreAsHighAsWavefrontsAreToCome) {
  for (const PictureSize& size : kSizes) {
    const Canvas canvas = cases::canvas(size.width, size.height, size.scale);
    for (const int rows : {8, 32, 64, 200}) {
      for (const int ways : {1, 2, 4, 8, 16, 32}) {
        const cases::BankCase c = conflict_case(ways, rows);
        BankView view = c.view();
        for (const int wavefront : {0, ways / 2, ways - 1, ways}) {  // the last: nothing is served yet
          view.wavefront = wavefront;
          const Shafts shafts = shafts_of(bank_scene(view, canvas));
          EXPECT_EQ(shafts.waiting[0], wavefront == ways ? ways : ways - wavefront - 1)
              << size.width << " x " << size.height << ", " << ways << " ways, wavefront " << wavefront;
          EXPECT_EQ(shafts.passing[0], wavefront < ways ? 1 : 0) << size.width << " " << wavefront;
        }
      }
    }
  }
}

// Of every kind of access: as a whole the highest stack stands as many levels over the gate as there are
// wavefronts.
TEST(BankPicture, TheLevelsOfTheStacksAreTheWavefronts) {
  for (const cases::BankCase& c : cases::bank_cases()) {
    const memory::BankPlan plan = memory::plan_banks(c.access);
    if (plan.wavefronts == 0 || c.has_previous) continue;
    BankView view = c.view();
    view.wavefront = plan.wavefronts - 1;
    const Shafts last = shafts_of(bank_scene(view, cases::canvas(872, 500)));
    EXPECT_EQ(last.most(), 0) << c.name << ": the last one passes, nobody waits";
    if (plan.wavefronts < 2) continue;
    view.wavefront = plan.wavefronts;
    const Scene whole = bank_scene(view, cases::canvas(872, 500));
    const float gate = shafts_of(whole).gate.y;
    std::set<int> levels;
    for (const Cell& chip : whole.layers[kChips].cells)
      if (chip.rect.y < gate) levels.insert(static_cast<int>(std::lround(2 * chip.rect.y)));
    const int marks = plan.merged ? 2 : 1;  // in a chip: one below the other of lanes that share it
    EXPECT_EQ(static_cast<int>(levels.size()), marks * plan.wavefronts) << c.name;
  }
}

// ... whatever stands in the other pane, and however many rows either array has.
TEST(BankPicture, StacksInBothPanesHaveOneScale) {
  for (const PictureSize& size : kSizes) {
    const Canvas canvas = cases::canvas(size.width, size.height, size.scale);
    for (const auto& [a_ways, a_rows, b_ways, b_rows] :
         {std::tuple{16, 16, 2, 64}, {32, 32, 3, 3}, {8, 8, 32, 40}, {2, 2, 2, 2}}) {
      const cases::BankCase a = conflict_case(a_ways, a_rows), b = conflict_case(b_ways, b_rows);
      BankView left = a.view(), right = b.view();
      left.wavefront = a_ways, right.wavefront = b_ways;
      const BankView left_alone = left;
      left.beside = &right, right.beside = &left_alone;
      const Shafts in_a = shafts_of(bank_scene(left, canvas)), in_b = shafts_of(bank_scene(right, canvas));
      EXPECT_NEAR((in_a.gate.y - in_a.highest) / static_cast<float>(a_ways),
                  (in_b.gate.y - in_b.highest) / static_cast<float>(b_ways), 0.01f)
          << size.height;
    }
  }
}

// Lanes too narrow for numbers have them above, one in eight.
TEST(BankPicture, NarrowLanesAreNumberedAbove) {
  for (const auto& c : cases::bank_cases()) {
    for (const float height : {230.0f, 300.0f, 500.0f}) {
      const Scene narrow = bank_scene(c.view(), cases::canvas(300, height));
      for (const char* lane : {"8", "16", "24"})
        EXPECT_TRUE(checks::has_label(narrow, lane)) << c.name << " " << height;
      EXPECT_THAT(checks::all(narrow, dark_palette()), IsEmpty()) << c.name << " " << height;
    }
  }
}

// Of a sentence that has no room whole clauses are left; of a picture with room for nothing, nothing beyond.
TEST(BankPicture, WhatItSaysIsWholeOrAbsent) {
  for (const auto& c : cases::bank_cases()) {
    for (const float width : {260.0f, 340.0f, 480.0f, 900.0f}) {
      for (const float height : {84.0f, 110.0f, 130.0f, 190.0f, 230.0f}) {
        const Scene scene = bank_scene(c.view(), cases::canvas(width, height));
        EXPECT_THAT(checks::things_outside(scene), IsEmpty()) << c.name << " " << width << " x " << height;
        EXPECT_EQ(checks::words_of(scene).find("…\n"), std::string::npos) << width << " x " << height;
      }
    }
  }
}

// What the picture says below the array.
bool says(const cases::BankCase& c, const char* words) {
  return checks::words_of(bank_of(c)).find(words) != std::string::npos;
}

// A loop's wavefronts serve no lane while lanes load, and a swap's second one: they stand on no floor of
// their own.
TEST(BankPicture, WavefrontsThatServeNoLaneHaveNoFloor) {
  for (const memory::AtomicWay way : {memory::AtomicWay::Swap, memory::AtomicWay::Loop}) {
    cases::BankCase c = cases::column_case("atomic", 32, 32, 0);
    c.access.op = Op::Atomic;
    c.access.way = way;
    EXPECT_FALSE(says(c, "0–31")) << "one group of lanes";
    EXPECT_TRUE(says(c, way == memory::AtomicWay::Swap ? "64 wavefronts" : "592 wavefronts"));
  }
}

TEST(BankPicture, NotEnoughIsSaidOnlyWhereMorePaddingWouldDo) {
  EXPECT_TRUE(says(cases::column_case("padded", 16, 32, 1), "with a padding of 1, banks")) << "2 would do";
  // Lanes t and t + 8 on words 4 t and 4 t + 32 of a row: no padding parts them, whatever it is.
  cases::BankCase row = cases::column_case("row", 2, 64, 1);
  for (int lane = 0; lane < 32; ++lane)
    row.access.addresses[static_cast<std::size_t>(lane)] =
        static_cast<memory::Address>(4 * (lane / 16 * 65 + lane % 16 * 4));
  EXPECT_TRUE(says(row, "2 different words of one row in each of"));
  EXPECT_FALSE(says(row, "with a padding of"));
  // The same words as a column of rows that only grow by four, since something takes four at once.
  cases::BankCase column = cases::column_case("padded", 16, 32, 4);
  column.program.sites.push_back(column.program.sites.front());
  column.program.sites.back().bytes = 16;
  EXPECT_TRUE(says(column, "which no padding that keeps accesses aligned separates"));
  column.program.sites.back().bytes = 4;
  EXPECT_TRUE(says(column, "with a padding of 4, banks"));
}

// The cells of the array, without those that hold nothing.
std::vector<Rect> words_of(const Scene& scene) {
  std::vector<Rect> words;
  const Shafts shafts = shafts_of(scene);
  for (const Cell& cell : scene.layers[0].cells)
    if (cell.fill == dark_palette().cell && cell.rect.y > shafts.gate.y && cell.rect.width < 2 * shafts.pitch)
      words.push_back(cell.rect);
  return words;
}

TEST(BankPicture, ALittlePaddingKeepsTheScale) {
  for (const float height : {420.0f, 470.0f, 700.0f}) {
    for (const int rows : {16, 32}) {
      std::set<float> heights, gates;
      for (const int padding : {0, 1, 2}) {
        cases::BankCase c = cases::column_case("toggled", rows, 32, padding);
        const Scene scene = bank_of(c, height);
        heights.insert(words_of(scene).at(0).height);
        gates.insert(shafts_of(scene).gate.y);
      }
      EXPECT_EQ(heights.size(), 1u) << height << " " << rows;
      EXPECT_EQ(gates.size(), 1u) << height << " " << rows;
    }
  }
}

TEST(BankPicture, LanesKeepTheirNumbersAsPaddingIsTurned) {
  for (const auto& [width, height, scale] :
       {std::tuple{1808.0f, 900.0f, 1.85f}, {1150.0f, 820.0f, 1.85f}, {560.0f, 530.0f, 0.8f}}) {
    for (const int padding : {0, 1, 2}) {
      cases::BankCase c = cases::column_case("numbered", 16, 32, padding);
      const Scene scene = bank_scene(c.view(), cases::canvas(width, height, scale));
      std::set<std::string> numbers;
      for (const Label& label : scene.layers[kChips].labels) numbers.insert(label.text);
      EXPECT_EQ(numbers.size(), 32u) << width << " " << padding;
    }
  }
}

TEST(BankPicture, PanesBesideEachOtherShareOneScale) {
  for (const int rows : {16, 32}) {
    const cases::BankCase a = cases::column_case("a", rows, 32, 0), b = cases::column_case("b", rows, 32, 5);
    BankView left = a.view(), right = b.view();
    const BankView left_alone = left;
    left.beside = &right, right.beside = &left_alone;
    for (const auto& [width, height, scale] :
         {std::tuple{690.0f, 300.0f, 1.0f}, {900.0f, 480.0f, 1.85f}, {560.0f, 420.0f, 0.8f}}) {
      const Rect in_a = words_of(bank_scene(left, cases::canvas(width, height, scale))).at(0),
                 in_b = words_of(bank_scene(right, cases::canvas(width, height, scale))).at(0);
      EXPECT_EQ(in_a.x, in_b.x) << rows << " " << width;
      EXPECT_EQ(in_a.y, in_b.y) << rows << " " << width;
      EXPECT_EQ(in_a.width, in_b.width) << rows << " " << width;
      EXPECT_EQ(in_a.height, in_b.height) << rows << " " << width;
    }
  }
}

// What the array does not need the tower has: nothing stands empty below a picture that could be larger.
TEST(BankPicture, ATallTowerHasTheRoomThatTheArrayDoesNotUse) {
  for (const auto& [width, height, scale] :
       {std::tuple{872.0f, 640.0f, 1.0f}, {1220.0f, 520.0f, 1.233f}, {1830.0f, 800.0f, 1.85f}}) {
    for (const auto& [ways, rows] : {std::pair{32, 32}, {32, 64}, {32, 512}, {1, 2}}) {
      const cases::BankCase c = conflict_case(ways, rows);
      const Scene scene = bank_scene(c.view(), cases::canvas(width, height, scale));
      float foot = 0;
      for (const Label& label : checks::labels_of(scene)) foot = std::max(foot, label.at.y);
      EXPECT_GT(foot, (ways > 1 ? 0.85f : 0.75f) * height)
          << width << ", " << ways << " ways, " << rows << " rows";
    }
  }
  const Scene scene = bank_scene(conflict_case(32, 64).view(), cases::canvas(872, 640));
  EXPECT_EQ(scene.layers[kChips].labels.size(), 32u) << "each chip has its number";
}

// Beside another pane, too, chips that are too small for their lanes' numbers have them beside them, and the
// banks that lanes queue at have theirs before the others.
TEST(BankPicture, ATowerWithoutRoomForNumbersHasThemBesideIt) {
  cases::BankCase c = conflict_case(16, 16);
  Canvas canvas = cases::canvas(880, 640, 1.85f);
  canvas.least_type = 13;
  const Scene scene = bank_scene(c.view(), canvas);
  std::set<std::string> numbers;
  for (const Label& label : scene.layers[kChips].labels) numbers.insert(label.text);
  for (const char* lane : {"2", "14", "18", "30"}) EXPECT_TRUE(numbers.contains(lane)) << lane;
  std::set<std::string> orange;
  for (const Label& label : scene.layers[0].labels)
    if (label.color == dark_palette().costly) orange.insert(label.text);
  EXPECT_THAT(orange, ElementsAre("0", "1"));
  EXPECT_THAT(checks::all(scene, dark_palette()), IsEmpty());
}

// Of a chip that four of several share the count is in it where one of a broadcast would be.
TEST(BankPicture, AMulticastChipHasItsCount) {
  cases::BankCase c = cases::column_case("multicast", 8, 32, 0);
  for (int lane = 0; lane < 32; ++lane)
    c.access.addresses[static_cast<std::size_t>(lane)] = static_cast<memory::Address>(lane / 8 * 4);
  Canvas canvas = cases::canvas(1830, 800, 1.85f);
  canvas.least_type = 13;
  const std::vector<Label> labels = bank_scene(c.view(), canvas).layers[kChips].labels;
  EXPECT_EQ(std::ranges::count(labels, "×8", &Label::text), 4);
  Pen pen(canvas);
  EXPECT_TRUE(draw_mark(&pen, {0, 0, 60, 24}, 0xff, {})) << "in a low one its colours give way";
}

TEST(BankPicture, WideAccessesShowTheirGroups) {
  for (const auto& c : cases::bank_cases()) {
    if (c.name == "float4") {
      const Scene scene = bank_of(c);
      EXPECT_EQ(scene.answer, "= no conflict · wavefront 2 of 4");
      EXPECT_TRUE(checks::has_label(scene, "16–23") && checks::has_label(scene, "24–31"));
      EXPECT_FALSE(checks::has_label(scene, "0–7")) << "it has passed";
      const Shafts shafts = shafts_of(scene);
      EXPECT_EQ(banks_with(shafts.waiting, 2), 32) << "two quarters wait, four shafts to a lane";
      EXPECT_EQ(banks_with(shafts.passing, 1), 32);
      int chips = 0;
      for (const Cell& cell : scene.layers[kChips].cells)
        chips += std::abs(cell.rect.width - 4 * shafts.pitch) < shafts.pitch ? 1 : 0;
      EXPECT_EQ(chips, 24);
    }
    if (c.name == "float4-column") {  // what is no conflict has air between, what is one has none
      BankView view = c.view();
      view.wavefront = 32;
      const Scene scene = bank_scene(view, cases::canvas(872, 500));
      std::set<int, std::greater<>> tops;
      for (const Cell& chip : scene.layers[kChips].cells)
        tops.insert(static_cast<int>(std::lround(2 * chip.rect.y)));
      std::map<int, int> steps;
      for (auto at = tops.begin(); std::next(at) != tops.end(); ++at) ++steps[*at - *std::next(at)];
      ASSERT_EQ(steps.size(), 2u);
      EXPECT_EQ(steps.rbegin()->second, 3) << "between four quarters";
      EXPECT_EQ(steps.begin()->second, 28);
      for (const PictureSize& size : kSizes) {
        view.wavefront = 0;
        const Scene all = bank_scene(view, cases::canvas(size.width, size.height, size.scale));
        const auto& labels = all.layers[0].labels;
        const auto lane = std::ranges::find(labels, "lane", &Label::text);
        ASSERT_NE(lane, labels.end());
        EXPECT_GE(shafts_of(all).highest, 1.45f * lane->at.y) << "below the lanes, at " << size.height;
      }
    }
    if (c.name == "atomic-word") {
      const Scene scene = bank_of(c);  // wavefront 6 of 32: nothing fuses
      EXPECT_EQ(shafts_of(scene).most(), 26);
      EXPECT_TRUE(
          checks::has_label(scene, "32 lanes update the same word, so they take turns: 32 wavefronts"));
    }
  }
}

// One word for all: one chip with their number, and a ray to each.
TEST(BankPicture, ABroadcastIsOneChipAndARayToEachLane) {
  for (const auto& c : cases::bank_cases()) {
    if (c.name != "broadcast") continue;
    BankView view = c.view();
    const Scene scene = bank_scene(view, cases::canvas(872, 500));
    EXPECT_EQ(scene.layers[1].arcs.size(), 32u);
    for (const Arc& arc : scene.layers[1].arcs) EXPECT_EQ(arc.drawn, 1);
    EXPECT_TRUE(checks::has_label(scene, "×32"));
    const Shafts shafts = shafts_of(scene);
    EXPECT_EQ(banks_with(shafts.passing, 1), 1);
    EXPECT_EQ(banks_with(shafts.passing, 0), 31);
    view.progress = 0;
    for (const Arc& arc : bank_scene(view, cases::canvas(872, 500)).layers[1].arcs) EXPECT_EQ(arc.drawn, 0);
  }
}

// ---- motion

// Where a lane's colour stands: on its chip, or in the row of lanes.
Point place_of_lane(const Scene& scene, int lane) {
  const Color& color = dark_palette().lanes[static_cast<std::size_t>(lane)];
  for (const std::size_t layer : {kChips, std::size_t{1}}) {
    if (scene.layers.size() <= layer) continue;
    for (const Cell& cell : scene.layers[layer].cells)
      if (std::abs(cell.fill.r - color.r) + std::abs(cell.fill.g - color.g) +
              std::abs(cell.fill.b - color.b) <
          1e-3f)
        return {cell.rect.x + 0.5f * cell.rect.width, cell.rect.y};
  }
  return {-1, -1};
}
Point place_of_lane(const BankView& view, int lane) {
  return place_of_lane(bank_scene(view, cases::canvas(1200, 900)), lane);
}

// Lanes out of range stay in their row, with their numbers; the others fall as ever. The first says what it
// asked for.
TEST(BankMotion, LanesOutOfRangeStayAndTheOthersFall) {
  cases::BankCase c = cases::column_case("refused", 1, 32, 0);
  c.program.shared_arrays[0].extents = {32};
  c.access.active = 0xfffff;
  for (int lane = 0; lane < 32; ++lane)
    c.access.addresses[static_cast<std::size_t>(lane)] = static_cast<memory::Address>(lane * 8);
  BankView view = c.view();
  view.refused = 0xfff00000;
  for (const float fall : {0.2f, 1.0f}) {
    view.fall = fall;
    const Scene scene = bank_scene(view, cases::canvas(1200, 700));
    EXPECT_TRUE(checks::has_label(scene, "tile[40]"));
    for (const char* lane : {"20", "31"})
      EXPECT_EQ(std::ranges::count(scene.layers[1].labels, lane, &Label::text), 1) << lane;
    const int outlined = checks::count_borders(scene, dark_palette().text);
    EXPECT_GE(outlined, 1);
  }
  const auto first = [&](float fall) {
    view.fall = fall;
    return place_of_lane(view, 0).y;
  };
  EXPECT_LT(first(0.2f), first(0.5f));
}

TEST(BankMotion, LanesFallAndStackUp) {
  const cases::BankCase c = cases::column_case("column", 16, 32, 0);
  BankView view = c.view();
  for (const int lane : {0, 5, 15, 16, 31}) {
    float before = -1;
    for (const float fall : {0.0f, 0.25f, 0.5f, 0.75f, 1.0f}) {
      view.fall = fall, view.progress = 0;
      const Point at = place_of_lane(view, lane);
      EXPECT_GE(at.y, before) << lane << " " << fall << ": it only falls";
      before = at.y;
    }
    view.fall = 0;
    const float top = place_of_lane(view, lane).y;
    EXPECT_GT(before, top);
    EXPECT_EQ(top, place_of_lane(view, 0).y) << "they begin in one row";
  }
  view.fall = 1, view.progress = 0;
  EXPECT_EQ(shafts_of(bank_scene(view, cases::canvas(1200, 900))).waiting[0], 16);
}

TEST(BankMotion, WhatWasServedIsBackInItsLane) {
  cases::BankCase c = cases::column_case("column", 16, 32, 0);
  BankView view = c.view();
  view.fall = 0;
  const Point home = place_of_lane(view, 2);
  view.fall = 1;
  view.wavefront = 2;
  const Point passing = place_of_lane(view, 2);
  EXPECT_GT(passing.y, shafts_of(bank_scene(view, cases::canvas(1200, 900))).gate.y);
  view.wavefront = 3;
  EXPECT_EQ(place_of_lane(view, 2).y, home.y);
  EXPECT_EQ(place_of_lane(view, 2).x, home.x);
  view.wavefront = 15, view.finished = true;
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(place_of_lane(view, lane).y, home.y) << lane;
  // A store leaves its word in the array.
  c.access.op = Op::Store;
  BankView store = c.view();
  store.wavefront = 3;
  EXPECT_EQ(place_of_lane(store, 2).y, -1);
}

TEST(BankMotion, BackwardsIsTheSameMotionBackwards) {
  for (const cases::BankCase& c : cases::bank_cases()) {
    const int wavefronts = memory::plan_banks(c.access).wavefronts;
    if (wavefronts < 3 || c.has_previous) continue;
    BankView there = c.view(), back = c.view();
    there.wavefront = 2, back.wavefront = 1;
    back.backwards = true;
    // The heading and the rows of a window belong to where it ends; chips are alike on the way.
    for (const float t : {0.0f, 0.25f, 0.5f, 0.75f}) {
      there.progress = t, back.progress = 1 - t;
      const Scene a = bank_scene(there, cases::canvas(872, 620)),
                  b = bank_scene(back, cases::canvas(872, 620));
      ASSERT_EQ(a.layers.size() > kChips, b.layers.size() > kChips) << c.name;
      if (a.layers.size() <= kChips) continue;
      ASSERT_EQ(a.layers[kChips].cells.size(), b.layers[kChips].cells.size()) << c.name << " " << t;
      for (std::size_t i = 0; i < a.layers[kChips].cells.size(); ++i) {
        EXPECT_NEAR(a.layers[kChips].cells[i].rect.x, b.layers[kChips].cells[i].rect.x, 0.01) << c.name;
        EXPECT_NEAR(a.layers[kChips].cells[i].rect.y, b.layers[kChips].cells[i].rect.y, 0.01)
            << c.name << " " << t;
      }
    }
  }
}

// The tower of tile[16][32] falls apart into the row of tile[16][32 + 2], and the other way round.
TEST(BankMotion, ATowerSlidesApartAndBuildsUp) {
  const cases::BankCase tower = cases::column_case("tower", 16, 32, 0),
                        row = cases::column_case("row", 16, 32, 2);
  const auto sliding = [](const cases::BankCase& from, const cases::BankCase& to, float slide) {
    BankView view = to.view();
    view.previous = &from.access;
    view.previous_program = &from.program;
    view.previous_site = &from.program.sites[0];
    view.previous_padding_words = from.padding_words;
    view.slide = slide;
    return bank_scene(view, cases::canvas(1200, 900));
  };
  for (int lane = 0; lane < 32; ++lane) {
    const Point start = place_of_lane(tower.view(), lane), end = place_of_lane(row.view(), lane);
    const Point at_0 = place_of_lane(sliding(tower, row, 0), lane),
                at_1 = place_of_lane(sliding(tower, row, 1), lane);
    EXPECT_NEAR(at_0.x, start.x, 0.6f) << lane;
    EXPECT_NEAR(at_1.x, end.x, 0.6f) << lane;
    EXPECT_NEAR(at_1.y, end.y, 0.6f) << lane;
    for (const float t : {0.2f, 0.4f, 0.6f, 0.8f}) {
      const Point there = place_of_lane(sliding(tower, row, t), lane),
                  back = place_of_lane(sliding(row, tower, 1 - t), lane);
      EXPECT_NEAR(there.x, back.x, 1) << lane << " at " << t;
      EXPECT_NEAR(there.y, back.y, 1) << lane << " at " << t;
      EXPECT_GE(there.x, std::min(start.x, end.x) - 0.6f);
      EXPECT_LE(there.x, std::max(start.x, end.x) + 0.6f);
    }
  }
}

// Padding that lies in rows which are left out is told without a word of hatching.
TEST(BankPicture, HatchingIsToldWhereItIsSeen) {
  // Rows of 64 words and 2 of padding: every sixteenth begins with a row of 32, and eight rows on half a row
  // later, so that the padding before it is in the same one.
  for (const bool seen : {true, false}) {
    cases::BankCase c = cases::column_case("", 64, 64, 2);
    for (std::size_t lane = 0; lane < 32; ++lane)
      c.access.addresses[lane] =
          static_cast<memory::Address>(4 * ((lane % 4 * 16 + (seen ? 8 : 0)) * 66 + lane / 4));
    const Scene scene = bank_of(c, 300);
    EXPECT_EQ(checks::count_cells(scene, is_hatched) > 0, seen);
    EXPECT_THAT(checks::words_of(scene), testing::ContainsRegex("4 of [0-9]+ bank rows are touched"));
  }
}

TEST(BankPicture, PaddingIsReadFromTheExtentWhereItIsAFigure) {
  cases::BankCase c = cases::column_case("padded", 16, 32, 2);
  c.padding_words = -1;
  EXPECT_EQ(checks::count_cells(bank_of(c), is_hatched), 32);
  c.program.shared_arrays[0].extent_texts.back() = "BX + PAD";
  EXPECT_EQ(checks::count_cells(bank_of(c), is_hatched), 0);
}

}  // namespace banks_test
}  // namespace
}  // namespace warplens::scene
