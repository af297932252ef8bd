#include "sim/cache/sectored_cache.h"

#include <algorithm>

#include "sim/memory/gpu_model.h"

namespace warplens::sim {

namespace {

// Swept over and over by one warp, an H200's L1 of 224 KiB keeps all of 216 KiB, loses a fifth of 224, nine
// tenths of 256: as sets of a few lines lose what is too much for them, and not as one list does, which would
// lose all at once.
constexpr std::uint64_t kSets = 256;

}  // namespace

SectoredCache::SectoredCache(std::uint64_t bytes)
    : lines_(std::max<std::uint64_t>(bytes / memory::GpuModel::line_bytes, kSets)), ways_(lines_) {}

// Where the lines are no multiple of the sets, some sets have one more.
SectoredCache::Set SectoredCache::set_of(std::uint64_t line) {
  const std::uint64_t set = (line ^ line / kSets) % kSets;
  return {ways_.data() + lines_ * set / kSets, ways_.data() + lines_ * (set + 1) / kSets};
}

SectorMask SectoredCache::ask(std::uint64_t line, SectorMask sectors) {
  const Set set = set_of(line);
  Way* oldest = set.begin;
  for (Way* way = set.begin; way != set.end; ++way) {
    if (way->line == line) {
      const SectorMask there = way->sectors & sectors;
      way->sectors |= sectors;
      way->used = ++now_;
      return there;
    }
    if (way->used < oldest->used) oldest = way;
  }
  *oldest = {line, ++now_, sectors};
  return 0;
}

void SectoredCache::drop(std::uint64_t line, SectorMask sectors) {
  const Set set = set_of(line);
  for (Way* way = set.begin; way != set.end; ++way)
    if (way->line == line) way->sectors &= static_cast<SectorMask>(~sectors);
}

void SectoredCache::drop_all() {
  for (Way& way : ways_) way = {};
}

}  // namespace warplens::sim
