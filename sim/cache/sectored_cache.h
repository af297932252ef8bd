// A cache of lines of 128 bytes with four sectors each: a line has room as a whole, sectors come one by one.
#pragma once

#include <cstdint>
#include <vector>

namespace warplens::sim {

// Sectors of a line: bit 0 for the first.
using SectorMask = std::uint8_t;

// Sets with the least recently used line thrown out first.
class SectoredCache {
 public:
  explicit SectoredCache(std::uint64_t bytes);

  // Asks for sectors of the line: gives those that are there. All are there afterwards.
  SectorMask ask(std::uint64_t line, SectorMask sectors);
  // The sectors are there no more.
  void drop(std::uint64_t line, SectorMask sectors);
  void drop_all();

 private:
  struct Way {
    std::uint64_t line = kNone;
    std::uint32_t used = 0;
    SectorMask sectors = 0;
  };
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  struct Set {
    Way* begin;
    Way* end;
  };
  Set set_of(std::uint64_t line);

  std::uint64_t lines_ = 0;
  std::vector<Way> ways_;
  std::uint32_t now_ = 0;
};

}  // namespace warplens::sim
