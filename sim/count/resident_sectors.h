// Which sectors of a traced block the blocks on its multiprocessor touch too. Which of two such blocks comes
// to a sector first is not known: all that is told is that both do.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/launch/run.h"
#include "sim/memory/gpu_model.h"
#include "sim/trace/sector_origins.h"

namespace warplens::sim {

struct ResidentSectors {
  std::vector<std::uint64_t> blocks;   // the others' numbers, x fastest, in the order in which they are dealt
  std::vector<std::uint64_t> sectors;  // numbers (address / 32) of the block's that any of them touches
  std::optional<RunError> error;       // what is known up to there is then not all

  bool has(std::uint64_t sector) const;  // `sectors` are ascending
};

// `of_block`: the sectors of block `number`. The others are those that fit beside it by threads, shared
// memory and, where they are known, registers of a thread, dealt out as residents() says; each is run by
// itself, with the buffers as filled before the launch, as the traced one was. limits.progress: of them.
ResidentSectors resident_sectors(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                                 const SectorTable& of_block, std::uint64_t number,
                                 std::optional<int> registers = std::nullopt, const Limits& limits = {});

}  // namespace warplens::sim
