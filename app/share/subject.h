// What an export is of: one moment of the app, or of a target on a command line, as values that do not
// change.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/language/strings.h"
#include "app/readout/ladder_times.h"
#include "app/scene/palette.h"
#include "app/scene/views.h"
#include "app/simulate/simulation.h"
#include "app/state/classroom.h"

namespace warplens::share {

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // as wide as `columns`
};
std::string csv(const Table& table);  // RFC 4180

struct Subject {
  std::shared_ptr<const session::Simulation> simulation;  // not empty()
  std::string title;                                      // the scenario's, or the kernel's name
  // Its parameters and place fit into a line of text; null: a kernel of somebody's own, or edited.
  std::shared_ptr<const scenario::Scenario> scenario;
  scene::TimeBarsView times;
  std::string times_source;  // where the times are from; empty: there are none
  std::string times_of;      // "4096 × 4096 · as written"
  Table times_table, counters_table;
  language::Strings strings;
  const scene::Palette* palette = nullptr;
  // While a question is open: pictures ask as the screen does, and what only tells the answer is not written.
  session::Hidden hidden;
  int asked_lane = -1;  // that the question is about
};

// `state` is what `simulation` was derived from. The first of `times` with a measurement gives the source.
Subject subject_of(const session::State& state, std::shared_ptr<const session::Simulation> simulation,
                   const session::Catalog& catalog, const std::vector<session::RungTime>& times,
                   const language::Strings& strings);

// "transpose_shared, line 23: tile[ic][ir] · block 0,0, warp 0, access 3 of 4"
std::string caption_of(const Subject& subject);
// "predicted for sm_90 by Warplens 0.1.0; grid 64 x 128, block 32 x 16 ·
// warplens:transpose_shared?nrows=2048&..."
std::string provenance_of(const Subject& subject);

// Every access of the warp looked at, or of a lane: as the panels have them.
Table lanes_table(const Subject& subject);
// The whole grid's cost of every line; empty: the totals are not there.
std::string lines_csv(const Subject& subject);

}  // namespace warplens::share
