// A launch bound to a program: where its buffers lie, what its registers hold before the first instruction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/launch/launch.h"
#include "sim/memory/gpu_model.h"
#include "sim/program/program.h"

namespace warplens::sim {

// Where a pointer parameter's buffer lies: [begin, end). One without end takes half of its window, so that an
// address somewhat before the next buffer is still seen as that.
struct Region {
  memory::Address begin = 0, end = 0;
  std::uint64_t elements = 0;  // 0: without end
  int element_bytes = 1;
  ScalarType type = ScalarType::F32;
  Fill fill = Fill::Zero;
  const std::vector<InitialValue>* initial = nullptr;  // over the fill
  std::uint64_t offset = 0;                            // of the argument, in bytes
  std::optional<FillRange> range = {};                 // as Buffer has them
  std::shared_ptr<const std::string> data = {};
  struct Addresses {
    memory::Address begin = 0;
    std::shared_ptr<const std::vector<std::uint64_t>> places;
  };
  std::vector<Addresses> addresses = {};

  bool holds_zeros() const { return fill == Fill::Zero && initial == nullptr && !data; }
  void fill_bytes(std::uint64_t first, std::byte* out, std::uint64_t count) const;  // from byte `first` on
};

// Everything that a run needs to know of the launch. Keeps pointers to the program; `check_launch` has been
// passed.
struct Bound {
  const Program* program = nullptr;
  Launch launch;
  std::vector<Region> regions;         // per kernel parameter; empty ones for scalars
  std::vector<std::uint64_t> uniform;  // initial uniform registers, of block 0 and warp 0
  std::uint64_t shared_bytes = 0;      // static + dynamic
  int threads = 0, warps = 0;          // of a block

  // The region that holds `address`, or nullptr.
  const Region* region_of(memory::Address address) const;
  // "in[4194304]", "in[-1] + 2 bytes": what a person calls it in the buffer of `parameter`, inside or
  // outside.
  Message name_of_address(std::size_t parameter, memory::Address address) const;
};

// Refuses what check_launch refuses, with its first message.
Message bind(const Program& program, const Launch& launch, const memory::GpuModel& gpu, Bound& bound);

// The value of an argument as a register's bits, or an error in words.
struct BoundScalar {
  std::uint64_t bits = 0;
  Message error;
};
BoundScalar bind_scalar(const KernelParameter& parameter, const Argument& argument);

}  // namespace warplens::sim
