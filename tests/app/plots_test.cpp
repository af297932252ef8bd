// The block's timeline and the landscape of two parameters in a session: what they count, keys, what is
// hidden.
#include <gmock/gmock.h>

#include <set>

#include "app/scene/palette.h"
#include "app/scene/scene.h"
#include "app/state/user_kernel.h"
#include "app/views/inputs.h"
#include "app/views/landscape.h"
#include "app/views/timeline.h"
#include "sim/scenario/target.h"
#include "tests/app/desk.h"
#include "tests/scene/checks.h"

namespace warplens::app {
namespace {

using namespace views;

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::shared_ptr<const Landscape> landscape_on(const PlotDesk& d) {
  return made_of<Landscape>(d.made.get(), ViewId::Landscape);
}

TEST(BlockTimeline, AClickGoesToTheAccess) {
  PlotDesk d("transpose_shared");
  d.act(ShowView{ViewId::Timeline});
  d.act(GoToAccess{7, 2});
  EXPECT_EQ(d.seen->place.warp, 7);
  EXPECT_EQ(d.seen->place.event, 2);
  d.act(GoToAccess{99, 99});
  EXPECT_EQ(d.seen->place.warp, 15);
  EXPECT_EQ(d.seen->place.event, 3);
}

TEST(BlockTimeline, KeysZoom) {
  PlotDesk d("transpose_shared");
  d.letter('a', false, true);
  d.letter('+');
  d.letter('+');
  EXPECT_EQ(d.state.plot.timeline_zoom, 4);
  d.letter('-');
  EXPECT_EQ(d.state.plot.timeline_zoom, 2);
  d.letter('0');
  EXPECT_EQ(d.state.plot.timeline_zoom, 1);
}

// A plot would take the room of both memory panels.
TEST(Plots, TheMemoryItselfIsNone) {
  PlotDesk d("transpose_shared");
  EXPECT_EQ(d.made, nullptr);
  d.act(ShowView{ViewId::Reuse});
  EXPECT_EQ(d.made, nullptr);
  d.act(ShowView{ViewId::Timeline});
  EXPECT_NE(d.made, nullptr);
}

// 64 registers a thread are all 65,536 for a block of 32 warps: one block, where threads would let two in.
TEST(Occupancy, GoesByTheRegistersThatWereMeasured) {
  std::optional<int> registers;
  PlotDesk d("sgemm_tiled", jobs::waits_for_all(), [&](const State&) { return registers; });
  d.set("n", 128);
  d.act(ShowView{ViewId::Occupancy});
  const auto words = [&] {
    const views::Inputs in{.simulation = d.seen.get(), .made = d.made.get()};
    return scene::checks::words_of(
        views::row_of(ViewId::Occupancy).draw(in, {900, 600, 1, &scene::dark_palette(), &english()}));
  };
  EXPECT_THAT(words(), AllOf(HasSubstr("holds 2 blocks"), HasSubstr("The compiler decides")));
  registers = 64;
  d.derive();
  EXPECT_THAT(words(), AllOf(HasSubstr("holds one block"), HasSubstr("65,536 of 65,536"),
                             Not(HasSubstr("The compiler decides"))));
}

// What a report says of the same settings.
sim::Totals reported(const std::string& scenario, const scenario::ParameterValues& values) {
  auto setup = scenario::make_setup(*gallery().find(scenario), values);
  auto prepared = scenario::prepare(std::move(*setup.value), memory::default_gpu_model());
  return sim::grid_totals(prepared.value->program, prepared.value->setup.launch, *prepared.value->gpu);
}

TEST(LandscapeCells, AreWhatAReportCounts) {
  for (const char* scenario : {"transpose_shared", "shared_stride", "copy_offset", "histogram_shared"}) {
    SCOPED_TRACE(scenario);
    Settings settings = opening(gallery(), scenario).settings;
    for (const char* size : {"nrows", "ncols", "n"}) {
      if (settings.values.contains(size)) settings.values[size] = 1000;
    }
    const auto plan = plan_landscape(gallery().find(scenario), settings, {});
    ASSERT_TRUE(plan);
    int counted = 0;
    for (std::size_t cell = 0; cell < plan->size(); cell += plan->size() / 12 + 1) {
      const LandscapeCounts counts = count_cell(*plan, cell, nullptr, nullptr);
      if (counts.state == LandscapeCounts::State::Refused) {
        EXPECT_NE(counts.reason, "");
        continue;
      }
      ++counted;
      const sim::Totals totals = reported(scenario, plan->settings_of(cell).values);
      sim::SiteTotals global, shared;
      for (const sim::SiteTotals& site : totals.global_sites) global.add(site);
      for (const sim::SiteTotals& site : totals.shared_sites) shared.add(site);
      EXPECT_EQ(counts.global, global);
      EXPECT_EQ(counts.shared, shared);
    }
    EXPECT_GT(counted, 4);
  }
}

Settings small_transpose() {
  Settings settings = opening(gallery(), "transpose_shared").settings;
  settings.values["nrows"] = settings.values["ncols"] = 128;
  return settings;
}

TEST(Landscape, OfATransposeIsPaddingByBlock) {
  const auto plan = plan_landscape(gallery().find("transpose_shared"), small_transpose(), {});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->x.parameter->name, "pad");
  EXPECT_EQ(plan->y.parameter->name, "block_x");
  EXPECT_EQ(plan->x.values.size(), 33u);
  EXPECT_EQ(plan->here, (CellValues{0, 32}));
  EXPECT_GE(plan->cell_of(plan->here), 0);
  const auto strided =
      plan_landscape(gallery().find("shared_stride"), opening(gallery(), "shared_stride").settings, {});
  EXPECT_EQ(strided->x.parameter->name, "stride");
  EXPECT_EQ(strided->y.parameter->name, "element");
}

// An own file's launch follows from its form.
TEST(Landscape, OfAnOwnFileIsCountedPairByPair) {
  Windowless desk;
  desk.act(OpenText{"/tmp/k.cu",
                    "template <int STEP> __global__ void k(float* x, int n) {\n"
                    "  int i = (blockIdx.x * blockDim.x + threadIdx.x) * STEP;\n  if (i < n) x[i] = 1;\n}\n"
                    "int main() {\n  float* x;\n  cudaMalloc(&x, 65536 * 4);\n"
                    "  k<8><<<65536 / 256, 256>>>(x, 65536);\n}\n"});
  const Settings& settings = desk.state.settings;
  const auto plan = plan_landscape(&settings.own->scenario, settings, {});
  ASSERT_TRUE(plan);
  std::set<std::uint64_t> sectors;
  for (std::size_t cell = 0; cell < plan->size(); ++cell) {
    const LandscapeCounts counts = count_cell(*plan, cell, nullptr, nullptr);
    if (counts.state == LandscapeCounts::State::Counted) sectors.insert(counts.global.sectors);
    if (plan->values_of(cell) == plan->here) {
      const std::shared_ptr<const UserKernel> there = plan->settings_of(cell).own;
      EXPECT_EQ(there->values.numbers, settings.own->values.numbers);
    }
  }
  EXPECT_GT(sectors.size(), 4u) << "one launch is not counted for all";
}

TEST(Landscape, TheBestIsTheLeastAndTheNearest) {
  const auto plan = plan_landscape(gallery().find("transpose_shared"), small_transpose(), {});
  LandscapeCells cells(plan->size());
  count_landscape(*plan, &cells, {});
  EXPECT_EQ(cells.done(), plan->size());
  for (const LandscapeMeasure measure : {LandscapeMeasure::Usual, LandscapeMeasure::Sectors}) {
    const Landscape landscape = landscape_of(*plan, cells, measure);
    ASSERT_GE(landscape.best, 0);
    for (const LandscapeCounts& cell : landscape.cells) {
      if (cell.state != LandscapeCounts::State::Counted) continue;
      EXPECT_GE(factor_of(landscape, cell), 1);
    }
  }
  const Landscape landscape = landscape_of(*plan, cells, LandscapeMeasure::Usual);
  EXPECT_EQ(landscape.measure, LandscapeMeasure::Wavefronts);
  const LandscapeCounts& best = landscape.cells[static_cast<std::size_t>(landscape.best)];
  EXPECT_EQ(best.shared.bank_conflicts, 0u);
  EXPECT_EQ(plan->values_of(static_cast<std::size_t>(landscape.best)), (CellValues{2, 32}))
      << "of 32 x 16, two words of padding";
  EXPECT_EQ(best.row_words, 34);
  EXPECT_EQ(best.array, "tile");
}

// Rows by block x of a tile with padding, a few of each.
LandscapePlan rows_by_block(const char* scenario) {
  static Settings settings;
  settings = opening(gallery(), scenario).settings;
  settings.values["nrows"] = settings.values["ncols"] = 128;
  PlotView view;
  view.x = "nrows", view.y = "block_x";
  LandscapePlan plan = *plan_landscape(gallery().find(scenario), settings, view);
  plan.x.values = {1, 32, 128};
  plan.y.values = {1, 8, 32};
  return plan;
}

Landscape counted(const LandscapePlan& plan, LandscapeMeasure measure) {
  LandscapeCells cells(plan.size());
  count_landscape(plan, &cells, {.threads = 2});
  return landscape_of(plan, cells, measure);
}

const LandscapeCounts& cell_at(const Landscape& landscape, const CellValues& values) {
  return landscape.cells[static_cast<std::size_t>(landscape.plan.cell_of(values))];
}

// A launch of one row counts least and wins nothing.
TEST(Landscape, WhereWorkDiffersCountsAreHeldAgainstIt) {
  const LandscapePlan plan = rows_by_block("transpose_naive_row");
  const Landscape landscape = counted(plan, LandscapeMeasure::Sectors);
  EXPECT_FALSE(landscape.same_work);
  const LandscapeCounts &one = cell_at(landscape, {1, 32}), &all = cell_at(landscape, {128, 32});
  EXPECT_LT(value_of(one, landscape.measure), value_of(all, landscape.measure));
  EXPECT_EQ(one.work * 128, all.work);
  EXPECT_EQ(factor_of(landscape, one) / factor_of(landscape, all),
            value_of(one, landscape.measure) * 128 / value_of(all, landscape.measure));
  const Landscape copies = counted(rows_by_block("copy_row"), LandscapeMeasure::Sectors);
  EXPECT_EQ(factor_of(copies, cell_at(copies, {128, 32})), 1);
  // A matrix product needs operations: a larger tile needs fewer sectors for as many.
  Settings settings = opening(gallery(), "sgemm_tiled").settings;
  for (const char* side : {"m", "n", "k"}) settings.values[side] = 32;
  auto product = *plan_landscape(gallery().find("sgemm_tiled"), settings, {});
  product.x.values = {8, 32}, product.y.values = {32, 64};
  const Landscape products = counted(product, LandscapeMeasure::Sectors);
  EXPECT_FALSE(products.same_work);
  const LandscapeCounts& longer = cell_at(products, {8, 64});
  EXPECT_EQ(longer.work, 2u * 32 * 32 * 64);
  EXPECT_GT(factor_of(products, longer), factor_of(products, cell_at(products, {32, 64})));
  // Of the same work the count decides.
  const auto shape = plan_landscape(gallery().find("transpose_shared"), small_transpose(), {});
  LandscapeCells cells(shape->size());
  for (std::size_t i = 0; i < 3; ++i) cells.put(i, count_cell(*shape, i, nullptr, nullptr));
  EXPECT_TRUE(landscape_of(*shape, cells, LandscapeMeasure::Usual).same_work);
}

// Two long ranges keep their powers of two, their ends, and the present and the usual value.
TEST(Landscape, HasFewEnoughPairsToBeCounted) {
  for (const scenario::Scenario& s : gallery().scenarios) {
    const Settings settings = opening(gallery(), s.name).settings;
    const auto plan = plan_landscape(&s, settings, {});
    ASSERT_TRUE(plan) << s.name;
    EXPECT_LE(plan->size(), 1024u) << s.name;
    EXPECT_GE(plan->cell_of(plan->here), 0) << s.name;
  }
  Settings settings = opening(gallery(), "gather").settings;
  settings.values["n"] = 3000;
  const auto plan = plan_landscape(gallery().find("gather"), settings, {});
  EXPECT_LE(plan->size(), 512u);
  const std::vector<std::int64_t>& elements = plan->y.values;
  for (const std::int64_t there : {1, 2048, 3000, 4096, 16777216})
    EXPECT_THAT(elements, ::testing::Contains(there));
  EXPECT_THAT(elements, ::testing::Not(::testing::Contains(3072)));
}

TEST(Landscape, CountsTheNearestFirst) {
  const auto plan = plan_landscape(gallery().find("transpose_shared"), small_transpose(), {});
  const auto order = nearest_first(*plan);
  EXPECT_EQ(static_cast<int>(order.front()), plan->cell_of(plan->here));
  EXPECT_EQ(std::set<std::size_t>(order.begin(), order.end()).size(), plan->size());
}

TEST(Landscape, WhatCannotBeLaunchedSaysWhy) {
  const auto plan = plan_landscape(gallery().find("transpose_shared"), small_transpose(), {});
  const int cell = plan->cell_of({0, 128});
  ASSERT_GE(cell, 0) << "one that is too large is shown";
  const LandscapeCounts counts = count_cell(*plan, static_cast<std::size_t>(cell), nullptr, nullptr);
  EXPECT_EQ(counts.state, LandscapeCounts::State::Refused);
  EXPECT_THAT(counts.reason, ::testing::HasSubstr("1024"));
  const Landscape landscape = landscape_of(*plan, LandscapeCells(plan->size()), LandscapeMeasure::Usual);
  EXPECT_EQ(landscape.best, -1);
}

TEST(Landscape, IsCancelledAndGoesOnFromThere) {
  const auto plan = plan_landscape(gallery().find("transpose_shared"), small_transpose(), {});
  LandscapeCells cells(plan->size());
  std::atomic<bool> cancel{true};
  count_landscape(*plan, &cells, {.threads = 2, .cancel = &cancel});
  EXPECT_EQ(cells.done(), 0u);
  LandscapeCounts mark;
  mark.state = LandscapeCounts::State::Counted;
  mark.row_words = 77;
  cells.put(5, mark);
  count_landscape(*plan, &cells, {.threads = 2});
  EXPECT_EQ(cells.done(), plan->size());
  EXPECT_EQ(cells.all()[5].row_words, 77) << "what is there is not counted again";
}

TEST(Landscape, ACellIsGoneToInOneStepOfUndo) {
  PlotDesk d("transpose_shared");
  d.act(ShowView{ViewId::Landscape});
  const Settings before = d.state.settings;
  const auto landscape = landscape_on(d);
  d.act(GoToCell{{2, 16}});
  EXPECT_EQ(d.value("pad"), 2);
  EXPECT_EQ(d.value("block_x"), 16);
  ASSERT_TRUE(landscape_on(d));
  EXPECT_EQ(landscape_on(d)->done, landscape->done) << "the same landscape, kept";
  EXPECT_EQ(landscape_on(d)->plan.here, (CellValues{2, 16}));
  d.act(Undo{});
  EXPECT_EQ(d.state.settings, before);
}

TEST(Landscape, KeysChooseParametersAndMeasure) {
  PlotDesk d("shared_stride");
  d.letter('l', false, true);
  EXPECT_EQ(landscape_on(d)->measure, LandscapeMeasure::Wavefronts);
  d.key(Key::Tab);
  const std::string third = landscape_on(d)->plan.x.parameter->name;
  EXPECT_NE(third, "stride");
  EXPECT_NE(third, "element") << "which is the other axis";
  d.key(Key::Tab, true);
  EXPECT_NE(landscape_on(d)->plan.y.parameter->name, "element");
  EXPECT_NE(landscape_on(d)->plan.y.parameter->name, third);
  d.letter('.');
  EXPECT_EQ(d.state.plot.measure, LandscapeMeasure::Sectors);
  EXPECT_EQ(landscape_on(d)->measure, LandscapeMeasure::Sectors);
}

TEST(LandscapeAxis, TakesAllValuesOfAShortRangeAndTellingOnesOfALongOne) {
  const scenario::Scenario& s = *gallery().find("transpose_shared");
  const auto rows = axis_values(*find_parameter(s, "nrows"), 4096);
  EXPECT_EQ(rows.front(), 1);
  EXPECT_EQ(rows.back(), 16384);
  for (const std::int64_t value : {32, 64, 4096}) EXPECT_THAT(rows, ::testing::Contains(value));
  EXPECT_LE(rows.size(), 32u);
  EXPECT_THAT(axis_values(*find_parameter(s, "nrows"), 1023), ::testing::Contains(1023)) << "the present one";
  EXPECT_THAT(axis_values(*find_parameter(*gallery().find("shared_stride"), "element"), 4),
              ElementsAre(1, 2, 4, 8, 16));
  for (const scenario::Scenario& each : gallery().scenarios) {
    for (const scenario::ScenarioParameter& parameter : each.parameters) {
      const auto values = axis_values(parameter, parameter.fallback);
      EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
      for (const std::int64_t value : values) EXPECT_EQ(clamped(parameter, value), value) << each.name;
    }
  }
}

}  // namespace
}  // namespace warplens::app
