// Numbers and units as ncu prints them: "4,194,304", "16.38" Kbyte, and in other locales "4.194.304",
// "16,38".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warplens::profile {

enum class Decimal : unsigned char { Point, Comma };

// How a text writes its decimals, where that can be told from it alone: "1,5" and "4.194.304" can, "1,234"
// cannot.
std::optional<Decimal> decimal_of(std::string_view text);

struct Number {
  double value = 0;
  double resolution = 0;  // half a unit of the last digit that is written; 0: a whole number
};
// Nothing: no number ("n/a", "nan", words). What stands behind a number in brackets (the values of a metric's
// instances) is passed over.
std::optional<Number> read_number(std::string_view text, Decimal decimal);

// "Kbyte" is 1000 "byte", "usecond" 1e-6 "second", "Mbyte/s" 1e6 "byte/second". What is not known stays as it
// is.
struct Unit {
  double scale = 1;
  std::string base;
};
Unit base_unit(std::string_view unit);

}  // namespace warplens::profile
