// Colours, text widths, SVG, what is said of a launch's time.
#include <gmock/gmock.h>

#include "app/scene/file/files.h"
#include "app/scene/pen.h"
#include "app/scene/scene.h"
#include "app/views/why.h"
#include "cases.h"
#include "checks.h"

namespace warplens::scene {
namespace {

using report::CountSource;
using ::testing::HasSubstr;
using ::testing::Not;
using views::why_scene;
using views::WhyBar;
using views::WhyView;

TEST(Contrast, IsThatOfWcag) {
  EXPECT_NEAR(contrast({0, 0, 0, 1}, {1, 1, 1, 1}), 21, 0.01f);
  EXPECT_NEAR(contrast({1, 1, 1, 1}, {1, 1, 1, 1}), 1, 0.01f);
  EXPECT_NEAR(contrast({0.4666667f, 0.4666667f, 0.4666667f, 1}, {1, 1, 1, 1}), 4.48f,
              0.01f);  // #777 on white
}

TEST(TextWidth, FollowsTheFonts) {
  EXPECT_NEAR(text_width("0000", 10, Font::Code), 24, 0.01f);
  EXPECT_LT(text_width("iiii", 13), text_width("WWWW", 13));
  EXPECT_NEAR(text_width("共享", 10), 20, 0.01f);
  EXPECT_GT(text_width("bank", 13, Font::Words, true), text_width("bank", 13));
  EXPECT_GT(text_width("\xff\xe5\x85", 10), 0);  // broken UTF-8 is no trouble
}

TEST(Shortened, EndsInAnEllipsisAndFits) {
  EXPECT_EQ(shortened("bank", 100, 13), "bank");
  const std::string text = shortened("one column of tile lies in one bank", 100, 13);
  EXPECT_THAT(text, HasSubstr("…"));
  EXPECT_LE(text_width(text, 13), 100);
  EXPECT_EQ(shortened("bank", 3, 13), "");
}

TEST(Wrapped, BreaksAtSpacesAndBetweenIdeographs) {
  const std::vector<std::string> lines = wrapped("one column of tile lies in one bank", 120, 13, 3);
  EXPECT_EQ(lines, (std::vector<std::string>{"one column of tile", "lies in one bank"}));
  EXPECT_EQ(wrapped("一二三四五六", 13 * 4 + 1, 13, 2), (std::vector<std::string>{"一二三四", "五六"}));
  EXPECT_EQ(wrapped("共 69 %", 13 * 3, 13, 2), (std::vector<std::string>{"共", "69 %"}))
      << "a per cent sign goes with its number";
  EXPECT_EQ(wrapped("", 100, 13, 2).size(), 0u);
  EXPECT_EQ(wrapped("unbreakable", 20, 13, 2).size(), 1u);
}

Scene one_of_each() {
  Scene scene;
  scene.width = 100, scene.height = 40;
  scene.title = "a < b & c";
  Layer layer;
  layer.arcs.push_back({{10, 0}, {30, 40}, {1, 0, 0, 0.5f}, 2, 0.5f});
  layer.cells.push_back({{1, 2, 20, 10}, 3, {0, 0, 1, 1}, {1, 1, 1, 1}, 2, 6, {0, 1, 0, 1}});
  layer.labels.push_back({{50, 20}, "x \"<&>\" \x01", 10, {0, 0, 0, 1}, Align::Right, Font::Code, true});
  scene.layers.push_back(layer);
  return scene;
}

TEST(Svg, IsWrittenAsExpected) {
  const std::string svg = write_svg(one_of_each());
  EXPECT_THAT(svg, HasSubstr("<title>a &lt; b &amp; c</title>"));
  EXPECT_THAT(svg, HasSubstr("viewBox=\"0 0 100 40\""));
  // Half of the cubic (10,0) (10,20) (30,20) (30,40): it ends in the middle, at (20,20).
  EXPECT_THAT(svg, HasSubstr("d=\"M10 0C10 10 15 15 20 20\""));
  EXPECT_THAT(svg, HasSubstr("stroke=\"#ff0000\" stroke-opacity=\"0.5\""));
  // The border lies inside the cell.
  EXPECT_THAT(svg, HasSubstr("<rect x=\"2\" y=\"3\" width=\"18\" height=\"8\" rx=\"2\" fill=\"#0000ff\"/>"));
  EXPECT_THAT(svg, HasSubstr("fill=\"url(#hatch0)\" stroke=\"#ffffff\" stroke-width=\"2\""));
  EXPECT_THAT(svg, HasSubstr("text-anchor=\"end\""));
  EXPECT_THAT(svg, HasSubstr(">x &quot;&lt;&amp;&gt;&quot; \xEF\xBF\xBD</text>"));
}

// The four kinds of rows: exact, modelled, measured; the bound; a time across.
WhyView why_case() {
  WhyView view;
  view.title = "Why so long?";
  view.sentences = {"DRAM needs at least 8.00 µs of the 10.0 µs measured; L1 4.00 µs.",
                    "Bank conflicts are hidden here."};
  view.bars = {
      {"launch", 1.4e-6, CountSource::Predicted, "", "1.40 µs", "14 %", "1 launch at 710 k/s · exact", {}},
      {"DRAM",
       8e-6,
       CountSource::Modelled,
       "the limit",
       "8.00 µs",
       "80 %",
       "≈ 36.0 MB at 4.49 TB/s · modelled",
       {}},
      {"L1",
       4e-6,
       CountSource::Measured,
       "",
       "4.00 µs",
       "40 %",
       "1.04 M wavefronts at 260 G/s · measured",
       {}}};
  view.measured = 10e-6;
  view.measured_words = {"10.0 µs recorded on NVIDIA H200", "10.0 µs"};
  view.facts = {"≈ 67 % of 1.05 M loaded sectors hit in L1"};
  return view;
}

TEST(Why, PresentedNothingIsSmall) {
  Canvas canvas = cases::canvas(900, 420);
  canvas.least_type = 24;
  for (const Label& label : checks::labels_of(why_scene(why_case(), canvas)))
    EXPECT_GE(label.size, 24) << label.text;
}

// What is of before is faint and says so; it has no time across.
TEST(Why, WhileItIsModelledNothingJumps) {
  WhyView view = why_case();
  const Scene before = why_scene(view, cases::canvas(640, 340));
  view.working = "being modelled";
  const Scene now = why_scene(view, cases::canvas(640, 340));
  EXPECT_EQ(now.nothing, "");
  ASSERT_EQ(now.hot_spots.size(), before.hot_spots.size());
  for (std::size_t i = 0; i < now.hot_spots.size(); ++i)
    EXPECT_EQ(now.hot_spots[i].rect.y, before.hot_spots[i].rect.y);
  EXPECT_THAT(checks::words_of(now), Not(HasSubstr("%"))) << "nothing of before";
  view.bars.clear();
  EXPECT_EQ(why_scene(view, cases::canvas(640, 340)).nothing, "being modelled");
}
TEST(Why, TheAxisOfBothPanesIsTheLonger) {
  WhyView view = why_case();
  const auto width_of_bound = [&] {
    const Scene scene = why_scene(view, cases::canvas(640, 340));
    float most = 0;
    for (const Cell& cell : scene.layers.at(1).cells) most = std::max(most, cell.rect.width);
    return most;
  };
  const float alone = width_of_bound();
  view.most = 20e-6;
  EXPECT_NEAR(width_of_bound(), 0.5f * alone, 1);
}

}  // namespace
}  // namespace warplens::scene
