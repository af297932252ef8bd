// The picture alone, as in the first minute: what plays, what can be counted, and which panels stand around
// it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/storage/window_file.h"
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

TEST(FirstPicture, PanelsComeAndGoTogetherAndEachByItself) {
  PlotDesk d("transpose_shared");
  EXPECT_TRUE(d.state.panels.all());
  d.letter('w');
  EXPECT_TRUE(d.state.panels.none());
  d.letter('w');
  EXPECT_TRUE(d.state.panels.all());
  d.act(TogglePanel{Panel::Lanes});
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
  const fs::path folder = fs::temp_directory_path() / ("warplens_panels_" + std::to_string(getpid()));
  fs::remove_all(folder);
  EXPECT_FALSE(load_panels(folder)) << "opened for the first time";
  for (const char* names : {"all", "none", "source", "lanes,times"}) {
    keep_panels(folder, *panels_named(names));
    EXPECT_EQ(load_panels(folder), panels_named(names)) << names;
  }
  for (const char* text :
       {"", "{", "[]", "{\"schema\": \"warplens.window/2\", \"panels\": []}",
        "{\"schema\": \"warplens.window/1\", \"panels\": [\"towers\"]}", "{\"schema\": 1}"}) {
    std::ofstream(folder / "window.json") << text;
    EXPECT_FALSE(load_panels(folder)) << text;
  }
  EXPECT_FALSE(panels_named("source,towers"));
  const fs::path here = fs::current_path();
  fs::create_directories(folder / "elsewhere");
  fs::current_path(folder / "elsewhere");
  keep_panels({}, Panels());
  EXPECT_FALSE(fs::exists("window.json")) << "without a home nothing is left where the program was started";
  fs::current_path(here);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace warplens::app
