// Where the elements of a tile lie, as the block's own trace has it; and a layout typed in place of an index.
#include <gtest/gtest.h>

#include "app/source/text_fixes.h"
#include "app/state/catalog.h"
#include "app/views/layout.h"
#include "sim/layout/reading.h"
#include "tests/app/desk.h"

namespace warplens::app {
namespace {

using namespace views;

// The warp's first load from shared memory.
void go_to_load(PlotDesk& d) {
  for (int event = 0; event < d.seen->event_count(); ++event) {
    const PricedEvent& priced = (*d.seen->events)[static_cast<std::size_t>(event)];
    const sim::AccessSite& site = d.seen->program().sites[priced.site];
    if (priced.space != memory::Space::Shared || site.op != memory::Op::Load) continue;
    d.act(GoToEvent{event, 0});
    return;
  }
  FAIL() << "no load";
}

void expect_layout(const PlotDesk& d, const std::string& text, int element_bytes) {
  const FoundTile found = tile_layout(*d.seen);
  ASSERT_NE(found.tile, nullptr) << text << ": " << static_cast<int>(found.why);
  const layout::Layout wanted = *layout::parse_layout(text).layout;
  EXPECT_EQ(found.tile->element_bytes, element_bytes);
  EXPECT_EQ(found.tile->rows, wanted.rows()) << text;
  EXPECT_EQ(found.tile->columns, wanted.columns()) << text;
  EXPECT_EQ(found.tile->elements.size(), static_cast<std::size_t>(wanted.rows() * wanted.columns()));
  for (const TileElement& e : found.tile->elements)
    ASSERT_EQ(e.address - found.tile->begin,
              static_cast<memory::Address>(wanted.at(e.row, e.column, element_bytes) * element_bytes))
        << text << ": " << e.row << ", " << e.column;
}

TEST(TileLayout, IsThatOfTheKernelsFunction) {
  PlotDesk d("layout_swizzle");
  expect_layout(d, "(32,32):(32,1)", 4);
  d.set("bits", 3);
  expect_layout(d, "Swizzle<3,0,5> o (32,32):(32,1)", 4);
  d.set("bits", 0);
  d.set("pad", 1);
  expect_layout(d, "(32,32):(33,1)", 4);
  d.set("element", 16);
  expect_layout(d, "(32,32):(33,1)", 16);
}

TEST(TileLayout, OfOtherKernelsToo) {
  PlotDesk padded("transpose_padded");
  go_to_load(padded);
  const FoundTile found = tile_layout(*padded.seen);
  ASSERT_NE(found.tile, nullptr);
  EXPECT_EQ(found.tile->in, "in");
  EXPECT_EQ(found.tile->tile, "tile");
  EXPECT_EQ(found.tile, tile_layout(*padded.seen).tile) << "kept";
  PlotDesk product("sgemm_tiled");
  go_to_load(product);
  EXPECT_NE(tile_layout(*product.seen).tile, nullptr);
}

TEST(TileLayout, OfTheArrayThatTheAccessGoesTo) {
  PlotDesk d("layout_fragment");
  go_to_load(d);
  expect_layout(d, "(16,16):(16,1)", 2);
  EXPECT_EQ(tile_layout(*d.seen).tile->in, "A");
  d.act(GoToEvent{d.seen->place.event + 1, 0});
  expect_layout(d, "(16,8):(8,1)", 2);
  EXPECT_EQ(tile_layout(*d.seen).tile->in, "B");
  const TileView view = tile_view(*tile_layout(*d.seen).tile, *d.seen);
  EXPECT_TRUE(view.transposed) << "B is read transposed";
  EXPECT_TRUE(fragments().is_there({}, *d.seen));
}

TEST(TileLayout, SaysWhyThereIsNone) {
  const auto why = [](const char* scenario) {
    PlotDesk d(scenario);
    const FoundTile found = tile_layout(*d.seen);
    EXPECT_EQ(found.tile, nullptr) << scenario;
    return found.why;
  };
  EXPECT_EQ(why("copy"), NoTile::NoShared);
  EXPECT_EQ(why("histogram_shared"), NoTile::NotCopied);
  PlotDesk sums("layout_swizzle");
  std::string text = text_of(gallery(), sums.state.settings);
  const std::size_t at = text.find("= in[i];");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 8, "= in[i] + in[0];");
  sums.act(SetText{text, {}, {}});
  EXPECT_EQ(tile_layout(*sums.seen).tile, nullptr) << "what lies there is made of two";
}

// ---- typed

TEST(TypedLayout, BecomesTheIndex) {
  PlotDesk d("layout_function");
  const auto type = [&](const std::string& text) { d.act(SetIndexExpression{text, {}}); };
  type("(32,32):(33,1)");
  EXPECT_EQ(find_index(*d.state.settings.text)->text, "row * 33 + column");
  expect_layout(d, "(32,32):(33,1)", 4);
  type("(8,(4,2)):(1,(8,64))");
  EXPECT_EQ(d.value("rows"), 8);
  EXPECT_EQ(d.value("columns"), 8);
  expect_layout(d, "(8,(4,2)):(1,(8,64))", 4);
  d.set("element", 2);
  type("SW128 o (16,64):(64,1)");
  expect_layout(d, "SW128 o (16,64):(64,1)", 2);
  EXPECT_EQ(d.value("columns"), 64);
}

TEST(TypedLayout, IsPricedAsTheLayoutIs) {
  PlotDesk d("layout_function");
  for (const char* text : {"(32,32):(32,1)", "Swizzle<3,0,5> o (32,32):(32,1)", "(32,32):(36,1)"}) {
    d.act(SetIndexExpression{text, {}});
    go_to_load(d);
    const layout::ReadTile read =
        layout::read_tile(*layout::parse_layout(text).layout, 4, layout::Reading::Columns);
    EXPECT_EQ(d.seen->now->cost.wavefronts, memory::plan_banks(read.requests.front()).wavefronts) << text;
  }
}

TEST(TypedLayout, SaysWhatIsWrongWithIt) {
  EXPECT_FALSE(index_problem("(8,8):(1,8)"));
  const auto wrong = index_problem("(8,(4,2)):(1,8)");
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->message.english(),
            "the strides do not have the form of the shape: one for each of its numbers");
  EXPECT_EQ(wrong->range.begin.offset, 10);
  const std::string other = "#define INDEX (threadIdx.x)\n";
  EXPECT_FALSE(is_of_tile(other));
  EXPECT_EQ(typed_index(other, "(8,8):(1,8)", 4).expression, "(8,8):(1,8)");
}

}  // namespace
}  // namespace warplens::app
