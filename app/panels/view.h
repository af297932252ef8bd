// What every panel is given: values to show, and the means to show them. Panels change nothing; what is done
// in them is told as actions.
#pragma once

#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "app/derive/comparison.h"
#include "app/derive/motion.h"
#include "app/language/strings.h"
#include "app/panels/widgets/fonts.h"
#include "app/panels/widgets/scene_batch.h"
#include "app/readout/ladder_times.h"
#include "app/readout/question.h"
#include "app/readout/strip.h"
#include "app/readout/verdict.h"
#include "app/scene/palette.h"
#include "app/scene/scene.h"
#include "app/scene/views.h"
#include "app/simulate/simulation.h"
#include "app/state/action.h"
#include "app/state/catalog.h"
#include "app/views/inputs.h"
#include "app/views/reuse.h"

namespace warplens::panels {

// Where measured times come from, as the top bar says it.
struct GpuLine {
  enum class Kind { None, Recorded, Starting, Live, Measuring, Broken };
  Kind kind = Kind::None;
  std::string text;     // "NVIDIA H200"
  std::string tooltip;  // driver, date; or what is wrong and what to do
  std::string trouble;  // why this kernel has no time although there is a GPU; empty: nothing is wrong
};

struct View {
  const app::State& state;
  const app::Simulation& sim;
  const app::Catalog& catalog;
  const std::vector<app::RungTime>& times;
  const GpuLine& gpu;
  const app::Motion& motion;
  const language::Strings& strings;
  const scene::Palette& palette;
  const Fonts& fonts;
  SceneBatch& stage;
  app::Actions& actions;  // what a person did in it
  double now = 0;         // seconds of motion, see motion.h
  float scale = 1;        // screen pixels a unit of the design
  double working = 0;     // seconds for which something has been under way beside the frame
  double stale = 0;       // seconds for which the picture has not been that of the settings asked for

  // A│B: what differs, and the other one's view. Null: one alone is on screen.
  const app::Comparison* comparison = nullptr;
  const View* other = nullptr;
  bool is_a = false;
  bool headed = false;                  // LayoutOptions::headed
  app::Lit lit{};                       // by the answer to a question
  const views::Reuse* reuse = nullptr;  // null: hidden, or nothing is there
  bool quiet = false;                   // keys are pressed and the mouse rests: it has nothing to tell
  const std::vector<std::string>* controls = nullptr;  // the parameters offered, by name; null: all of them
  bool alone = false;                                  // no other panel is beside the picture
  bool bare = false;                                   // Layout::is_bare
  float enlarged = 1;                                  // Layout::enlarged
  float asks = 0;                                      // of 1: how far the first key lights up to be pressed
  scene::Counting counting{};                          // of what a number counts, lit so far
  bool chrome_top = true, chrome_bottom = true;        // Layout::floats: top and bottom are shown
  const app::Made* made = nullptr;                     // null: the memory is shown
  const measure::PeakRecord* peaks = nullptr;          // of the GPU that is simulated; null: not measured

  // Pointed at, or spoken of.
  int lit_lane() const { return state.hovered_lane >= 0 ? state.hovered_lane : lit.lane; }

  // What is on screen until the kernel asked for is there: nothing of it is said in that kernel's name.
  bool shows_other_kernel() const {
    return app::picture_of(sim, state.settings) == app::PictureOf::OtherKernel;
  }

  // The picture has the window: presenting, and in the first minute.
  bool is_large() const { return state.present || bare; }

  void act(app::Action action) const { actions.push_back(std::move(action)); }
  void act(app::Actions more) const {
    actions.insert(actions.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }

  float px(float units) const { return units * scale; }
  const scenario::Scenario* scenario() const { return app::scenario_of(catalog, state.settings); }
  // The text that is on screen: edited, or the file's.
  const std::string& source() const;
  scene::Canvas canvas(float width, float height) const;
};

}  // namespace warplens::panels
