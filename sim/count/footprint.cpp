#include "sim/count/footprint.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <tuple>

#include "sim/count/block_accesses.h"
#include "sim/count/grid_classes.h"

namespace warplens::sim {

namespace {

struct Stretch {
  std::int64_t begin = 0, end = 0;  // bytes of a buffer
};
// Bytes that move alike from block to block: which buffer's, whether stored, and how far in each dimension.
using Slope = std::array<std::int64_t, 3>;
using Movement = std::tuple<std::size_t, bool, Slope>;
using Stretches = std::map<Movement, std::vector<Stretch>>;

void add_bytes(std::vector<Stretch>& stretches, std::int64_t begin, std::int64_t end) {
  if (!stretches.empty() && begin >= stretches.back().begin && begin <= stretches.back().end)
    stretches.back().end = std::max(stretches.back().end, end);
  else
    stretches.push_back({begin, end});
}

void join(std::vector<Stretch>& stretches) {
  std::ranges::sort(stretches, {}, &Stretch::begin);
  std::vector<Stretch> joined;
  for (const Stretch& stretch : stretches) add_bytes(joined, stretch.begin, stretch.end);
  stretches = std::move(joined);
}

class FootprintMaker {
 public:
  FootprintMaker(const Program& program, BlockAccesses& blocks, Budget& budget, Footprint& out)
      : blocks_(blocks), held_(budget), pace_(budget, Stage::Counting), out_(out) {
    for (const KernelParameter& parameter : program.parameters) {
      buffer_of_.push_back(out_.buffers.size());
      if (parameter.is_pointer) out_.buffers.push_back({parameter.name, {}, {}});
    }
  }

  void add(const std::vector<BlockCell>& classes, const std::vector<BlockCell>& one_by_one) {
    for (const BlockCell& cell : classes) {
      if (!out_.error) add_class(cell);
    }
    for (const BlockCell& cell : one_by_one) add_blocks(cell);
  }

 private:
  const std::vector<GlobalAccess>* run_block(Dim3 index) {
    const std::vector<GlobalAccess>* accesses = blocks_.run(index);
    if (accesses == nullptr) out_.error = blocks_.error();
    return accesses;
  }

  void add_blocks(const BlockCell& cell) {
    for (std::uint64_t i = 0; i < cell.count() && !out_.error; ++i) {
      const std::vector<GlobalAccess>* accesses = run_block(cell.at(i));
      if (accesses == nullptr) return;
      Stretches stretches;
      for (const GlobalAccess& access : *accesses) collect(access, nullptr, stretches);
      lay_out(stretches, {1, 1, 1});
    }
  }

  // Blocks of a class do the same, at addresses that depend linearly on the block: one step away in each
  // dimension says how far they move.
  void add_class(const BlockCell& cell) {
    if (cell.count() <= 4) return add_blocks(cell);
    const std::vector<GlobalAccess>* accesses = run_block(cell.at(0));
    if (accesses == nullptr) return;
    HeldMemory held(held_.budget());
    held.need(accesses->size() * sizeof(GlobalAccess), Stage::Counting);
    const std::vector<GlobalAccess> first = *accesses;
    std::array<std::vector<GlobalAccess>, 3> next;
    for (std::size_t d = 0; d < 3; ++d) {
      if (cell.side[d].count <= 1) continue;
      held.need(first.size() * sizeof(GlobalAccess), Stage::Counting);
      const std::uint64_t steps[] = {1, static_cast<std::uint64_t>(cell.side[0].count),
                                     static_cast<std::uint64_t>(cell.side[0].count * cell.side[1].count)};
      accesses = run_block(cell.at(steps[d]));
      if (accesses == nullptr) return;
      next[d] = *accesses;
      if (next[d].size() != first.size()) return add_blocks(cell);
    }
    Stretches stretches;
    for (std::size_t i = 0; i < first.size(); ++i) {
      pace_.step();
      const std::array<const GlobalAccess*, 3> beside{at(next[0], i), at(next[1], i), at(next[2], i)};
      collect(first[i], &beside, stretches);
    }
    lay_out(stretches, {cell.side[0].count, cell.side[1].count, cell.side[2].count});
  }

  static const GlobalAccess* at(const std::vector<GlobalAccess>& accesses, std::size_t i) {
    return accesses.empty() ? nullptr : &accesses[i];
  }

  // `next`: the same access one step further in each dimension; null there: it has one block only.
  void collect(const GlobalAccess& access, const std::array<const GlobalAccess*, 3>* next,
               Stretches& stretches) {
    Movement movement{};
    std::vector<Stretch>* into = nullptr;
    for (LaneMask rest = access.mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      const Region* region = blocks_.bound().region_of(access.at[lane]);
      if (region == nullptr) continue;
      Slope slope{};
      for (std::size_t d = 0; next != nullptr && d < 3; ++d)
        if ((*next)[d] != nullptr)
          slope[d] = static_cast<std::int64_t>((*next)[d]->at[lane] - access.at[lane]);
      const auto parameter = static_cast<std::size_t>(region - blocks_.bound().regions.data());
      const Movement own{buffer_of_[parameter], access.step->op != memory::Op::Load, slope};
      if (into == nullptr || own != movement) into = &stretches[movement = own];
      const auto begin = static_cast<std::int64_t>(access.at[lane] - region->begin);
      add_bytes(*into, begin, begin + access.step->bytes);
    }
  }

