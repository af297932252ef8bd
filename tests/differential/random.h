// Pseudo-random choices that are the same on every machine: a seed names a kernel for good.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace warplens::differential {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  // splitmix64
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // From `low` to `high`, both included.
  int pick(int low, int high) {
    return low + static_cast<int>(next() % (static_cast<std::uint64_t>(high - low) + 1));
  }
  bool chance(int percent) { return pick(1, 100) <= percent; }

  template <class T>
  const T& one_of(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(next() % from.size())];
  }
  std::string one_of(std::initializer_list<const char*> from) {
    return *(from.begin() + static_cast<std::ptrdiff_t>(next() % from.size()));
  }

 private:
  std::uint64_t state_;
};

}  // namespace warplens::differential
