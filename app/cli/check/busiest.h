// Which resource holds a launch up most: by the bounds, and by the counters of Nsight Compute.
//
// Nsight Compute gives the percentages of a short launch over passes that are longer than the launch, each by
// another amount, so that they cannot be held against one another. The counts can: each is divided by the
// peak that Nsight Compute goes by, which follows from the count and the percentage of launches that are
// long.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "kernels/protocol/measurement.h"
#include "sim/report/why.h"

namespace warplens::cli {

// Those that both have, in the order of Shares.
constexpr const char* kCounted[] = {"dram", "l2", "l1", "issue"};
// Of a launch: the time that each needs, in seconds or in shares of one.
using Shares = std::array<double, std::size(kCounted)>;

// The most a second of memory and of L2, the most a cycle of L1's data stage and of instructions issued.
// None where a resource has no launch of at least 0.2 ms that keeps it busy for a hundredth of that.
std::optional<Shares> counted_peaks(const std::vector<measure::Measurement>& measurements);

// `peaks`: of counted_peaks().
Shares counted_seconds(const measure::Measurement& measurement, const Shares& peaks);
// L1's data stage serves shared memory, too: the longer of the two. Atomics, launch and FP32 have no
// counterpart.
Shares bounded_seconds(const std::vector<report::Bound>& bounds);

enum class BusiestMatch : std::uint8_t {
  Same,   // the same resource is the longest
  Tied,   // it is within a tenth of the longest bound: both are named, see report::tied()
  Close,  // the longest bound's resource is within a tenth of it, by the counters
  Other,
  Idle  // neither has one busy for a tenth of the time: which comes first says nothing
};
BusiestMatch match(const Shares& counted, const Shares& bounded, double measured_seconds);
const char* longest_of(const Shares& shares);  // of kCounted

}  // namespace warplens::cli
