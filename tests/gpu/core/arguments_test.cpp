// What is handed to a kernel: scalars as the bits of their type, or refused; buffers filled to their end.
#include "kernels/gpu/arguments.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace warplens::gpu {
namespace {

using measure::BufferArgument;
using sim::ScalarType;

struct Ends {
  ScalarType type;
  std::int64_t least, most;
};

TEST(ScalarBits, IntegersFromTheLeastToTheGreatestOfTheirType) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const Ends ends[] = {{ScalarType::Bool, 0, 1},        {ScalarType::I8, -128, 127},
                       {ScalarType::U8, 0, 255},        {ScalarType::I16, -32768, 32767},
                       {ScalarType::U16, 0, 65535},     {ScalarType::I32, -2147483648, 2147483647},
                       {ScalarType::U32, 0, 4294967295}};
  const auto bits = [](ScalarType type, auto value) { return scalar_bits({"x", type, value}); };
  for (const Ends& e : ends) {
    const std::uint64_t mask = (std::uint64_t{1} << (8 * sim::size_of(e.type))) - 1;
    EXPECT_EQ(bits(e.type, e.least) & mask, static_cast<std::uint64_t>(e.least) & mask);
    EXPECT_EQ(bits(e.type, e.most) & mask, static_cast<std::uint64_t>(e.most) & mask);
    EXPECT_EQ(bits(e.type, static_cast<double>(e.most)) & mask, static_cast<std::uint64_t>(e.most) & mask);
    EXPECT_THROW(bits(e.type, e.least - 1), measure::FailureError) << sim::name_of(e.type);
    EXPECT_THROW(bits(e.type, e.most + 1), measure::FailureError) << sim::name_of(e.type);
    EXPECT_THROW(bits(e.type, 0.5), measure::FailureError) << sim::name_of(e.type);
  }
  EXPECT_EQ(bits(ScalarType::I64, std::int64_t{-1}), ~std::uint64_t{0});
  EXPECT_EQ(bits(ScalarType::U64, kMost), static_cast<std::uint64_t>(kMost));
  EXPECT_THROW(bits(ScalarType::U64, std::int64_t{-1}), measure::FailureError);
  EXPECT_THROW(bits(ScalarType::I64, 0x1p63), measure::FailureError);
}

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
TEST(FilledBytes, AreFilledToTheLastElement) {
  constexpr std::uint64_t kElements = 1000003;
  const auto all = filled_bytes({"a", ScalarType::I32, BufferArgument{kElements, 4, sim::Fill::Iota, false}});
  ASSERT_EQ(all.size(), 4 * kElements);
  for (std::uint64_t i = 0; i < kElements; ++i) {
    std::uint32_t got = 0;
    std::memcpy(&got, all.data() + 4 * i, sizeof got);
    ASSERT_EQ(got, i);
  }
}

}  // namespace
}  // namespace warplens::gpu
