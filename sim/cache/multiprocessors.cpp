#include "sim/cache/multiprocessors.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "sim/memory/coalescing.h"
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

namespace {

constexpr std::uint64_t kSectorBytes = memory::GpuModel::sector_bytes;

// The access's sectors, each once, in the order of the lanes; through the texture path once a group of lanes.
void add_sectors(const GlobalAccess& access, bool texture, std::vector<std::uint64_t>& sectors) {
  const int together = texture ? memory::texture_group_lanes(access.step->bytes) : memory::kWarpLanes;
  auto first = static_cast<std::ptrdiff_t>(sectors.size());
  int group = 0;
  for (LaneMask rest = access.mask; rest != 0; rest &= rest - 1) {
    if (std::exchange(group, std::countr_zero(rest) / together) != std::countr_zero(rest) / together)
      first = static_cast<std::ptrdiff_t>(sectors.size());
    const std::uint64_t begin = access.at[std::countr_zero(rest)];
    const std::uint64_t last = (begin + static_cast<std::uint64_t>(access.step->bytes) - 1) / kSectorBytes;
    for (std::uint64_t sector = begin / kSectorBytes; sector <= last; ++sector) {
      if (static_cast<std::ptrdiff_t>(sectors.size()) > first && sectors.back() == sector) continue;
      if (std::find(sectors.begin() + first, sectors.end(), sector) == sectors.end())
        sectors.push_back(sector);
    }
  }
}

BlockStream stream_of(const std::vector<GlobalAccess>& accesses, const Program& program, int warps,
                      HeldMemory& held) {
  BlockStream stream;
  stream.warps.resize(static_cast<std::size_t>(warps));
  for (const GlobalAccess& access : accesses) {
    StreamRequest request;
    request.first = static_cast<std::uint32_t>(stream.sectors.size());
    request.op = access.step->op;
    request.phase = access.phase;
    request.grid_waits = access.grid_waits;
    const std::int32_t site = access.step->site;
    const bool texture = site >= 0 && program.sites[site].form == AccessForm::Texture;
    add_sectors(access, texture, stream.sectors);
    request.sectors = static_cast<std::uint8_t>(stream.sectors.size() - request.first);
    stream.warps[access.warp].push_back(request);
    ++stream.requests;
  }
  held.need(stream.requests * sizeof(StreamRequest) + stream.sectors.size() * sizeof(std::uint64_t),
            Stage::Counting);
  return stream;
}

// Sectors from `from` to `to`, the same access of two blocks; nothing where its lanes do not move alike, by
// whole sectors.
std::optional<std::int64_t> moved(const GlobalAccess& from, const GlobalAccess& to) {
  if (from.mask != to.mask || from.step != to.step || from.warp != to.warp) return std::nullopt;
  std::optional<std::int64_t> by;
  for (LaneMask rest = from.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    const auto bytes = static_cast<std::int64_t>(to.at[lane] - from.at[lane]);
    if (by && *by != bytes) return std::nullopt;
    by = bytes;
  }
  const auto sector = static_cast<std::int64_t>(kSectorBytes);
  return by && *by % sector == 0 ? std::optional(*by / sector) : std::nullopt;
}

}  // namespace

BlockStreams::BlockStreams(BlockAccesses& blocks, Dim3 grid, std::vector<BlockCell> classes, Budget& budget)
    : blocks_(blocks), grid_(grid), classes_(std::move(classes)), held_(budget) {}

std::optional<BlockStreams::Place> BlockStreams::place_of(Dim3 index) const {
  const std::int64_t at[] = {index.x, index.y, index.z};
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    Place place{i, {}};
    bool inside = true;
    for (std::size_t d = 0; d < 3 && inside; ++d) {
      const Progression& side = classes_[i].side[d];
      const std::int64_t offset = at[d] - side.first;
      place.steps[d] = side.step == 0 ? 0 : offset / side.step;
      inside = offset == place.steps[d] * side.step && place.steps[d] >= 0 && place.steps[d] < side.count;
    }
    if (inside) return place;
  }
  return std::nullopt;
}

std::shared_ptr<const BlockStream> BlockStreams::run(Dim3 index) {
  const std::vector<GlobalAccess>* accesses = blocks_.run(index);
  if (accesses == nullptr) return nullptr;
  return std::make_shared<const BlockStream>(
      stream_of(*accesses, *blocks_.bound().program, blocks_.bound().warps, held_));
}

