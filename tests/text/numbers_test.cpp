#include "sim/base/numbers.h"

#include <gtest/gtest.h>

namespace warplens {
namespace {

TEST(Numbers, AreWrittenAsTheyAreRead) {
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(-2097152), "-2,097,152");
  EXPECT_EQ(grouped(~std::uint64_t{0}), "18,446,744,073,709,551,615");
  EXPECT_EQ(grouped_text("1234.50"), "1,234.50");
  EXPECT_EQ(three_figures(9.994), "9.99");
  EXPECT_EQ(three_figures(9.996), "10.0");
  EXPECT_EQ(without_zeros("2.50"), "2.5");
  EXPECT_EQ(without_zeros("20"), "20");
  EXPECT_EQ(with_prefix(1.5e6), "1.50 M");
  EXPECT_EQ(short_count(9'999), "9,999");
  EXPECT_EQ(short_count(999'950), "1.00 M");
  EXPECT_EQ(seconds_text(1.2345e-5), "12.3 µs");
  EXPECT_EQ(seconds_text(0), "0.00 ns");
  EXPECT_EQ(volume(469'762'048), "469.8 MB");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(16 << 20), "16.0 MiB");
  EXPECT_EQ(percent(0.0625), "6.25");
  EXPECT_EQ(percent(1), "100");
  EXPECT_EQ(percent(0.999999), "99.99");
  EXPECT_EQ(percent(0.000001), "0.01");
  EXPECT_EQ(percent(0), "0");
  EXPECT_EQ(hexadecimal(0x1f, 4), "001f");
  EXPECT_EQ(ratio(3, 2), "1.50");
  EXPECT_EQ(ratio(1, 0), "-");
}

TEST(Numbers, AreReadWhole) {
  EXPECT_EQ(number_in<int>("-12"), -12);
  EXPECT_EQ(number_in<std::uint64_t>("ff", 16), 255u);
  EXPECT_EQ(number_in<double>("1.5"), 1.5);
  for (const char* none : {"", " 1", "1 ", "+1", "0x1", "99999999999"})
    EXPECT_FALSE(number_in<int>(none)) << none;
}

}  // namespace
}  // namespace warplens
