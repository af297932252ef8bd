// The figures that a lesson's rules use, by name, computed by the simulator.
//
//   of an access       requests sectors ideal_sectors lines wavefronts ideal_wavefronts bank_conflicts
//                      active_lanes bytes, bank_0 ... bank_31 (of each active lane's first word, shared
//                      memory) and step_0 ... step_31 (bytes from lane 0's address to each active lane's);
//                      sectors_first, sectors_of_warp, sectors_of_block: of its sectors, by who touched them
//                      before (sector_origins.h)
//   of the whole grid  SPACE_OP_FIELD as in a report: shared_load_bank_conflicts, global_store_sectors;
//                      global_OP_distinct_sectors; blocks, threads, barriers
//   of the launch      every parameter of the scenario by its name: pad, block_x
//   beside_NAME        any of them, of the launch that the view has beside it
//
// The figures of what a launch's accesses come to: caches, bytes on their way, least times.
//
//   caches (modelled)  l1_hit_percent (1 - sectors that L1 asks of L2 / sectors loaded), l2_read_sectors,
//                      dram_read_bytes, dram_write_bytes
//   in flight          multiprocessors, resident_blocks and resident_warps (of one of them),
//                      in_flight_warps and in_flight_bytes (of the GPU, at most; in_flight.h)
//   least times        least_RESOURCE_ns by the names of bounds.h (0: nothing is asked of it, or its count or
//                      peak is not known), least_ns: the longest
//   measured           recorded_ns: the median with empty caches
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "sim/launch/run.h"
#include "sim/lesson/lesson.h"
#include "sim/memory/access.h"
#include "sim/report/why.h"
#include "sim/scenario/target.h"

namespace warplens::lesson {

using Figures = std::map<std::string, std::int64_t>;

// What was measured for a view's launch, as written and with empty caches, and for its GPU.
struct Recorded {
  std::optional<double> seconds;
  std::optional<int> registers;    // of a thread
  report::CounterValues counters;  // of memory and caches among them, or none at all
  std::optional<report::Peaks> peaks;
};
// Empty: nothing is recorded, and rules that use it are errors.
using RecordedOf = std::function<Recorded(const View&)>;

// The means of computing figures: `limits` apply to each run of the kernel, which ends with an error there.
struct Means {
  Means() = default;
  Means(sim::Limits of) : limits(of) {}  // NOLINT: limits alone will do for most
  Means(sim::Limits of, RecordedOf what) : limits(of), recorded(std::move(what)) {}
  sim::Limits limits;
  RecordedOf recorded;
};

// The scenario's parameters and, if `rule` (or one of several rules) mentions them, the other figures.
// Throws scenario::Refused: the run's error, or no such block, warp or access, or nothing recorded, in words.
Figures figures_for(const std::string& rule, const scenario::Prepared& prepared, const View& view,
                    const Means& means = {});

// The lanes that ask for each place that can be marked; empty if the access reaches beyond these places.
std::optional<std::array<memory::LaneMask, kDrawnPlaces>> lanes_at_places(const memory::WarpAccess& access,
                                                                          Draw draw);
// The places with a lane, a bit each. Throws scenario::Refused.
std::int64_t drawn_answer(Draw draw, const scenario::Prepared& prepared, const View& view,
                          const sim::Limits& limits);

// Every name in a rule.
std::vector<std::string> words_in(const std::string& rule);  // in their order, as often as they stand there
std::set<std::string> names_in(const std::string& rule);
// A rule names a figure of the view's access.
bool speaks_of_access(const std::string& rule);
// ... or one that depends on measurements: a time, or the least time of a resource.
bool speaks_of_times(const std::string& rule);
// ... or any of what a launch comes to, which measured registers or counters may change.
bool speaks_of_resources(const std::string& rule);
// Any rule of the lesson is about times.
bool needs_recorded(const Lesson& lesson);
// The rules in the step's question and in its texts.
std::vector<std::string> rules_of(const Step& step);

// The scenario of a view with its values, ready to run on the default GPU; `text`: an edited kernel's.
Outcome<scenario::Prepared> prepare_view(const View& view, const std::string* text = nullptr,
                                         Budget* budget = nullptr);

}  // namespace warplens::lesson