// The first block of the class and its neighbours, which say how far each request moves. Null: they do not
// move alike.
std::shared_ptr<const BlockStream> BlockStreams::run_class(const BlockCell& cell) {
  const std::vector<GlobalAccess>* accesses = blocks_.run(cell.at(0));
  if (accesses == nullptr) return nullptr;
  HeldMemory held(held_.budget());
  held.need(accesses->size() * sizeof(GlobalAccess), Stage::Counting);
  const std::vector<GlobalAccess> first = *accesses;
  BlockStream stream = stream_of(first, *blocks_.bound().program, blocks_.bound().warps, held_);
  std::uint64_t step = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    const auto count = static_cast<std::uint64_t>(cell.side[d].count);
    if (count > 1) {
      accesses = blocks_.run(cell.at(step));
      if (accesses == nullptr || accesses->size() != first.size()) return nullptr;
      std::vector<std::size_t> next(stream.warps.size());
      for (std::size_t i = 0; i < first.size(); ++i) {
        const auto by = moved(first[i], (*accesses)[i]);
        if (!by) return nullptr;
        stream.warps[first[i].warp][next[first[i].warp]++].slope[d] = *by;
      }
    }
    step *= count;
  }
  return std::make_shared<const BlockStream>(std::move(stream));
}

MovedStream BlockStreams::of(std::uint64_t number) {
  const Dim3 index = grid_.at(number);
  if (const auto place = place_of(index); place && classes_[place->cell].count() > 4) {
    auto [found, added] = of_class_.try_emplace(place->cell);
    if (added) found->second = run_class(classes_[place->cell]);
    if (found->second != nullptr) return {found->second, place->steps};
  }
  return {run(index), {}};
}

namespace {

constexpr std::uint64_t kSectorsOfLine = 4;
// A pair of sectors comes from memory while L1 looks up so many lines; whoever asks for the other sector
// sooner waits, and L2 calls that a miss too. Measured on an H200: columns read by blocks of 8, 16 and 32
// rows (16, 64 and 256 lines between the two sectors) find hardly any, half and all of the second sectors.
constexpr std::uint64_t kFetchTime = 64;
// Neighbours that ask for a sector within so much time of each other may be given one answer.
constexpr std::uint64_t kSharedTime = 256;
// A warp makes so many loads, one after another, before it waits for them and others have their turn: loads
// that stand together are sent together, as a kernel that copies two words a thread shows on an H200.
constexpr int kLoadsATurn = 4;
// What is remembered of a line and its two pairs of sectors, with what a table takes around it.
constexpr std::uint64_t kBytesALine = 192, kLinesAtOnce = 1024;

}  // namespace

Multiprocessors::Multiprocessors(std::uint64_t l1_bytes, int blocks_at_once,
                                 std::vector<std::vector<std::uint64_t>> numbers, BlockStreams& streams,
                                 Budget& budget)
    : blocks_at_once_(blocks_at_once), streams_(streams), pace_(budget, Stage::Counting), held_(budget) {
  for (std::vector<std::uint64_t>& queue : numbers) {
    std::ranges::reverse(queue);
    multiprocessors_.push_back({SectoredCache(l1_bytes), std::move(queue), {}, 0, 0, 0, 0});
  }
}

bool Multiprocessors::admit(Multiprocessor& at) {
  while (!at.queue.empty() && at.residents.size() < static_cast<std::size_t>(blocks_at_once_)) {
    Resident resident{streams_.of(at.queue.back()), {}, 0};
    if (resident.requests.stream == nullptr) return false;
    at.queue.pop_back();
    ++traffic_.blocks;
    resident.next.resize(resident.requests.stream->warps.size());
    at.residents.push_back(std::move(resident));
  }
  return true;
}

// Whether the warp has a request to make before the barrier at which its block waits.
bool Multiprocessors::is_next(Resident& resident, std::size_t warp) {
  const std::vector<StreamRequest>& requests = resident.requests.stream->warps[warp];
  return resident.next[warp] < requests.size() && requests[resident.next[warp]].phase <= resident.phase;
}

void Multiprocessors::make_requests(Multiprocessor& at, Resident& resident, std::size_t warp) {
  const std::vector<StreamRequest>& requests = resident.requests.stream->warps[warp];
  for (int made = 0; made < kLoadsATurn && is_next(resident, warp); ++made) {
    const StreamRequest& request = requests[resident.next[warp]];
    if (!memory::only_reads(request.op) && made > 0) return;
    ++resident.next[warp];
    make(at, resident, request);
    if (!memory::only_reads(request.op)) return;
  }
}

const StreamRequest* Multiprocessors::Resident::least() const {
  const StreamRequest* least = nullptr;
  for (std::size_t warp = 0; warp < next.size(); ++warp) {
    const std::vector<StreamRequest>& all = requests.stream->warps[warp];
    if (next[warp] < all.size() && (least == nullptr || all[next[warp]].phase < least->phase))
      least = &all[next[warp]];
  }
  return least;
}

// Where all blocks of the grid have waited, what L1 holds of before is not to be had any more: others may
// have stored there since, and loads see it.
void Multiprocessors::pass_barriers(Multiprocessor& at) {
  constexpr std::uint32_t kEnded = ~std::uint32_t{0};
  std::uint32_t grid_waits = kEnded;
  for (const Resident& resident : at.residents)
    if (const StreamRequest* least = resident.least()) grid_waits = std::min(grid_waits, least->grid_waits);
  if (grid_waits != kEnded && grid_waits > at.grid_waits) {
    at.grid_waits = grid_waits;
    at.l1.drop_all();
  }
  for (Resident& resident : at.residents) {
    const StreamRequest* least = resident.least();
    if (least == nullptr || least->grid_waits <= at.grid_waits)
      resident.phase = least == nullptr ? kEnded : least->phase;
  }
}

