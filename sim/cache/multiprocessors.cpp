#include "sim/cache/multiprocessors.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "sim/memory/gpu_model.h"

namespace warplens::sim {

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
    Resident resident{streams_.of(at.queue.back()), {}, 0, 0};
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
