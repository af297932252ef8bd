// Shapes of accesses: the lanes' addresses relative to a base, each kept once, 128 bytes a shape (256 for the
// rare one whose lanes are more than 2 GiB apart).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/memory/access.h"

namespace warplens::warp {

class LanePatterns {
 public:
  using Pattern = std::array<std::int64_t, memory::kWarpLanes>;

  // The number of a pattern, which is added if it is new.
  std::uint32_t intern(const Pattern& pattern);
  bool is(std::uint32_t number, const Pattern& pattern) const;
  std::int64_t at(std::uint32_t number, std::size_t lane) const {
    return is_wide(number) ? wide_[number & ~kWide][lane] : narrow_[number][lane];
  }
  // patterns[number][lane]
  struct Row {
    const LanePatterns* patterns;
    std::uint32_t number;
    std::int64_t operator[](std::size_t lane) const { return patterns->at(number, lane); }
  };
  Row operator[](std::uint32_t number) const { return {this, number}; }
  std::size_t size() const { return narrow_.size() + wide_.size(); }
  std::size_t bytes() const;
  // No more will be added: gives the memory of the look-up back.
  void close();

 private:
  static constexpr std::uint32_t kWide = 0x80000000u, kEmpty = 0xffffffffu;
  static bool is_wide(std::uint32_t number) { return (number & kWide) != 0; }
  std::size_t slot_of(const Pattern& pattern) const;  // where it is, or an empty one
  void grow();

  std::vector<std::array<std::int32_t, memory::kWarpLanes>> narrow_;
  std::vector<Pattern> wide_;
  std::vector<std::uint32_t> slots_;  // a power of two of them, numbers
};

}  // namespace warplens::warp
