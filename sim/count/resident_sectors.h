// Which sectors of a traced block the blocks on its multiprocessor touch too. Which of two such blocks comes
// to a sector first is not known: all that is told is that both do.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/launch/run.h"
#include "sim/memory/gpu_model.h"
#include "sim/trace/sector_origins.h"

// How many different sectors of global memory a grid asks for. Requests add up what each of them touches; of
// a sector that several of them share, all but one may find it in a cache.
//
//   distinct_sectors(program, launch, gpu).of(memory::Op::Load)      // beside SiteTotals::sectors of the
//   loads

namespace warplens::sim {

struct DistinctSectors {
  std::array<std::uint64_t, memory::kOps> by_op{};  // of all accesses of an operation, by memory::Op
  std::vector<std::uint64_t> by_site;               // indices as Program::sites
  std::optional<RunError> error;                    // what is known up to there is then not the grid's

  std::uint64_t of(memory::Op op) const { return by_op[static_cast<std::size_t>(op)]; }
};

// Exact, of the whole grid; atomics and reductions as the sectors that they lie in. Runs on one thread, as
// grid_footprint() does; where data steer a kernel it runs every block, and limits.progress tells how far it
// has come.
DistinctSectors distinct_sectors(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                                 const Limits& limits = {});

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
