// The multiprocessors beside one another that stand for all: each with its L1 cache and the blocks that it
// holds at once, their warps taking turns: a store, or a few loads, a turn. Time is what L1 has to do: a line
// looked up takes one unit.
//
//   blocks --BlockStreams--> requests --L1--> sectors that L2 is asked for
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "sim/classes/block_class.h"
#include "sim/count/block_accesses.h"

// A cache of lines of 128 bytes with four sectors each: a line has room as a whole, sectors come one by one.

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

// What the blocks of a grid ask the L1 cache for, sector by sector: a few blocks are run, and the others'
// requests follow from those wherever blocks do the same at addresses that depend linearly on the block.

struct StreamRequest {
  std::uint32_t first = 0;  // of BlockStream::sectors
  std::uint8_t sectors = 0;
  memory::Op op = memory::Op::Load;
  std::uint32_t phase = 0;       // barriers that the block has passed
  std::uint32_t grid_waits = 0;  // of those, with all blocks of the grid
  std::array<std::int64_t, 3>
      slope{};  // sectors from a block of the class to the next one, in each dimension
};

// The requests of one block; `sectors` are addresses divided by 32.
struct BlockStream {
  std::vector<std::vector<StreamRequest>> warps;
  std::vector<std::uint64_t> sectors;
  std::uint64_t requests = 0;
};

// A block's requests: those of `stream`, `shift` sectors further along each request's slope.
struct MovedStream {
  std::shared_ptr<const BlockStream> stream;
  std::array<std::int64_t, 3> steps{};
  std::int64_t shift(const StreamRequest& request) const {
    return request.slope[0] * steps[0] + request.slope[1] * steps[1] + request.slope[2] * steps[2];
  }
};

class BlockStreams {
 public:
  // `classes`: cells of blocks that do the same, as count_classes gives them.
  BlockStreams(BlockAccesses& blocks, Dim3 grid, std::vector<BlockCell> classes, Budget& budget);

  // The stream of the block with this number, x fastest. Null: the block did not run to its end, see
  // BlockAccesses::error.
  MovedStream of(std::uint64_t number);

 private:
  struct Place {
    std::size_t cell = 0;
    std::array<std::int64_t, 3> steps{};
  };
  std::optional<Place> place_of(Dim3 index) const;
  std::shared_ptr<const BlockStream> run(Dim3 index);
  std::shared_ptr<const BlockStream> run_class(const BlockCell& cell);

  BlockAccesses& blocks_;
  Dim3 grid_;
  std::vector<BlockCell> classes_;
  std::map<std::size_t, std::shared_ptr<const BlockStream>>
      of_class_;  // null: blocks of it are run one by one
  HeldMemory held_;
};

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
