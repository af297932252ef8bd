#include "kernels/gpu/output_check.h"
#include "sim/count/compare_values.h"

namespace warplens::gpu {

void compare_elements(const std::vector<std::byte>& expected, const std::vector<std::byte>& got,
                      sim::ScalarType type, std::uint64_t count, int scalars_each, double tolerance,
                      measure::OutputResult& result, double margin) {
  const sim::ValueDifference difference =
      sim::compare_values(expected, got, type, scalars_each, count, tolerance, margin);
  result.compared += difference.compared;
  if (difference.differing != 0 && result.differing == 0) {
    result.element = difference.element;
    result.expected = difference.expected;
    result.got = difference.got;
  }
  result.differing += difference.differing;
}

}  // namespace warplens::gpu
