// What the simulated kernels leave in `out`, against plain C++.
#include <gtest/gtest.h>

#include <cstddef>

#include "tests/kernels/gallery.h"

namespace warplens::test {
namespace {

class Outputs : public testing::TestWithParam<std::string> {};

// The bytes of a buffer whose scalars of type T count up from 0.
template <typename T>
std::vector<std::uint8_t> counting_bytes(std::size_t bytes) {
  std::vector<T> values(bytes / sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(i);
  std::vector<std::uint8_t> result(bytes);
  std::memcpy(result.data(), values.data(), bytes);
  return result;
}

std::vector<std::uint8_t> counting_elements(std::size_t element, std::size_t count) {
  switch (element) {
    case 1:
      return counting_bytes<std::uint8_t>(count);
    case 2:
      return counting_bytes<std::uint16_t>(2 * count);
    case 8:
      return counting_bytes<double>(8 * count);
    default:
      return counting_bytes<float>(element * count);  // float, and the four of a float4
  }
}

std::int64_t value_or(const Case& c, const char* name, std::int64_t otherwise) {
  auto found = c.values.find(name);
  return found == c.values.end() ? otherwise : found->second;
}

void expect_copied(const Case& c) {
  auto n = static_cast<std::size_t>(c.values.at("n")),
       element = static_cast<std::size_t>(c.values.at("element"));
  auto offset = static_cast<std::size_t>(value_or(c, "offset", c.scenario == "copy_offset" ? 1 : 0));
  auto stride = static_cast<std::size_t>(value_or(c, "stride", 1));
  std::vector<std::uint8_t> in = counting_elements(element, (n - 1) * stride + 1 + offset);
  std::vector<std::uint8_t> expected(n * element);
  for (std::size_t i = 0; i < n; ++i)
    std::memcpy(&expected[i * element], &in[(i * stride + offset) * element], element);
  EXPECT_EQ(simulated_buffer(c, "out"), expected);
}

void expect_matrix(const Case& c) {
  auto rows = static_cast<std::size_t>(c.values.at("nrows")),
       cols = static_cast<std::size_t>(c.values.at("ncols"));
  bool turned = c.scenario.starts_with("transpose");
  std::vector<float> expected(rows * cols);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t col = 0; col < cols; ++col)
      expected[turned ? col * rows + row : row * cols + col] = static_cast<float>(row * cols + col);
  }
  EXPECT_EQ(as<float>(simulated_buffer(c, "out")), expected);
}

TEST_P(Outputs, EqualPlainCpp) {
  for (const Case& c : small_cases(GetParam())) {
    SCOPED_TRACE(testing::PrintToString(c));
    c.values.contains("n") ? expect_copied(c) : expect_matrix(c);
    if (HasFailure()) return;  // the first case says enough
  }
}

INSTANTIATE_TEST_SUITE_P(Small, Outputs, testing::ValuesIn(modelled_scenarios()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace warplens::test
