#include "sim/count/grid_stretches.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <map>
#include <tuple>
#include <vector>

#include "sim/count/grid_classes.h"

namespace warplens::sim {

namespace {

struct Stretch {
  std::int64_t begin = 0, end = 0;  // bytes of a buffer
};
// Bytes that move alike from block to block: which parameter's, of what kind, and how far in each dimension.
using Slope = std::array<std::int64_t, 3>;
using Movement = std::tuple<std::size_t, std::uint32_t, Slope>;
using Blocks = std::array<std::int64_t, 3>;  // of a class, in each dimension
constexpr std::size_t kMostHeld = 1 << 16;   // stretches

// False, and nothing changed, where the bytes neither meet the stretch nor begin in it.
bool prolong(Stretch& stretch, std::int64_t begin, std::int64_t end) {
  if (begin < stretch.begin || begin > stretch.end) return false;
  stretch.end = std::max(stretch.end, end);
  return true;
}

void join(std::vector<Stretch>& stretches) {
  std::ranges::sort(stretches, {}, &Stretch::begin);
  std::vector<Stretch> joined;
  for (const Stretch& stretch : stretches)
    if (joined.empty() || !prolong(joined.back(), stretch.begin, stretch.end)) joined.push_back(stretch);
  stretches = std::move(joined);
}

// What moves alike. Lanes go on from their neighbours, or each from where it was itself: there is one stretch
// then, or one a lane, however long they walk.
struct Moving {
  std::vector<Stretch> stretches;
  std::array<std::size_t, memory::kWarpLanes> last{};  // of a lane
  std::size_t room = kMostHeld;

  void add(std::size_t lane, std::int64_t begin, std::int64_t end) {
    if (last[lane] < stretches.size() && prolong(stretches[last[lane]], begin, end)) return;
    if (stretches.empty() || !prolong(stretches.back(), begin, end)) {
      if (stretches.size() == room) make_room();
      stretches.push_back({begin, end});
    }
    last[lane] = stretches.size() - 1;
  }
  void make_room() {
    join(stretches);
    room = std::max(kMostHeld, 2 * stretches.size());
    last.fill(~std::size_t{0});
  }
};
using Stretches = std::map<Movement, Moving>;

// Stretches that move by no more than their own length, so often, leave no gap: each is one long stretch.
// False, and nothing changed, where one of them is shorter than that.
bool reach(std::vector<Stretch>& stretches, std::int64_t slope, std::int64_t times) {
  const std::int64_t step = std::abs(slope);
  if (std::ranges::any_of(stretches, [&](const Stretch& s) { return s.end - s.begin < step; })) return false;
  for (Stretch& stretch : stretches) (slope < 0 ? stretch.begin : stretch.end) += (times - 1) * slope;
  join(stretches);
  return true;
}

class StretchTaker {
 public:
  StretchTaker(BlockAccesses& blocks, Budget& budget, std::atomic<double>* progress, const KindOf& kind_of,
               const TakeStretch& take)
      : blocks_(blocks),
        budget_(budget),
        pace_(budget, Stage::Counting),
        progress_(progress),
        kind_of_(kind_of),
        take_(take) {}

  std::optional<RunError> take(const std::vector<BlockCell>& classes,
                               const std::vector<BlockCell>& one_by_one) {
    for (const BlockCell& cell : one_by_one) blocks_left_ += cell.count();
    for (const BlockCell& cell : classes) {
      if (error_) break;
      add_class(cell);
      if (stretches_of_classes() > kMostHeld) lay_out_classes();
    }
    lay_out_classes();
    for (const BlockCell& cell : one_by_one) add_blocks(cell);
    return error_;
  }

 private:
  const std::vector<GlobalAccess>* run_block(Dim3 index) {
    const std::vector<GlobalAccess>* accesses = blocks_.run(index);
    if (accesses == nullptr) error_ = blocks_.error();
    return accesses;
  }

  void add_blocks(const BlockCell& cell) {
    for (std::uint64_t i = 0; i < cell.count() && !error_; ++i) {
      const std::vector<GlobalAccess>* accesses = run_block(cell.at(i));
      if (accesses == nullptr) return;
      Stretches stretches;
      for (const GlobalAccess& access : *accesses) collect(access, nullptr, stretches);
      lay_out(stretches, {1, 1, 1});
      show_progress();
    }
  }

  void show_progress() {
    ++blocks_done_;
    if (progress_ != nullptr && blocks_left_ > 0)
      progress_->store(static_cast<double>(std::min(blocks_done_, blocks_left_)) /
                       static_cast<double>(blocks_left_));
  }

