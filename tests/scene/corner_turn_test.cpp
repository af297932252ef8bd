// The picture of a corner turn at all sizes, in both languages and palettes.
#include <gmock/gmock.h>

#include <algorithm>

#include "app/scene/memory/lane_marks.h"
#include "app/views/phases.h"
#include "cases.h"
#include "checks.h"

namespace warplens::scene {
namespace {

using namespace views;

using ::testing::IsEmpty;

// A block of rows x 32: every warp reads a row and fills the tile, then all take it out by columns.
std::shared_ptr<CornerTurn> turn_of(int rows) {
  auto turn = std::make_shared<CornerTurn>();
  turn->grids = {{{"in", rows, 32, 0}, {"tile", rows, 33, 1}, {"out", 32, rows, 0}}};
  auto trace = std::make_shared<sim::Trace>();
  for (int event = 0; event < 4 * rows; ++event)
    trace->events.emplace_back().warp = static_cast<std::uint16_t>(event / 2 % rows);
  turn->trace = trace;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < 32; ++column) {
      const int down = row + column * rows;  // along the result
      const auto read = static_cast<std::uint32_t>(2 * row),
                 taken = static_cast<std::uint32_t>(2 * rows + 2 * (down / 32));
      turn->elements.push_back({{read, read + 1, taken, taken + 1},
                                {column, column, down % 32, down % 32},
                                {{{0, row, column}, {0, row, column}, {0, column, row}}}});
    }
  }
  return turn;
}

// At one of its four phases, its first warp at work.
CornerTurnView view_of(int rows, int now, float progress) {
  CornerTurnView view;
  view.turn = turn_of(rows);
  view.event = static_cast<std::uint32_t>(now < 2 ? now : 2 * rows + now - 2);
  view.progress = progress;
  view.now = now;
  view.banks = 2;
  view.straight = 32;
  view.straight_ideal = 4;
  view.costs = {{{4, 4, true, 1, 1}, {1, 1, true, 0, 1}, {16, 1, true, 0, 1}, {4, 4, true, 0, 1}}};
  return view;
}

TEST(CornerTurnScene, NothingOverlapsOrIsCutOff) {
  for (const int rows : {8, 16, 32})
    for (int now = 0; now < 4; ++now)
      EXPECT_THAT(checks::at_all(
                      {{540, 460, 0.8f},
                       {800, 760},
                       {1600, 1500, 2},
                       {594, 246, 1.48f, 13},  // beside another, presenting
                       {1200, 360, 1.48f, 13}},
                      [&](const Canvas& canvas) { return corner_turn_scene(view_of(rows, now, 1), canvas); }),
                  IsEmpty())
          << rows << " rows, phase " << now;
}

TEST(CornerTurnScene, ACostlyPhaseAndNoOtherHasASignBesideTheColour) {
  const Scene scene = corner_turn_scene(view_of(16, 2, 1), cases::canvas(800, 760));
  const auto is_sign = [](const Cell& cell) { return cell.fill == dark_palette().costly && cell.hatch > 0; };
  EXPECT_TRUE(scene.answer_is_costly);
  EXPECT_EQ(checks::count_cells(scene, is_sign), 1);
}

TEST(CornerTurnScene, WordsAreOnTheirWayInTheMiddle) {
  const auto& arcs = checks::arcs_of;
  const auto flying = [](const Scene& scene) {
    return scene.layers.size() > 3 ? scene.layers[3].cells.size() : std::size_t{0};
  };
  const Scene half = corner_turn_scene(view_of(16, 0, 0.5f), cases::canvas(800, 760)),
              whole = corner_turn_scene(view_of(16, 0, 1), cases::canvas(800, 760));
  EXPECT_EQ(arcs(half).size(), 32u);
  EXPECT_EQ(flying(half), 32u);
  EXPECT_EQ(flying(whole), 0u);
  EXPECT_LT(arcs(half)[0].drawn, 1);
  EXPECT_EQ(arcs(whole)[0].drawn, 1);
  // A load goes up to its lane, a store down from it.
  EXPECT_GT(arcs(whole)[0].from.y, arcs(whole)[0].to.y);
  const Scene store = corner_turn_scene(view_of(16, 3, 1), cases::canvas(800, 760));
  EXPECT_LT(arcs(store)[0].from.y, arcs(store)[0].to.y);
}

// The three grids of a scene, in order.
std::vector<Rect> grids_of(const Scene& scene) {
  std::vector<Rect> grids;
  for (const Cell& cell : scene.layers[0].cells) {
    if (cell.radius == 0 && cell.hatch == 0) grids.push_back(cell.rect);
  }
  return grids;
}