  void lay_out(Stretches& stretches, std::array<std::int64_t, 3> blocks) {
    for (auto& [movement, its] : stretches) {
      join(its);
      const auto& [buffer, stored, slope] = movement;
      BufferFootprint& footprint = out_.buffers[buffer];
      ByteSet& bytes = stored ? footprint.stored : footprint.loaded;
      const auto turns = [&, &slope = slope](std::size_t d) { return slope[d] == 0 ? 1 : blocks[d]; };
      for (std::int64_t z = 0; z < turns(2); ++z)
        for (std::int64_t y = 0; y < turns(1); ++y)
          for (std::int64_t x = 0; x < turns(0); ++x)
            mark(its, x * slope[0] + y * slope[1] + z * slope[2], bytes);
    }
  }

  void mark(const std::vector<Stretch>& stretches, std::int64_t moved, ByteSet& bytes) {
    for (const Stretch& stretch : stretches) {
      pace_.step();
      bytes.add(static_cast<std::uint64_t>(stretch.begin + moved),
                static_cast<std::uint64_t>(stretch.end + moved), held_);
    }
  }

  BlockAccesses& blocks_;
  HeldMemory held_;
  Pace pace_;
  Footprint& out_;
  std::vector<std::size_t> buffer_of_;  // by parameter: index into out_.buffers
};

// Leaves of the cells what lies in the part.
void keep_part(std::vector<BlockCell>& cells, Dim3 grid, const GridPart& part) {
  const std::size_t slowest = grid.z > 1 ? 2 : grid.y > 1 ? 1 : 0;
  const std::int64_t begin = part.first, end = begin + part.count;
  for (BlockCell& cell : cells) {
    Progression& side = cell.side[slowest];
    const auto before = [&](std::int64_t index) {
      return std::clamp<std::int64_t>((index - side.first + side.step - 1) / side.step, 0, side.count);
    };
    const std::int64_t left_out = before(begin), kept = before(end) - left_out;
    side = {side.first + left_out * side.step, side.step, std::max<std::int64_t>(kept, 0)};
  }
  std::erase_if(cells, [&](const BlockCell& cell) { return cell.side[slowest].count == 0; });
}

void make_footprint(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                    const Limits& limits, const GridPart& part, Budget& budget, Footprint& out) {
  Totals totals;
  totals.make_room(program.sites.size());
  std::vector<BlockCell> classes, one_by_one{whole_grid(launch.grid)};
  if (program.reads_written_global < 0) {
    const CountingRun counting(program, launch, gpu, limits, budget);
    if (counting.error.empty()) one_by_one = count_classes(counting, totals, &classes);
    out.error = totals.error;
  }
  BlockAccesses blocks(program, launch, gpu, budget);
  if (blocks.error()) out.error = blocks.error();
  keep_part(classes, launch.grid, part);
  keep_part(one_by_one, launch.grid, part);
  if (!out.error) FootprintMaker(program, blocks, budget, out).add(classes, one_by_one);
}

}  // namespace

void ByteSet::add(std::uint64_t begin, std::uint64_t end, HeldMemory& held) {
  if (begin >= end) return;
  const std::uint64_t first = begin / 64, last = (end - 1) / 64;
  if (last >= words_.size()) {
    if (last >= words_.capacity()) {
      const std::uint64_t more = std::max<std::uint64_t>(last + 1 - words_.capacity(), words_.capacity());
      held.need(more * sizeof(std::uint64_t), Stage::Counting);
      words_.reserve(words_.capacity() + more);
    }
    words_.resize(last + 1);
  }
  const std::uint64_t from = ~std::uint64_t{0} << begin % 64, to = ~std::uint64_t{0} >> (63 - (end - 1) % 64);
  if (first == last) {
    words_[first] |= from & to;
    return;
  }
  words_[first] |= from;
  std::fill(words_.begin() + static_cast<std::ptrdiff_t>(first) + 1,
            words_.begin() + static_cast<std::ptrdiff_t>(last), ~std::uint64_t{0});
  words_[last] |= to;
}

std::uint64_t ByteSet::count_units(int bytes) const {
  std::uint64_t count = 0;
  for (const std::uint64_t word : words_)
    for (int at = 0; at < 64; at += bytes)
      count += (word >> at & (~std::uint64_t{0} >> (64 - bytes))) != 0 ? 1 : 0;
  return count;
}

std::uint64_t ByteSet::count() const {
  std::uint64_t count = 0;
  for (const std::uint64_t word : words_) count += static_cast<std::uint64_t>(std::popcount(word));
  return count;
}

Footprint grid_footprint(const Program& program, const Launch& launch, const memory::GpuModel& gpu,
                         const Limits& limits, const GridPart& part) {
  Footprint footprint;
  const RunBudget budget(limits);
  const std::optional<Stopped> stopped = stopped_in(
      Stage::Counting, [&] { make_footprint(program, launch, gpu, limits, part, *budget, footprint); });
  if (stopped) footprint.error = run_error(*stopped);
  return footprint;
}

}  // namespace warplens::sim
