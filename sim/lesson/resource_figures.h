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

#include <set>
#include <string>

#include "sim/lesson/figures.h"

namespace warplens::lesson {

Message words_of(const sim::RunError& error);

bool is_of_resources(const std::string& name);
// Adds those of them that `names` has.
Outcome<bool> add_resources(const std::set<std::string>& names, const scenario::Prepared& prepared,
                            const View& view, const Means& means, Figures& figures);

}  // namespace warplens::lesson
