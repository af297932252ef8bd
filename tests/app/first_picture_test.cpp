// The picture alone, as in the first minute: what plays, what can be counted, and which panels stand around
// it.
#include <gtest/gtest.h>

#include <filesystem>

#include "app/readout/strip.h"
#include "app/storage/files.h"
#include "tests/app/desk.h"

namespace warplens::app {
namespace {

namespace fs = std::filesystem;

void play(PlotDesk* d) {
  for (int i = 0; i < 200 && d->state.playback.playing; ++i) d->act(Tick{kAccessSeconds});
}

TEST(FirstPicture, SpacePlaysOneAccessToItsEnd) {
  PlotDesk d("transpose_shared");
  d.act(ShowPanels{Panels()});
  d.act(GoToEnd{false});
  d.key(Key::Space);
  EXPECT_TRUE(d.state.playback.playing);
  play(&d);
  EXPECT_EQ(d.seen->place.event, 1);
  for (int i = 0; i < 40 && d.seen->steps() == 1; ++i) d.key(Key::Space);  // before each is at its end
  ASSERT_EQ(d.seen->steps(), 16) << "the tile's columns";
  for (int i = 0; i < 3; ++i) d.act(Tick{kAccessSeconds});
  EXPECT_TRUE(d.state.playback.playing);
  const int event = d.seen->place.event;
  play(&d);
  EXPECT_EQ(d.seen->place.event, event);
  EXPECT_EQ(d.seen->place.wavefront, 15) << "and no further";
  d.act(GoToEnd{true});
  const int last = d.seen->place.event;
  d.key(Key::Space);
  EXPECT_NE(d.seen->place.event, last) << "behind the last access comes the first one";
  EXPECT_TRUE(d.state.playback.playing);
}

TEST(FirstPicture, OnTheWorkbenchAndPresentingSpacePlaysOrPauses) {
  for (const bool present : {false, true}) {
    PlotDesk d("transpose_shared");
    if (present) d.act(ShowPanels{Panels()});
    d.act(SetPresent{present});
    const int event = d.seen->place.event;
    d.key(Key::Space);
    EXPECT_TRUE(d.state.playback.playing);
    EXPECT_FALSE(d.state.playback.one_access);
    EXPECT_EQ(d.seen->place.event, event);
    d.key(Key::Space);
    EXPECT_FALSE(d.state.playback.playing);
  }
}

TEST(FirstPicture, TheFigureOfSharedMemoryIsCountedByPlaying) {
  PlotDesk d("transpose_shared");
  ASSERT_EQ(d.seen->steps(), 16);
  for (int i = 0; i < 5; ++i) d.act(StepWavefront{1});
  ASSERT_EQ(d.seen->place.wavefront, 5);
  d.letter('q');
  EXPECT_EQ(d.seen->place.wavefront, 0);
  play(&d);
  EXPECT_EQ(d.seen->place.wavefront, 15);
  PlotDesk global("transpose_naive_row");
  global.letter('q');
  EXPECT_FALSE(global.state.playback.playing) << "boxes light up, and nothing moves on";
  global.act(SetPredicting{true});
  const State before = global.state;
  global.act(CountOut{});
  EXPECT_EQ(global.state.position, before.position) << "nor does it tell what is asked";
}

// What the strip says, and the colour of what it lights.
struct StripWords {
  std::string all;
  std::vector<scene::Label> labels;
  const scene::Label* of(const std::string& words) const {
    const auto found = std::ranges::find(labels, words, &scene::Label::text);
    return found == labels.end() ? nullptr : &*found;
  }
};
StripWords strip_of(const PlotDesk& d, scene::Counting counting = {}, const std::string& requests = {},
                    float width = 2000) {
  StripInput in{.simulation = d.seen.get()};
  in.requests = requests, in.counting = counting;
  const scene::Scene scene = strip_scene(in, {width, 30, 1, &scene::dark_palette(), &english()});
  StripWords out;
  for (const scene::Layer& layer : scene.layers)
    for (const scene::Label& label : layer.labels) out.labels.push_back(label), out.all += label.text + "|";
  return out;
}

TEST(Strip, TellsLanesRequestsAndCostAndLightsWhatIsLost) {
  const scene::Palette& p = scene::dark_palette();
  PlotDesk d("transpose_shared");
  ASSERT_EQ(d.seen->steps(), 16);
  StripWords strip = strip_of(d);
  EXPECT_EQ(strip.all,
            "this request|32 of 32 lanes work|16 wavefronts, ideal 1|whole grid|2,097,152 requests|");
  EXPECT_EQ(strip.of("16 wavefronts, ideal 1")->color, p.costly);
  d.set("pad", 2);
  strip = strip_of(d);
  ASSERT_TRUE(strip.of("1 wavefront, the ideal")) << strip.all;
  EXPECT_EQ(strip.of("1 wavefront, the ideal")->color, p.ideal);
  strip = strip_of(d, {}, "3.8 times fewer requests");
  ASSERT_TRUE(strip.of("3.8 times fewer requests")) << strip.all;
  EXPECT_TRUE(strip.of("3.8 times fewer requests")->bold) << "in A│B what explains the time";
  strip = strip_of(d, {}, "3.8 times fewer requests", 230);
  EXPECT_TRUE(strip.of("3.8 times fewer requests")) << "the last that gives way: " << strip.all;
  PlotDesk few("reduce_pairs");
  for (int i = 0; i < 400 && std::popcount(few.seen->now->access.active) == 32; ++i) few.act(StepAccess{1});
  const int lanes = std::popcount(few.seen->now->access.active);
  ASSERT_LT(lanes, 32);
  strip = strip_of(few);
  const scene::Label* idle = strip.of(std::to_string(lanes) + " of 32 lanes work");
  ASSERT_NE(idle, nullptr) << strip.all;
  EXPECT_EQ(idle->color, p.costly) << "no green where lanes do nothing";
  for (const scene::Label& label : strip.labels) EXPECT_FALSE(label.color == p.ideal) << label.text;
}

TEST(Strip, TellsNothingThatIsAsked) {
  PlotDesk d("transpose_shared");
  d.act(SetPredicting{true});
  EXPECT_EQ(strip_of(d).all, "this request|32 of 32 lanes work|");
}

// Each number is made up of what lights up, and comes to what it says.
TEST(Strip, EveryNumberCanBeCountedOut) {
  using scene::Count;
  PlotDesk d("transpose_naive_row");
  while (d.seen->now->access.op != memory::Op::Store) d.act(StepAccess{1});
  EXPECT_EQ(most_to_count(*d.seen, Count::Cost), 32);
  EXPECT_EQ(most_to_count(*d.seen, Count::Moved), 32) << "a bar of 32 bytes each";
  EXPECT_EQ(most_to_count(*d.seen, Count::Lanes), 32);
  EXPECT_EQ(most_to_count(*d.seen, Count::Used), 32);
  EXPECT_TRUE(strip_of(d, {Count::Lanes, 5}).of("5 of 32 lanes work"));
  EXPECT_TRUE(strip_of(d, {Count::Cost, 7}).of("7 sectors, ideal 4"));
  EXPECT_EQ(lanes_counted(*d.seen->now, {Count::Lanes, 5}), 0x1fu);
  EXPECT_EQ(lanes_counted(*d.seen->now, {Count::Cost, 5}), ~0u) << "sectors are counted, no lane steps back";
  const auto lines = lines_of_requests(*d.seen);
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(most_to_count(*d.seen, Count::Requests), static_cast<int>(lines.size()));
  std::uint64_t sum = 0;
  for (const auto& [line, requests] : lines) sum += requests;
  std::uint64_t all = 0;
  for (const sim::SiteTotals& site : d.seen->totals->global_sites) all += site.requests;
  EXPECT_EQ(sum, all);
  EXPECT_NE(strip_of(d, {Count::Requests, 1}).all.find("line " + std::to_string(lines[0].first)),
            std::string::npos);
  d.act(SetPredicting{true});
  for (const Count what : {Count::Cost, Count::Moved, Count::Requests})
    EXPECT_EQ(most_to_count(*d.seen, what), 0) << "nothing that is asked";
}

TEST(FirstPicture, TabGoesThroughTheControlsAndEnterPressesOne) {
  PlotDesk d("transpose_shared");
  d.key(Key::Tab);
  EXPECT_EQ(d.state.control, 0);
  d.key(Key::Tab), d.key(Key::Tab);
  EXPECT_EQ(d.state.control, 2);
  d.key(Key::Tab, true);
  EXPECT_EQ(d.state.control, 1);
  d.key(Key::Space);
  EXPECT_TRUE(d.state.control_pressed);
  EXPECT_FALSE(d.state.playback.playing) << "the space bar presses what has the focus";
  d.act(SettleControl{1});  // as the panels do
  EXPECT_FALSE(d.state.control_pressed);
  d.key(Key::Escape);
  EXPECT_FALSE(d.state.control);
  d.key(Key::Space);
  EXPECT_TRUE(d.state.playback.playing);
  d.key(Key::Tab, true);
  EXPECT_EQ(d.state.control, -1) << "backwards from the last one";
  d.key(Key::F1);
  d.key(Key::Escape);
  EXPECT_FALSE(d.state.help) << "a sheet has the keyboard first";
}

TEST(FirstPicture, PanelsComeAndGoTogetherAndEachByItself) {
  PlotDesk d("transpose_shared");
  EXPECT_EQ(d.state.panels, Panels(kUsualPanels));
  d.letter('w');
  EXPECT_TRUE(d.state.panels.none());
  d.letter('w');
  EXPECT_EQ(d.state.panels, Panels(kUsualPanels));
  d.act(TogglePanel{Panel::Grid});
  d.letter('w');
  EXPECT_TRUE(d.state.panels.none());
  d.letter('w');
  EXPECT_EQ(d.state.panels, *panels_named("source,access,times")) << "as it stood";
  d.letter('w');
  d.act(TogglePanel{Panel::Times});
  EXPECT_EQ(d.state.panels, *panels_named("times")) << "one beside the picture alone";
  d.press({Key::Character, 'w', {}, true, false});
  ASSERT_TRUE(d.state.menu);
  EXPECT_EQ(d.state.menu->of, Menu::Of::Panels);
  d.key(Key::Down), d.key(Key::Enter);
  EXPECT_FALSE(d.state.menu);
}

TEST(FirstPicture, PanelsAreKept) {
  const scenario::Folder own;
  const fs::path folder = own.path() / "state";
  EXPECT_FALSE(load_panels(folder)) << "opened for the first time";
  for (const char* names : {"all", "none", "source", "lanes,times"}) {
    keep_panels(folder, *panels_named(names));
    EXPECT_EQ(load_panels(folder), panels_named(names)) << names;
  }
  for (const char* text :
       {"", "{", "[]", "{\"schema\": \"warplens.window/2\", \"panels\": []}",
        "{\"schema\": \"warplens.window/1\", \"panels\": [\"towers\"]}", "{\"schema\": 1}"}) {
    own.write("state/window.json", text);
    EXPECT_FALSE(load_panels(folder)) << text;
  }
  EXPECT_FALSE(panels_named("source,towers"));
  const fs::path here = fs::current_path();
  fs::create_directories(folder / "elsewhere");
  fs::current_path(folder / "elsewhere");
  keep_panels({}, Panels());
  EXPECT_FALSE(fs::exists("window.json")) << "without a home nothing is left where the program was started";
  fs::current_path(here);
}

}  // namespace
}  // namespace warplens::app
