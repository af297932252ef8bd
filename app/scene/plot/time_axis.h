// The axis under bars of time: what a measurement is in a unit, and where that ends.
//
//   linear        0 ├────────────────────┤ the most
//   logarithmic   a decade ├──────┼──────┤ the most, where the most is over 20 times the least
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "app/scene/views.h"

namespace warplens::scene {

constexpr double kMostLinear = 20;

// What `seconds` is in the unit; 0 where the bar lacks what that takes.
double in_unit(const TimeBar& bar, double seconds, TimeUnit unit);
// "17.6 µs", "3,812 GB/s", "92.4 %"
std::string amount_text(double amount, TimeUnit unit);

class TimeAxis {
 public:
  // All but values that are 0 or no number; none: nothing is measured.
  void include(double amount);
  bool empty() const { return most_ <= 0; }
  bool is_logarithmic() const { return most_ > kMostLinear * least_; }
  double part_of(double amount) const;  // of the width, 0 to 1
  std::vector<double> decades() const;  // of a logarithmic axis, from its left end on

 private:
  double from() const;
  double least_ = 0, most_ = 0;
};

}  // namespace warplens::scene
