#pragma once

#include <utility>

namespace warplens {

// Gives a variable another value for as long as it lives.
template <class T>
class Within {
 public:
  Within(T& variable, T value) : variable_(variable), outer_(std::exchange(variable, std::move(value))) {}
  ~Within() { variable_ = std::move(outer_); }
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;

 private:
  T& variable_;
  T outer_;
};

}  // namespace warplens
