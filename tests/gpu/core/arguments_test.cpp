// What is handed to a kernel: scalars as the bits of their type in memory; buffers filled to their end.
#include "kernels/gpu/arguments.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace warplens::gpu {
namespace {

using measure::BufferArgument;
using sim::ScalarType;

TEST(ScalarBits, AreThoseOfMemory) {
  EXPECT_EQ(scalar_bits({"x", ScalarType::F16, -1.0}), 0xbc00u);
  EXPECT_EQ(scalar_bits({"x", ScalarType::F32, std::int64_t{1}}), 0x3f800000u);
  EXPECT_EQ(scalar_bits({"x", ScalarType::Bool, std::int64_t{1}}), 1u);
  EXPECT_THROW(scalar_bits({"x", ScalarType::F16, 70000.0}), measure::FailureError);
}

TEST(FilledBytes, AreTheDataWithZerosBehind) {
  BufferArgument buffer{3, 2, sim::Fill::Zero, false};
  buffer.data = std::make_shared<const std::string>("abcd");
  buffer.data_hash = measure::hash_data(buffer.data);
  const auto all = filled_bytes({"a", ScalarType::I16, buffer});
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(all.data()), all.size()), std::string("abcd\0\0", 6));
  buffer.elements = 1;
  EXPECT_EQ(filled_bytes({"a", ScalarType::I16, buffer}).size(), 2u);
}

// Large enough that several threads fill it.
TEST(FilledBytes, AreTheSimulatorsToTheLastElement) {
  constexpr std::uint64_t kElements = 1000003;
  for (const std::optional<sim::FillRange> range :
       {std::optional<sim::FillRange>{}, {sim::FillRange{3, 90}}}) {
    const auto all =
        filled_bytes({"a", ScalarType::I32, BufferArgument{kElements, 4, sim::Fill::Random, false, range}});
    ASSERT_EQ(all.size(), 4 * kElements);
    for (std::uint64_t i = 0; i < kElements; ++i) {
      std::uint32_t got = 0;
      std::memcpy(&got, all.data() + 4 * i, sizeof got);
      ASSERT_EQ(got, sim::fill_element(sim::Fill::Random, ScalarType::I32, i, kElements, range)) << i;
    }
  }
}

}  // namespace
}  // namespace warplens::gpu
