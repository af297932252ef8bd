// The multiprocessors beside one another that stand for all: each with its L1 cache and the blocks that it
// holds at once, their warps taking turns: a store, or a few loads, a turn. Time is what L1 has to do: a line
// looked up takes one unit.
//
//   blocks --BlockStreams--> requests --L1--> sectors that L2 is asked for
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/cache/block_streams.h"
#include "sim/cache/sectored_cache.h"

namespace warplens::sim {

// Sums over the blocks that were looked at. Sectors, where nothing else is said.
struct SampledTraffic {
  std::uint64_t blocks = 0;
  std::uint64_t loads = 0;   // requested by loads
  std::uint64_t misses = 0;  // of those, L1 did not have
  // The misses whose sectors, exactly these of a line, a neighbour asks for at about the same time: the way
  // to L2 can make one request of the two. Those of blocks that have passed a barrier, and so keep in step;
  // of the others those of two or more sectors of a line, and those of one alone.
  std::uint64_t shareable_in_step = 0, shareable = 0, shareable_alone = 0;
  // Fetches: of pairs of sectors, which memory brings together, each pair once. Asked: sectors of those
  // fetches, and sectors that were asked for when their pair was on its way already.
  std::uint64_t fetches = 0, asked = 0, on_the_way = 0;
};

class Multiprocessors {
 public:
  // `l1_bytes`: of each. The first `blocks_at_once` blocks of each list run at once, the others as room
  // comes.
  Multiprocessors(std::uint64_t l1_bytes, int blocks_at_once, std::vector<std::vector<std::uint64_t>> numbers,
                  BlockStreams& streams, Budget& budget);

  // Until all blocks have ended, or `most_requests` were made or `most_pairs` fetched. False: a block did not
  // run to its end.
  bool run(std::uint64_t most_requests, std::uint64_t most_pairs);
  const SampledTraffic& traffic() const { return traffic_; }
  // Pairs of sectors that were fetched, with addresses in [begin, end).
  std::uint64_t pairs_between(std::uint64_t begin, std::uint64_t end) const;

 private:
  struct Resident {
    const StreamRequest* least() const;  // of the next ones of its warps, that of the least phase; null: none
    MovedStream requests;
    std::vector<std::uint32_t> next;  // of each warp
    std::uint32_t phase = 0;          // all warps have come to it
    std::size_t waiting = 0;          // warps that have passed it or ended
  };
  struct Multiprocessor {
    SectoredCache l1;
    std::vector<std::uint64_t> queue;  // blocks to come, the last one first
    std::vector<Resident> residents;
    std::size_t resident = 0, warp = 0;  // whose turn it is
    std::uint64_t time = 0;              // lines that L1 has looked up
    std::uint32_t grid_waits = 0;        // passed by all its blocks
  };
  bool admit(Multiprocessor& at);
  bool take_a_turn(Multiprocessor& at);
  static void pass_barriers(Multiprocessor& at);
  void make_requests(Multiprocessor& at, Resident& resident, std::size_t warp);
  static bool is_next(Resident& resident, std::size_t warp);
  void make(Multiprocessor& at, const Resident& resident, const StreamRequest& request);
  SectorMask just_asked(const Multiprocessor& by, std::uint64_t line, SectorMask missing);
  void ask_l2(const Multiprocessor& by, std::uint64_t line, SectorMask missing, std::uint32_t phase);

  int blocks_at_once_;
  BlockStreams& streams_;
  Pace pace_;
  std::vector<Multiprocessor> multiprocessors_;
  struct Asked {
    std::uint64_t time = 0;
    const Multiprocessor* by = nullptr;
    SectorMask sectors = 0;
    std::uint32_t grid_waits = 0;
  };
  HeldMemory held_;
  std::unordered_map<std::uint64_t, Asked> last_asked_;     // by line
  std::unordered_map<std::uint64_t, std::uint64_t> pairs_;  // when they were fetched
  std::uint64_t requests_ = 0;
  SampledTraffic traffic_;
};

}  // namespace warplens::sim
