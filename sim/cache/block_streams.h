// What the blocks of a grid ask the L1 cache for, sector by sector: a few blocks are run, and the others'
// requests follow from those wherever blocks do the same at addresses that depend linearly on the block.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/classes/block_cells.h"
#include "sim/count/block_accesses.h"

namespace warplens::sim {

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

}  // namespace warplens::sim