// Lets the warp whose turn it is, or the next one that can, make a request. False: none is left.
bool Multiprocessors::take_a_turn(Multiprocessor& at) {
  while (!at.residents.empty()) {
    for (std::size_t looked = 0; looked < at.residents.size(); ++looked) {
      Resident& resident = at.residents[at.resident];
      for (; at.warp < resident.next.size(); ++at.warp) {
        if (!is_next(resident, at.warp)) continue;
        make_requests(at, resident, at.warp);
        ++at.warp;
        return true;
      }
      at.warp = 0;
      at.resident = (at.resident + 1) % at.residents.size();
    }
    // Every warp waits: blocks pass their barriers, and those that have ended make room.
    pass_barriers(at);
    std::erase_if(at.residents, [](const Resident& resident) { return resident.phase == ~std::uint32_t{0}; });
    at.resident = at.warp = 0;
    if (!admit(at)) return false;
  }
  return false;
}

void Multiprocessors::make(Multiprocessor& at, const Resident& resident, const StreamRequest& request) {
  pace_.step();
  ++requests_;
  const auto shift = static_cast<std::uint64_t>(resident.requests.shift(request));
  const std::uint64_t* sector = resident.requests.stream->sectors.data() + request.first;
  const std::uint64_t* const end = sector + request.sectors;
  if (memory::only_reads(request.op)) traffic_.loads += request.sectors;
  while (sector != end) {
    const std::uint64_t line = (*sector + shift) / kSectorsOfLine;
    SectorMask mask = 0;
    ++at.time;
    for (; sector != end && (*sector + shift) / kSectorsOfLine == line; ++sector)
      mask |= static_cast<SectorMask>(1u << (*sector + shift) % kSectorsOfLine);
    if (!memory::only_reads(request.op))
      at.l1.drop(line, mask);  // stores go through to L2 and leave nothing behind, as atomics do
    else if (const SectorMask missing = mask & static_cast<SectorMask>(~at.l1.ask(line, mask)); missing != 0)
      ask_l2(at, line, missing, request.phase);
  }
}

// What a neighbour has just asked for of the line.
SectorMask Multiprocessors::just_asked(const Multiprocessor& by, std::uint64_t line, SectorMask missing) {
  const auto [last, first_time] = last_asked_.try_emplace(line);
  if (first_time && last_asked_.size() % kLinesAtOnce == 0)
    held_.need(kLinesAtOnce * kBytesALine, Stage::Counting);
  const Asked before = std::exchange(last->second, Asked{by.time, &by, missing, by.grid_waits});
  // What was asked for before the whole grid waited is another value by now.
  const bool just = before.grid_waits == by.grid_waits &&
                    std::max(before.time, by.time) - std::min(before.time, by.time) <= kSharedTime;
  return first_time || before.by == &by || !just ? SectorMask{0} : before.sectors;
}

void Multiprocessors::ask_l2(const Multiprocessor& by, std::uint64_t line, SectorMask missing,
                             std::uint32_t phase) {
  const auto count = static_cast<std::uint64_t>(std::popcount(missing));
  traffic_.misses += count;
  const SectorMask just = just_asked(by, line, missing);
  if (just == missing) {
    (phase > 0   ? traffic_.shareable_in_step
     : count > 1 ? traffic_.shareable
                 : traffic_.shareable_alone) += count;
    return;
  }
  missing &= static_cast<SectorMask>(~just);
  for (std::uint64_t pair = line * 2, end = pair + 2; pair != end; ++pair, missing >>= 2) {
    const auto asked = static_cast<std::uint64_t>(std::popcount(static_cast<unsigned>(missing & 3)));
    if (asked == 0) continue;
    const auto [fetched, first_time] = pairs_.try_emplace(pair, by.time);
    if (first_time) {
      ++traffic_.fetches;
      traffic_.asked += asked;
    } else if (by.time <= fetched->second + kFetchTime) {
      traffic_.on_the_way += asked;
    }
  }
}

std::uint64_t Multiprocessors::pairs_between(std::uint64_t begin, std::uint64_t end) const {
  const auto within = [&](const auto& pair) {
    const std::uint64_t at = pair.first * memory::GpuModel::fetch_bytes;
    return at >= begin && at < end;
  };
  return static_cast<std::uint64_t>(std::ranges::count_if(pairs_, within));
}

bool Multiprocessors::run(std::uint64_t most_requests, std::uint64_t most_pairs) {
  for (Multiprocessor& at : multiprocessors_)
    if (!admit(at)) return false;
  for (bool any = true; any && requests_ < most_requests && pairs_.size() < most_pairs;) {
    any = false;
    for (Multiprocessor& at : multiprocessors_) any = take_a_turn(at) || any;
  }
  return true;
}

}  // namespace warplens::sim
