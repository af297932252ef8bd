// Where the lanes of a warp part, and how many of them are at work on each side: the branches of one block.
//
// A warp runs both sides of a branch one after the other where its lanes disagree, each time with the lanes
// of one side; the others idle. A loop that lanes leave one by one runs on with those that are left. What a
// compiler turns into predicates (a short branch) idles in the same way. A branch whose condition is the same
// for all lanes by its form is none of these, and not listed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/launch/run.h"
#include "sim/memory/gpu_model.h"
#include "sim/program/program.h"

namespace warplens::sim {

struct BranchLanes {
  cuda::SourceRange range;    // of the statement; what was inlined twice is one
  bool turns = false;         // the test of a loop: those that take it go on
  bool has_other = false;     // an else: the lanes that do not take it have something to do too
  std::uint64_t warps = 0;    // times that a warp came to it, with any lane
  std::uint64_t entered = 0;  // of them those in which any lane took it
  std::uint64_t left = 0;     // ... and in which any lane did not
  std::uint64_t came = 0;     // lanes, added up over `warps`
  std::uint64_t taken = 0;    // of them those whose condition held
  std::uint64_t parted() const { return entered + left - warps; }  // in which lanes went both ways
};

struct BlockBranches {
  std::vector<BranchLanes> branches;  // in the order of the text
  std::optional<RunError> error;      // what ended the block early; what came before is counted
};

// Runs the block with number `block`, which lies in the grid. Pure.
BlockBranches branch_lanes(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                           Dim3 block, const Limits& limits = {});

}  // namespace warplens::sim
