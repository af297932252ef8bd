#include "sim/profile/ncu_number.h"

#include <gtest/gtest.h>

namespace warplens::profile {
namespace {

double value(std::string_view text, Decimal decimal = Decimal::Point) {
  const auto number = read_number(text, decimal);
  return number ? number->value : -1;
}

TEST(NcuNumber, AsEnglishLocalesWriteThem) {
  EXPECT_EQ(value("16,012,462"), 16012462);
  EXPECT_EQ(value("4194304"), 4194304);
  EXPECT_EQ(value("1,234.50"), 1234.5);
  EXPECT_EQ(value("-3"), -3);
  EXPECT_EQ(value("1.1747E+07"), 11747000);
  EXPECT_EQ(value("15 (7; 8)"), 15) << "a metric's instances stand behind its sum";
}

TEST(NcuNumber, AsOthersDo) {
  EXPECT_EQ(value("16.012.462", Decimal::Comma), 16012462);
  EXPECT_EQ(value("9,25", Decimal::Comma), 9.25);
  EXPECT_EQ(value("4\u202f194\u202f304,5", Decimal::Comma), 4194304.5);
  EXPECT_EQ(value("4'194'304.5"), 4194304.5);
}

TEST(NcuNumber, WhatIsNoNumber) {
  for (const char* text : {"", "n/a", "nan", "inf", "(!) nan", "12,34", "1,2345", ",5,", "-", "0x10", "1e",
                           "1.2.3", "CachePreferNone", "1e999", "12 apples", ","})
    EXPECT_FALSE(read_number(text, Decimal::Point)) << text;
}

TEST(NcuNumber, WhatRoundingMayHide) {
  EXPECT_EQ(read_number("8.39", Decimal::Point)->resolution, 0.005);
  EXPECT_EQ(read_number("8,390", Decimal::Point)->resolution, 0);
  EXPECT_DOUBLE_EQ(read_number("1.17E+07", Decimal::Point)->resolution, 5e4);
}

TEST(NcuNumber, TheMarkOfDecimalsWhereItCanBeTold) {
  EXPECT_EQ(decimal_of("9,00"), Decimal::Comma);
  EXPECT_EQ(decimal_of("9.00"), Decimal::Point);
  EXPECT_EQ(decimal_of("1.234,5"), Decimal::Comma);
  EXPECT_EQ(decimal_of("4,194,304"), Decimal::Point);
  EXPECT_EQ(decimal_of("4.194.304"), Decimal::Comma);
  EXPECT_EQ(decimal_of("0,123"), Decimal::Comma);
  EXPECT_EQ(decimal_of("1,234"), std::nullopt);
  EXPECT_EQ(decimal_of("1234"), std::nullopt);
}

TEST(NcuNumber, Units) {
  EXPECT_EQ(base_unit("Kbyte").scale, 1e3);
  EXPECT_EQ(base_unit("Kbyte").base, "byte");
  EXPECT_EQ(base_unit("Kbyte/block").base, "byte/block");
  EXPECT_EQ(base_unit("Gbyte/s").base, "byte/second");
  EXPECT_EQ(base_unit("Gbyte/s").scale, 1e9);
  EXPECT_DOUBLE_EQ(base_unit("cycle/nsecond").scale, 1e9);
  EXPECT_EQ(base_unit("usecond").base, "second");
  EXPECT_EQ(base_unit("%").base, "%");
  EXPECT_EQ(base_unit("sector/request").base, "sector/request");
}

}  // namespace
}  // namespace warplens::profile
