#include "app/language/percent.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace warplens::language {

std::string percent(double part) {
  double value = std::round(10000 * part) / 100;
  if (part > 0 && part < 1) value = std::clamp(value, 0.01, 99.99);
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.2f", value);
  std::string text = digits;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace warplens::language