// No arc enters a grid; what goes on to the word goes straight down its own column, over the words, to a dot.
TEST(CornerTurnScene, AWayEndsInItsWordAndGoesOverNoOtherGrid) {
  for (const auto& [width, height, scale] : {std::tuple{560.0f, 470.0f, 0.9f}, {880.0f, 690.0f, 1.0f}}) {
    for (int phase = 0; phase < 4; ++phase) {
      SCOPED_TRACE(testing::Message() << width << ", phase " << phase);
      const CornerTurnView view = view_of(16, phase, 1);
      const Scene scene = corner_turn_scene(view, cases::canvas(width, height, scale));
      const std::vector<Rect> grids = grids_of(scene);
      ASSERT_EQ(grids.size(), 3u);
      ASSERT_EQ(scene.layers[2].arcs.size(), 32u) << "over the words";
      for (const Arc& arc : scene.layers[2].arcs) EXPECT_LE(std::max(arc.from.y, arc.to.y), grids[0].y);
      const int at = phase == 0 ? 0 : phase == 3 ? 2 : 1;
      const TurnGrid& grid = view.turn->grids[static_cast<std::size_t>(at)];
      const Rect& rect = grids[static_cast<std::size_t>(at)];
      int ends = 0;
      for (const TurnedElement& e : view.turn->elements) {
        if (view.lane_of(e) < 0) continue;
        const auto& word = e.at[static_cast<std::size_t>(at)];
        const float wide = rect.width / static_cast<float>(grid.columns),
                    high = rect.height / static_cast<float>(grid.rows);
        const float left = rect.x + wide * static_cast<float>(word.column),
                    top = rect.y + high * static_cast<float>(word.row);
        ends += std::ranges::any_of(scene.layers[2].cells, [&](const Cell& cell) {
          const float x = cell.rect.x + 0.5f * cell.rect.width, y = cell.rect.y + 0.5f * cell.rect.height;
          return cell.fill == dark_palette().text && cell.radius == 0.5f * cell.rect.width && x > left &&
                 x < left + wide && y > top && y < top + high;
        });
      }
      EXPECT_EQ(ends, 32);
    }
  }
}

// The tallest grid is as high as the words beside and below it leave room for.
TEST(CornerTurnScene, TakesTheHeightOfItsPanel) {
  for (const auto& [width, height, scale] : {std::tuple{560.0f, 480.0f, 0.9f}, {860.0f, 690.0f, 1.0f}}) {
    const Scene scene = corner_turn_scene(view_of(16, 2, 1), cases::canvas(width, height, scale));
    EXPECT_GT(grids_of(scene)[2].height, 0.45f * height);
  }
}

// 16-byte accesses: a lane's four words of a row are framed as one, and go along one arc; what it holds lies
// in stripes below it.
TEST(CornerTurnScene, AWideAccessIsOneThingALane) {
  CornerTurnView view = view_of(16, 0, 1);
  const auto turn = turn_of(16);
  turn->words = turn->deepest = 4;
  for (TurnedElement& e : turn->elements) {
    e.events[0] = static_cast<std::uint32_t>(e.at[0].row / 4 * 2), e.events[1] = 100;
    e.lanes[0] = e.at[0].row % 4 * 8 + e.at[0].column / 4;
  }
  view.turn = turn;
  view.costs[0].access = 2, view.costs[0].accesses = 4;
  for (const auto& [width, height, scale] :
       {std::tuple{540.0f, 460.0f, 0.8f}, {800.0f, 760.0f, 1.0f}, {1200.0f, 360.0f, 1.48f}}) {
    const Scene scene = corner_turn_scene(view, cases::canvas(width, height, scale, cases::chinese()));
    EXPECT_THAT(checks::things_outside(scene), IsEmpty()) << width;
    EXPECT_THAT(checks::overlapping_labels(scene), IsEmpty()) << width;
  }
  const Scene scene = corner_turn_scene(view, cases::canvas(800, 760));
  std::size_t arcs = 0, stripes = 0;
  for (const Layer& layer : scene.layers) {
    arcs += layer.arcs.size();
    for (const Cell& cell : layer.cells)
      stripes += cell.rect.height < 6 && cell.fill == lane_color(dark_palette(), 7);
  }
  EXPECT_EQ(arcs, 32u);
  EXPECT_EQ(stripes, 4u) << "lane 7 holds four words";
  EXPECT_TRUE(checks::has_label(scene, "2/4"));
  EXPECT_TRUE(checks::has_label(scene, "Each lane reads 4 neighbouring words of a row with one access."));
  const auto color_of = [&](std::string_view words) {
    for (const Layer& layer : scene.layers)
      for (const Label& label : layer.labels)
        if (label.text == words) return label.color;
    ADD_FAILURE() << words;
    return Color{};
  };
  EXPECT_EQ(color_of("Storing the 4 words of each lane directly: 32 sectors, ideal 4."),
            dark_palette().costly);
  EXPECT_EQ(color_of("Through the tile: 4 sectors."), dark_palette().text) << "the tile is no fault";
}

// On a projector as well, where a warp's words have all one colour after the turn.
TEST(CornerTurnScene, SaysWhatColoursMeanWherePresented) {
  const Scene scene = corner_turn_scene(view_of(16, 3, 1), cases::canvas(1808, 640, 1.85f));
  EXPECT_TRUE(checks::has_label(scene, cases::english()("scene.phases.colour")));
  EXPECT_THAT(checks::overlapping_labels(scene), IsEmpty());
}

TEST(CornerTurnScene, DrawsInAnySize) {
  for (const float size : {0.0f, 1.0f, 20.0f, 60.0f, 200.0f}) {
    EXPECT_EQ(corner_turn_scene(view_of(16, 1, 0.3f), cases::canvas(size, size)).width, size);
  }
}

}  // namespace
}  // namespace warplens::scene
