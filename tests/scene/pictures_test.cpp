// What the pictures say, with counts that can be derived by hand.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/scene/memory/array_inset.h"
#include "app/scene/memory/question_scene.h"
#include "app/simulate/matrix_shape.h"
#include "cases.h"
#include "checks.h"

namespace warplens::scene {
namespace {

using checks::arcs_of;
using ::testing::IsEmpty;

using memory::Op;

constexpr memory::Address kBase = memory::Address{1} << 40;

GlobalView view_of(const memory::WarpAccess& access = cases::strided(Op::Load, 4, kBase, 4)) {
  GlobalView view;
  view.access = access;
  view.buffer_base = kBase;
  view.buffer_name = "in";
  return view;
}

Scene global_of(const memory::WarpAccess& access, int hovered = -1) {
  Canvas canvas = cases::canvas(872, 260);
  canvas.hovered_lane = hovered;
  return global_scene(view_of(access), canvas);
}

bool is_like(const Color& a, const Color& b) {
  return std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b) <= 1e-4f;
}

bool is_hatched(const Cell& cell) {
  return cell.hatch > 0;
}

// A sector's tooltip tells who touched it. Not known yet: the picture as it is otherwise, and a legend that
// says so.
TEST(GlobalPicture, WaitsForWhatIsNotKnownYet) {
  GlobalView view = cases::with_reuse(cases::global_cases().front().view);
  const auto spots = global_scene(view, cases::canvas(1100, 340)).hot_spots;
  EXPECT_TRUE(std::ranges::any_of(spots, [](const HotSpot& spot) {
    return spot.tooltip.find("This warp touched the sector before") != std::string::npos;
  }));
  view.reuse->origins.clear();
  const Scene scene = global_scene(view, cases::canvas(1100, 340));
  EXPECT_TRUE(checks::has_label(scene, "… first touch"));
  EXPECT_EQ(checks::count_borders(scene, dark_palette().costly), 0);
  EXPECT_GE(checks::count_borders(scene, dark_palette().ideal), 4);
}

// Of a row of floats lane i lies over word i, so its arc drops straight down.
TEST(GlobalPicture, ArcsEndOnTheirWords) {
  const Scene scene = global_of(cases::strided(Op::Load, 4, kBase, 4));
  EXPECT_TRUE(scene.answer_is_ideal);
  ASSERT_EQ(arcs_of(scene).size(), 32u);
  for (const Arc& arc : arcs_of(scene)) EXPECT_NEAR(arc.from.x, arc.to.x, 0.01f);
}

TEST(GlobalPicture, LanesWithABadAddressAreHatchedAndNothingIsCounted) {
  GlobalView view = view_of();
  view.access.active = 0x7f;
  view.refused = 0xffffff80;
  const Scene scene = global_scene(view, cases::canvas(872, 260));
  EXPECT_EQ(scene.answer, "25 lanes have a bad address");
  EXPECT_TRUE(scene.answer_is_costly);
  EXPECT_EQ(checks::count_cells(scene,
                                [](const Cell& c) {
                                  return c.hatch > 0 &&
                                         c.hatch_color == with_alpha(dark_palette().costly, 0.45f);
                                }),
            25);
}

// A class took another lane for the answer: the right one stands out, and the wrong one is hatched where it
// is a lane and where it goes.
TEST(GlobalPicture, ALaneThatMostTookForTheAnswerIsHatched) {
  GlobalView view = view_of();
  Canvas canvas = cases::canvas(1100, 340);
  canvas.hovered_lane = 21, canvas.said_lane = 5;
  EXPECT_EQ(checks::count_cells(global_scene(view, canvas), is_hatched), 2);
  canvas.said_lane = -1;
  EXPECT_EQ(checks::count_cells(global_scene(view, canvas), is_hatched), 0);
}

TEST(GlobalPicture, WideLanesSpanTheirWords) {
  const Scene scene = global_of(cases::strided(Op::Load, 16, kBase, 16));
  float word = 0, lane = 0;
  for (const Layer& layer : scene.layers) {
    for (const Cell& cell : layer.cells) {
      if (!(cell.fill == dark_palette().lanes[5])) continue;
      float& width = cell.rect.y < 30 ? lane : word;
      width = std::max(width, cell.rect.width);
    }
  }
  EXPECT_GT(lane, 0);
  EXPECT_GT(word, 2.5f * lane);  // four words, which are narrower than lanes beside the pile
}

// 32 lanes on one word: what is moved for it is not known, but each lane has its turn.
TEST(GlobalPicture, AnAtomicsPileIsOfTurns) {
  const Scene scene = global_of(cases::strided(Op::Reduction, 4, kBase, 0));
  for (const char* words : {"32 sector passes", "serving 32 lanes"})
    EXPECT_TRUE(checks::has_label(scene, words)) << words;
  EXPECT_EQ(checks::words_of(scene).find("moved"), std::string::npos);
  EXPECT_EQ(checks::count_cells(scene, [](const Cell& c) { return c.fill == dark_palette().lanes[17]; }), 2);
}

TEST(GlobalPicture, InactiveLanesHaveNoArc) {
  memory::WarpAccess access = cases::strided(Op::Load, 4, kBase, 4);
  access.active = 0x0000ff01u;
  EXPECT_EQ(arcs_of(global_of(access)).size(), 9u);
  access.active = 0;
  const Scene none = global_of(access);
  EXPECT_TRUE(arcs_of(none).empty());
  EXPECT_EQ(none.answer, "no lane is active");
  cases::BankCase half = cases::column_case("half", 32, 32, 0);
  half.access.active = 0;
  BankView refused = half.view();
  refused.refused = 0xffff;
  const Scene bad = bank_scene(refused, cases::canvas(846, 420));
  EXPECT_TRUE(checks::has_label(bad, "16 lanes have a bad address")) << "as the answer says";
}

TEST(GlobalPicture, AHoveredLaneStandsOut) {
  const Scene scene = global_of(cases::strided(Op::Load, 4, kBase, 4), 7);
  const std::vector<Arc> arcs = arcs_of(scene);
  const auto thick = std::count_if(arcs.begin(), arcs.end(), [](const Arc& arc) { return arc.width > 2; });
  EXPECT_EQ(thick, 1);
}

TEST(GlobalPicture, GrowsFromLanesToWordsToSectors) {
  GlobalView view = view_of();
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
  EXPECT_EQ(lit(words), 3) << "arrived, and in the pile of what is moved";
  EXPECT_EQ(checks::count_borders(words, dark_palette().ideal), 4);
  view.progress = 1;
  EXPECT_EQ(checks::count_borders(global_scene(view, canvas), dark_palette().ideal), 4);
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

// The names that padding is written with: template arguments and macros; a broken text has none.
TEST(Padding, IsLookedUpInTheConstants) {
  sim::CompileRequest request;
  request.text =
      "template <typename T, int BX, unsigned PAD = 1> __global__ void k(T* out) { out[BX + PAD] = 1; }\n"
      "template <int OTHER> __global__ void unused(int* out) { out[0] = OTHER; }\n";
  request.kernel = "k";
  request.template_arguments = {"float", "32", "2"};
  request.defines = {{"EXTRA", "3"}, {"NAME", "not_a_number"}};
  EXPECT_THAT(app::constants_of(request),
              testing::UnorderedElementsAre(testing::Pair("EXTRA", 3), testing::Pair("BX", 32),
                                            testing::Pair("PAD", 2)));
  request.text = "template <int BX __global__ ((";
  request.defines.clear();
  EXPECT_THAT(app::constants_of(request), IsEmpty());
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

// Around the threads of all warps, as they are drawn; what is enlarged beside them is left out.
Rect block_drawn(const sim::Dim3& block, float width, float height) {
  const Scene scene =
      block_map_scene(cases::block_map_case(block.x, block.y, block.z, 0), cases::canvas(width, height));
  float right = 0, bottom = 0, left = 1e9f, top = 1e9f;
  for (const HotSpot& spot : scene.hot_spots) {
    if (spot.warp < 1) continue;  // warp 0 is the one looked at
    left = std::min(left, spot.rect.x), right = std::max(right, spot.rect.x + spot.rect.width);
    top = std::min(top, spot.rect.y), bottom = std::max(bottom, spot.rect.y + spot.rect.height);
  }
  for (const HotSpot& spot : scene.hot_spots) {
    if (spot.warp != 0 || spot.lane != 0) continue;
    left = std::min(left, spot.rect.x), top = std::min(top, spot.rect.y);
    break;
  }
  return {left, top, right - left, bottom - top};
}

TEST(BlockMap, TheBlockHasItsShape) {
  for (const auto& [width, height] : {std::pair{362.0f, 88.0f}, {430.0f, 150.0f}, {900.0f, 500.0f}}) {
    for (const sim::Dim3& block :
         {sim::Dim3{8, 32, 1}, {32, 8, 1}, {16, 16, 1}, {32, 16, 1}, {32, 32, 1}, {64, 16, 1}, {16, 64, 1}}) {
      const Rect drawn = block_drawn(block, width, height);
      EXPECT_NEAR(drawn.width / drawn.height, static_cast<float>(block.x) / static_cast<float>(block.y),
                  0.06f * static_cast<float>(block.x) / static_cast<float>(block.y))
          << block.x << " x " << block.y << " in " << width << " x " << height;
    }
    // A line is a line, along its axis.
    EXPECT_GT(block_drawn({256, 1, 1}, width, height).width,
              8 * block_drawn({256, 1, 1}, width, height).height);
    EXPECT_GT(block_drawn({1, 256, 1}, width, height).height,
              2 * block_drawn({1, 256, 1}, width, height).width);
  }
}

// A warp of 8 × 4 threads, too small to be seen in its block, stands beside it with its lanes' numbers.
TEST(BlockMap, AWarpOfASmallBlockIsEnlarged) {
  const Scene scene = block_map_scene(cases::block_map_case(8, 32, 1, 2), cases::canvas(362, 88));
  std::set<float> columns, rows;
  for (const HotSpot& spot : scene.hot_spots) {
    if (spot.lane < 0 || spot.rect.width < 8) continue;
    columns.insert(spot.rect.x), rows.insert(spot.rect.y);
  }
  EXPECT_EQ(columns.size(), 8u);
  EXPECT_EQ(rows.size(), 4u);
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

// Places to mark, and once the answer is open what was right, missed and too many.
TEST(Question, PlacesAreMarkedAndToldApart) {
  QuestionView view;
  view.access.active = ~memory::LaneMask{0};
  view.access.bytes = 4;
  for (std::size_t lane = 0; lane < memory::kWarpLanes; ++lane) view.access.addresses[lane] = 4 + 4 * lane;
  view.places = PlacesView{.marks = 0b100001};
  const auto places_in = [](const Scene& scene) {
    return std::ranges::count_if(scene.hot_spots, [](const HotSpot& spot) { return spot.place >= 0; });
  };
  for (const float height : {130.0f, 170.0f, 300.0f, 500.0f}) {
    for (const float width : {300.0f, 380.0f, 700.0f}) {
      const Scene scene = question_scene(view, cases::canvas(width, height));
      EXPECT_TRUE(checks::things_outside(scene).empty()) << width << " x " << height;
      EXPECT_EQ(places_in(scene), 32) << width << " x " << height;
    }
  }
  const auto ticks = [&](const char* sign) {
    const Scene scene = question_scene(view, cases::canvas(700, 400));
    EXPECT_EQ(places_in(scene), view.places->truth ? 0 : 32);
    int count = 0;
    for (const Label& label : checks::labels_of(scene)) count += label.text.starts_with(sign) ? 1 : 0;
    return count;
  };
  EXPECT_EQ(ticks("✓ +"), 0);
  view.places->truth.emplace();
  for (std::size_t place = 0; place < 5; ++place) (*view.places->truth)[place] = 1;
  EXPECT_EQ(ticks("✓ +"), 1);
  EXPECT_EQ(ticks("✗ +"), 1);
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
  EXPECT_NE(scene.hot_spots[2].tooltip.find("16 sectors, ideal 1"), std::string::npos);
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

// None is cut: thirteen times as long is seen as thirteen times as long.
TEST(TimeBars, BarsAreInProportion) {
  TimeBarsView view;
  view.bars = {{"a", 10e-6, 0, 0, 100, false, true, false, false},
               {"b", 130e-6, 0, 0, 25, true, false, false, false}};
  const Scene scene = time_bars_scene(view, cases::canvas(420, 120));
  ASSERT_EQ(scene.layers[0].cells.size(), 2u);
  EXPECT_NEAR(scene.layers[0].cells[1].rect.width / scene.layers[0].cells[0].rect.width, 13, 0.2);
  EXPECT_EQ(scene.layers[0].cells[0].hatch, 0);
  EXPECT_GT(scene.layers[0].cells[1].hatch, 0);  // recorded
  EXPECT_TRUE(checks::has_label(scene, "10.0 µs"));
}

TimeBar time_of(const char* label, double seconds) {
  TimeBar bar;
  bar.label = label;
  bar.median_seconds = seconds;
  return bar;
}

std::vector<float> widths_of(const Scene& scene) {
  std::vector<float> widths;
  for (const Cell& cell : scene.layers[0].cells) widths.push_back(cell.rect.width);
  return widths;
}

TEST(TimeBars, NoBarIsUnderTwoPixels) {
  for (const float width : {60.0f, 300.0f, 1200.0f})
    for (const double ratio : {1.0, 19.9, 1e3, 1e9}) {
      TimeBarsView view;
      view.bars = {time_of("a", 1e-6), time_of("b", 1e-6 * ratio)};
      for (const float bar : widths_of(time_bars_scene(view, cases::canvas(width, 120)))) EXPECT_GE(bar, 2);
    }
}

// 64 MiB in 40 µs, 2^31 operations.
TEST(TimeBars, SayWhatTheTimeComesTo) {
  TimeBarsView view;
  view.bars = {time_of("a", 40e-6), time_of("b", 0)};
  view.bars[0].bytes = 64 << 20;
  const auto says = [&](TimeUnit unit, const char* words) {
    view.unit = unit;
    return checks::has_label(time_bars_scene(view, cases::canvas(420, 120)), words);
  };
  EXPECT_TRUE(says(TimeUnit::Time, "40.0 µs"));
  EXPECT_TRUE(says(TimeUnit::Bytes, "1,678 GB/s"));
  EXPECT_TRUE(says(TimeUnit::Bytes, "–")) << "a rung that was not measured";
  view.bars[1].current = true;
  EXPECT_TRUE(says(TimeUnit::Time, "not measured")) << "said of the rung on screen alone";
  view.bars[1].measured_with = "padding 2";
  EXPECT_TRUE(says(TimeUnit::Time, "measured with padding 2"));
  EXPECT_TRUE(says(TimeUnit::Operations, "no such figure"));
  view.bars[0].operations = 2147483648.0;
  EXPECT_TRUE(says(TimeUnit::Operations, "53,687 GFLOP/s"));
}

TEST(TimeBars, TheReferenceStaysWhereNotAllHaveRoom) {
  TimeBarsView view;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h"}) view.bars.push_back(time_of(name, 50e-6));
  view.bars[6].current = true;
  view.bars.push_back(time_of("cuBLAS", 10e-6));
  view.bars.back().reference = true;
  view.captions = {"caption"};
  const Scene scene = time_bars_scene(view, cases::canvas(420, 80));
  for (const char* name : {"g", "cuBLAS"}) EXPECT_TRUE(checks::has_label(scene, name)) << name;
  for (const char* name : {"a", "b"}) EXPECT_FALSE(checks::has_label(scene, name)) << name;
  ASSERT_FALSE(scene.hot_spots.empty());
  EXPECT_TRUE(checks::has_label(scene, "6–8 / 8  caption"));
}

// One beside another means nothing where one had eight times as much to do.
TEST(TimeBars, AnotherSizeHasNoBar) {
  TimeBarsView view;
  view.bars = {time_of("tiles", 50e-6), time_of("sum", 500e-6)};
  view.bars[1].only_at = "1024³";
  const Scene scene = time_bars_scene(view, cases::canvas(420, 120));
  EXPECT_EQ(widths_of(scene).size(), 1u);
  EXPECT_TRUE(checks::has_label(scene, "500 µs, only at 1024³"));
}

// The bars of what differs are below the lanes' numbers, not through them.
TEST(GlobalPicture, BarsOfWhatDiffersCrossNoNumber) {
  GlobalView view = view_of();
  view.differing_lanes = ~memory::LaneMask{0};
  const Scene scene = global_scene(view, cases::canvas(420, 200));
  int numbers = 0;
  for (const Label& label : checks::labels_of(scene)) {
    if (label.text != "8" && label.text != "16" && label.text != "24") continue;
    ++numbers;
    for (const Layer& layer : scene.layers)
      for (const Cell& cell : layer.cells)
        if (is_like(cell.fill, dark_palette().accent)) {
          EXPECT_GE(cell.rect.y, label.at.y + 0.5f * label.size - 1) << label.text;
        }
  }
  EXPECT_EQ(numbers, 3);
}

// None is cut: thirteen times as long is seen as thirteen times as long.
TEST(TimeBars, ABarMuchLongerThanTheOthersIsAsLongAsItIs) {
  TimeBarsView view;
  view.bars = {time_of("a thread a row", 323e-6), time_of("a warp a row", 25.1e-6)};
  const auto widths = widths_of(time_bars_scene(view, cases::canvas(420, 160)));
  ASSERT_EQ(widths.size(), 2u);
  EXPECT_NEAR(widths[0] / widths[1], 323 / 25.1, 0.1);
}

}  // namespace
}  // namespace warplens::scene
