// Is what the GPU wrote what it should have written? Judged on the host, by the simulator's arithmetic, with
// no GPU in it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "kernels/gpu/watch.h"
#include "kernels/protocol/protocol.h"

namespace warplens::gpu {

// Reads a buffer back from the GPU by its parameter's name.
using ReadBack = std::function<std::vector<std::byte>(const std::string&)>;

// With a rule (OutputCheck), its expected values are computed by small kernels in the simulator. Without,
// the kernel itself is simulated where that ends soon enough, and every buffer that it can write is compared.
measure::OutputResult check_output(const measure::MeasureRequest& request, const ReadBack& read_back,
                                   const Watch& watch);

// Adds what sim::compare_values finds: elements that were not read back differ.
void compare_elements(const std::vector<std::byte>& expected, const std::vector<std::byte>& got,
                      sim::ScalarType type, std::uint64_t count, int scalars_each, double tolerance,
                      measure::OutputResult& result, double margin = 0);

}  // namespace warplens::gpu
