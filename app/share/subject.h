// What an export is of: one moment of the app, or of a target on a command line, as values that do not
// change.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/derive/motion.h"
#include "app/language/strings.h"
#include "app/readout/ladder_times.h"
#include "app/scene/palette.h"
#include "app/scene/scene.h"
#include "app/scene/views.h"
#include "app/simulate/simulation.h"
#include "app/state/classroom.h"
#include "app/views/compare.h"
#include "app/views/inputs.h"
#include "app/views/reuse.h"
#include "app/views/times.h"
#include "sim/report/output/table.h"

namespace warplens::share {

// The other side of A│B.
struct Beside {
  std::shared_ptr<const app::Simulation> a;     // not empty()
  std::shared_ptr<const views::Reuse> reuse{};  // of it; null: not asked for, or hidden
  app::Comparison comparison;
  std::vector<views::TableRow> rows;
  views::SideWords words_a, words_b;
  float divider = app::kMiddle;  // of the pictures' width, A's part
};

struct Subject {
  std::shared_ptr<const app::Simulation> simulation;  // what may be seen of it (visible.h); not empty()
  std::string title;                                  // the scenario's, or the kernel's name
  // Its parameters and place fit into a line of text; null: a user's own kernel, or an edited one.
  std::shared_ptr<const scenario::Scenario> scenario;
  std::shared_ptr<const std::vector<app::RungTime>> times;  // of the ladder; null: not looked up
  scene::TimeUnit unit = {};                                // of the times
  std::string times_source;                                 // where the times are from; empty: there are none
  std::string times_of;                                     // "4096 × 4096 · as written"
  std::shared_ptr<const measure::PeakRecord> peaks;  // of the GPU that is simulated; null: not measured
  language::Strings strings;
  const scene::Palette* palette = nullptr;
  float scale = 1;                    // of type and strokes
  int asked_lane = -1;                // that an open question is about
  bool whole = false;                 // of a shared access all wavefronts, none singled out
  bool stills = false;                // a film jumps from moment to moment
  std::optional<app::Motion> motion;  // at `now`; none: all is at its end
  double now = 0;
  app::PlotView plot_view;
  std::shared_ptr<const app::Made> made;              // what it lacks is made when it is asked for
  std::shared_ptr<const app::LoadedProfile> profile;  // null: none is open
  std::shared_ptr<const Beside> beside;               // null: nothing is compared
  bool with_reuse = false;                            // global memory tells who touched its sectors before:
  std::shared_ptr<const views::Reuse> reuse;          // found when it is asked for; null: not yet, or hidden
};

// Of the launch on screen, or null.
const measure::Measurement* measured_of(const Subject& subject);

// What with_reuse asks for, of both sides. Throws Stopped where the budget ends.
void add_reuse(Subject* subject, Budget& budget, std::atomic<double>* progress = nullptr);

// `state` is what `simulation` was derived from. The first of `times` with a measurement gives the source.
Subject subject_of(const app::State& state, std::shared_ptr<const app::Simulation> simulation,
                   const app::Catalog& catalog, const std::vector<app::RungTime>& times,
                   const language::Strings& strings);

// A side of A│B; the time is of exactly its settings, or null.
struct Side {
  const app::State& state;
  std::shared_ptr<const app::Simulation> simulation;
  const measure::Measurement* time = nullptr;
};
std::shared_ptr<const Beside> beside_of(const Side& a, const Side& b, const app::Comparison& comparison,
                                        const app::Catalog& catalog, const language::Strings& strings);

// "transpose_shared, line 23: tile[ic][ir] · block 0,0, warp 0, access 3 of 4"
std::string caption_of(const Subject& subject);
// "predicted for sm_90 by Warplens 0.1.0; grid 64 x 128, block 32 x 16 ·
// warplens:transpose_shared?nrows=2048&..."
std::string provenance_of(const Subject& subject);

}  // namespace warplens::share
