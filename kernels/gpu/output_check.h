// Is what the GPU wrote what it should have written? Judged on the host, by the simulator's arithmetic, with
// no GPU in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "kernels/gpu/watch.h"
#include "kernels/protocol/expected_rule.h"
#include "kernels/protocol/protocol.h"
#include "sim/launch/launch.h"
#include "sim/lower/lower.h"

namespace warplens::gpu {

// Reads a buffer back from the GPU by its parameter's name.
using ReadBack = std::function<std::vector<std::byte>(const std::string&)>;

// With a rule (OutputCheck), its expected values are computed by small kernels in the simulator. Without,
// the kernel itself is simulated where that ends soon enough, and every buffer that it can write is compared.
measure::OutputResult check_output(const measure::MeasureRequest& request, const ReadBack& read_back,
                                   const Watch& watch);

// Adds what sim::compare_values finds: elements that were not read back differ.
void compare_elements(std::span<const std::byte> expected, const std::vector<std::byte>& got,
                      sim::ScalarType type, std::uint64_t count, int scalars_each, double tolerance,
                      measure::OutputResult& result, double margin = 0);

// A kernel run on the host, for values that a GPU's are held against.

// One entry of `buffers` a parameter. `problem`: why there is none, in words.
struct Simulated {
  std::vector<std::vector<std::uint8_t>> buffers;
  std::string problem;
};

// Runs no longer than `seconds`, and no longer than the watch allows.
Simulated simulate(const sim::CompileRequest& compile, const sim::Launch& launch, const Watch& watch,
                   double seconds);

// What is asked for over and over, as by the rungs of a ladder, which fill and expect alike. Where it grows
// too large all of it is forgotten.
using RememberedBytes = std::map<std::string, std::vector<std::byte>>;
const std::vector<std::byte>& remember(RememberedBytes& remembered, const std::string& key,
                                       std::vector<std::byte> bytes);

// What a rule (OutputCheck) expects in a buffer, worked out by small kernels in the simulator: one for each
// step before, and one for the values themselves.
struct Expected {
  const std::vector<std::byte>* bytes = nullptr;  // kept until other rules are asked for
  std::uint64_t elements = 0;                     // of which so many are to be compared
  std::string problem;                            // why there are none, in words
};
// `target`: the argument that the rule's buffer is.
Expected expected_values(const measure::MeasureRequest& request, const measure::KernelArgument& target,
                         const Watch& watch);

}  // namespace warplens::gpu