  // Blocks of a class do the same, at addresses that depend linearly on the block: one step away in each
  // dimension says how far they move.
  void add_class(const BlockCell& cell) {
    if (cell.count() <= 4) return add_blocks(cell);
    const std::vector<GlobalAccess>* accesses = run_block(cell.at(0));
    if (accesses == nullptr) return;
    HeldMemory held(budget_);
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
    Stretches& stretches = classes_[{cell.side[0].count, cell.side[1].count, cell.side[2].count}];
    for (std::size_t i = 0; i < first.size(); ++i) {
      pace_.step();
      const std::array<const GlobalAccess*, 3> beside{at(next[0], i), at(next[1], i), at(next[2], i)};
      collect(first[i], &beside, stretches);
    }
  }

  // Classes of as many blocks each often fill the gaps of one another: they are laid out together.
  void lay_out_classes() {
    for (auto& [blocks, stretches] : classes_) lay_out(stretches, blocks);
    classes_.clear();
  }

  std::size_t stretches_of_classes() const {
    std::size_t all = 0;
    for (const auto& [blocks, stretches] : classes_)
      for (const auto& [movement, its] : stretches) all += its.stretches.size();
    return all;
  }

  static const GlobalAccess* at(const std::vector<GlobalAccess>& accesses, std::size_t i) {
    return accesses.empty() ? nullptr : &accesses[i];
  }

  // `next`: the same access one step further in each dimension; null there: it has one block only.
  void collect(const GlobalAccess& access, const std::array<const GlobalAccess*, 3>* next,
               Stretches& stretches) {
    const std::uint32_t kind = kind_of_(access);
    Movement movement{};
    Moving* into = nullptr;
    for (LaneMask rest = access.mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      const Region* region = blocks_.bound().region_of(access.at[lane]);
      if (region == nullptr) continue;
      Slope slope{};
      for (std::size_t d = 0; next != nullptr && d < 3; ++d)
        if ((*next)[d] != nullptr)
          slope[d] = static_cast<std::int64_t>((*next)[d]->at[lane] - access.at[lane]);
      const auto parameter = static_cast<std::size_t>(region - blocks_.bound().regions.data());
      const Movement own{parameter, kind, slope};
      if (into == nullptr || own != movement) into = &stretches[movement = own];
      const auto begin = static_cast<std::int64_t>(access.at[lane] - region->begin);
      into->add(lane, begin, begin + access.step->bytes);
    }
  }

  void lay_out(Stretches& stretches, const Blocks& blocks) {
    for (auto& [movement, moving] : stretches) {
      std::vector<Stretch>& its = moving.stretches;
      join(its);
      const Slope& slope = std::get<Slope>(movement);
      Blocks turns = blocks;
      std::array<std::size_t, 3> nearest{0, 1, 2};
      std::ranges::sort(nearest, {}, [&](std::size_t d) { return std::abs(slope[d]); });
      for (const std::size_t d : nearest)
        if (reach(its, slope[d], turns[d])) turns[d] = 1;
      for (std::int64_t z = 0; z < turns[2]; ++z)
        for (std::int64_t y = 0; y < turns[1]; ++y)
          for (std::int64_t x = 0; x < turns[0]; ++x)
            give(movement, its, x * slope[0] + y * slope[1] + z * slope[2]);
    }
  }

  void give(const Movement& movement, const std::vector<Stretch>& stretches, std::int64_t moved) {
    for (const Stretch& stretch : stretches) {
      pace_.step();
      take_(std::get<0>(movement), std::get<1>(movement), static_cast<std::uint64_t>(stretch.begin + moved),
            static_cast<std::uint64_t>(stretch.end + moved));
    }
  }

  BlockAccesses& blocks_;
  Budget& budget_;
  Pace pace_;
  std::atomic<double>* progress_;
  const KindOf& kind_of_;
  const TakeStretch& take_;
  std::map<Blocks, Stretches> classes_;  // not laid out yet
  std::optional<RunError> error_;
  std::uint64_t blocks_left_ = 0, blocks_done_ = 0;  // of those that are run one by one
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

}  // namespace

std::optional<RunError> take_stretches(const Program& program, const Launch& launch,
                                       const memory::GpuModel& gpu, const Limits& limits,
                                       const GridPart& part, Budget& budget, const KindOf& kind_of,
                                       const TakeStretch& take) {
  Totals totals;
  totals.make_room(program.sites.size());
  std::vector<BlockCell> classes, one_by_one{whole_grid(launch.grid)};
  if (program.reads_written_global < 0 && !program.reaches_cluster) {
    const CountingRun counting(program, launch, gpu, limits, budget);
    if (counting.error.empty()) one_by_one = count_classes(counting, totals, &classes);
    if (totals.error) return totals.error;
  }
  BlockAccesses blocks(program, launch, gpu, budget);
  if (blocks.error()) return blocks.error();
  keep_part(classes, launch.grid, part);
  keep_part(one_by_one, launch.grid, part);
  return StretchTaker(blocks, budget, limits.progress, kind_of, take).take(classes, one_by_one);
}

}  // namespace warplens::sim
