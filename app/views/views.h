// The views, a row each. Whatever offers a view, draws it or writes it to a file goes by its row: the tabs
// over the memory panels, the list behind the last tab, keys and palette, the scenes of a lecture, the share
// sheet, both command lines. A view is a file beside this one that fills its row.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/jobs/memo.h"
#include "app/simulate/simulation.h"
#include "app/state/command.h"
#include "app/state/share_sheet.h"
#include "sim/report/output/table.h"

namespace warplens::scene {
struct Canvas;
}
namespace warplens::app {
struct LoadedProfile;
struct Made;
}  // namespace warplens::app

namespace warplens::views {

struct Inputs;

enum class Tab : std::uint8_t {
  Always,
  WhereWide,       // a narrow panel has it in the list behind the last tab, unless it is on screen
  WhereThereIsOne  // while it is on screen, or Row::is_there
};

// What a view is derived from: of the window, or of a file that is written.
struct Deriving {
  const app::Simulation& simulation;  // not empty()
  const app::PlotView& plot_view;
  jobs::Memos& memos;
  const app::Settings& settings;                        // that are asked for
  const scenario::Scenario* scenario;                   // of them; null: none
  bool halted = false;                                  // nothing new is begun
  std::shared_ptr<const app::LoadedProfile> profile{};  // null: none is open
  std::optional<int> registers{};                       // of a thread, where the launch was measured
};

// What the mouse does over the picture, in the picture's pixels.
struct Pointer {
  float x = 0, y = 0, dx = 0, dy = 0;
  float from_x = 0, from_y = 0;  // where it was pressed
  float wheel = 0;
  bool there = false;  // it is in the window
  bool hovered = false, held = false;
  bool pressed = false, clicked = false;  // clicked: let go where it was pressed
  bool doubled = false;
  const scene::HotSpot* spot = nullptr;
};
// A word over the picture that a click changes.
struct Choice {
  std::string text;
  const char* tip;  // of the languages; null: none
  app::Action action;
  bool active = false;
};
// A heading with tabs, of which one is chosen at each side.
struct Heading {
  std::string title;
  std::vector<Choice> left, right;
  bool of_access = false;  // the access looked at is in the picture: presenting, its verdict is the headline
};
// What an action of a view's own changes; see apply().
struct Acting {
  app::State& state;
  const app::Simulation& simulation;
  const app::Catalog& catalog;
  std::function<void(const app::Action&)> again;  // does another action
  std::function<void(app::Settings)> change;      // makes these the settings; those before can be had again
};

struct Felt {
  app::Actions actions;
  std::string tooltip;  // empty: the hot spot's own
};

// What it tells, for what is written to a file.
struct Tells {
  bool of_access = true;      // of the access looked at; else of the launch
  bool tells_answers = true;  // it is not there while a question is open
  bool tells_times = false;   // ... or one about times
  bool tells_cost = false;    // ... or as long as the cost of this access is asked for
};

using report::Table;                // of figures: what panels, pictures and files print
std::string exactly(double value);  // to nine digits, for a file

struct Row {
  ViewId id;
  const char* file = nullptr;  // of its exports; "share.what." + file are its words, `render --view FILE`
  Tab where = Tab::Always;
  bool (*is_there)(const app::State&, const app::Simulation&) = nullptr;  // null: never by itself
  Tells tells{};
  bool with_verdict = false;  // of the access looked at, large in its heading while presenting
  // Null: what is simulated anyway is all it takes.
  app::Made (*derive)(const Deriving&) = nullptr;
  scene::Scene (*draw)(const Inputs&, const scene::Canvas&) = nullptr;  // null: the memory panels
  Felt (*feel)(const Inputs&, const scene::Canvas&, const Pointer&) = nullptr;
  std::vector<Choice> (*choices)(const Inputs&, const language::Strings&) = nullptr;
  Heading (*heading)(const Inputs&, const language::Strings&) = nullptr;  // null: the scene's title
  std::span<const app::Command> commands{};

  // Its tab's words, of the languages.
  std::string tab() const { return "tab." + std::string(name_of(id)); }
  std::string tip() const { return tab() + ".tip"; }
};

// No picture, and why. `title`: of the languages.
scene::Scene nothing_of(const scene::Canvas& canvas, const char* title, const std::string& why);
// The lane of a hot spot lights up everywhere.
Felt feel_lanes(const Inputs& in, const scene::Canvas& canvas, const Pointer& pointer);
// Of commands: it is on screen; so many times larger, below 0 smaller.
template <ViewId kView>
bool shows(app::In in) {
  return in.state.shown == kView;
}
template <typename A, int kBy>
app::Actions zooms(app::In) {
  return {A{kBy > 0 ? kBy : -1.0 / kBy}};
}
// A panel that stands beside a view, or in it, as what is written to a file.
struct Panel {
  app::ShareWhat::Other what;
  Tells tells{};
  // Null: it takes more than inputs have.
  scene::Scene (*draw)(const Inputs&, const scene::Canvas&) = nullptr;
};
const Panel* panel_of(app::ShareWhat what);  // null: it is none

std::span<const Row> rows();  // in the order of the tabs
const Row& row_of(ViewId id);

}  // namespace warplens::views
