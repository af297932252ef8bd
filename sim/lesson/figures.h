// The figures that a lesson's rules speak of, by name, worked out by the simulator.
//
//   of an access       requests sectors ideal_sectors lines wavefronts ideal_wavefronts bank_conflicts
//                      active_lanes bytes, bank_0 ... bank_31 (of each active lane's first word, shared
//                      memory) and step_0 ... step_31 (bytes from lane 0's address to each active lane's)
//   of the whole grid  SPACE_OP_FIELD as in a report: shared_load_bank_conflicts, global_store_sectors;
//                      blocks, threads, barriers
//   of the launch      every parameter of the scenario by its name: pad, block_x
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "sim/launch/run.h"
#include "sim/lesson/lesson.h"
#include "sim/scenario/target.h"

namespace warplens::lesson {

using Figures = std::map<std::string, std::int64_t>;

// Of the scenario's parameters and, where `rule` speaks of it, of the view's access and of the whole grid.
// Errors: the run's, or no such block, warp or access, in words.
// `limits` hold for each run of the kernel, which ends with an error there.
Outcome<Figures> figures_for(const std::string& rule, const scenario::Prepared& prepared, const View& view,
                             const sim::Limits& limits = {});

// A rule names a figure of the view's access.
bool speaks_of_access(const std::string& rule);

// The scenario of a view with its values, ready to run on the default GPU; `text`: an edited kernel's.
Outcome<scenario::Prepared> prepare_view(const View& view, const std::string* text = nullptr,
                                         Budget* budget = nullptr);

}  // namespace warplens::lesson
