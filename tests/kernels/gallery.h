// The gallery's scenarios, from file to simulated result, for the tests of this folder.
#pragma once

#include <cstdint>
#include <cstring>
#include <ostream>
#include <string>
#include <vector>

#include "sim/count/totals.h"
#include "sim/lower/lower.h"
#include "sim/scenario/scenario.h"

namespace warplens::test {

struct Case {
  std::string scenario;
  scenario::ParameterValues values;  // those left out take their defaults
};
std::ostream& operator<<(std::ostream& out, const Case& c);

const std::vector<scenario::Scenario>& gallery();
const scenario::Scenario& find_scenario(
    const std::string& name);  // throws std::runtime_error: none of that name

// Throws std::runtime_error with the message where a scenario, compilation or launch fails.
scenario::Setup setup(const Case& c);
sim::Program compile(const scenario::Setup& setup);

// What a kernel asks of one space with one kind of operation, over the whole grid.
struct Counts {
  std::uint64_t requests = 0, bytes = 0;
  std::uint64_t sectors = 0, lines = 0;              // global
  std::uint64_t wavefronts = 0, bank_conflicts = 0;  // shared
};

struct KernelCounts {
  Counts global_load, global_store, shared_load, shared_store;
};

KernelCounts simulated_counts(const Case& c);
KernelCounts sum_sites(const sim::Program& program, const sim::Totals& totals);

template <typename T>
std::vector<T> as(const std::vector<std::uint8_t>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

// Every scenario's name. Asked for while tests are registered, where an exception would end the program: a
// gallery that cannot be read is one name that no scenario has, and fails in a test.
std::vector<std::string> all_names();

// A scenario at small, odd sizes, or the nearest that its requirements allow.
Case small_case(const std::string& scenario);
// That, and once more for each choice of each parameter, and for the ends of its range and values between,
// as far as the launch can be made.
std::vector<Case> parameter_sweep(const std::string& scenario);

}  // namespace warplens::test
