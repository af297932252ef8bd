#include "sim/count/grid/stretches.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <tuple>
#include <vector>

#include "sim/count/grid/classes.h"
#include "sim/memory/access.h"

namespace warplens::sim {

// Numbers of the lanes of many accesses, in little room: most go up evenly from lane to lane.
//
//   LaneNumbers numbers;
//   const LaneNumbers::Row row = numbers.keep(mask, [&](std::size_t lane) { return of[lane]; });
//   numbers.at(row, lane)   // of a lane of the mask
class LaneNumbers {
 public:
  struct Row {
    std::int64_t first = 0, step = 0;  // of lane 0, whether it is active or not; from one lane to the next
    std::int64_t uneven = -1;          // the entry that holds them one by one; -1: the two say it
  };

  // `mask` is not empty.
  template <class Of>
  Row keep(memory::LaneMask mask, Of of) {
    const auto lowest = static_cast<std::size_t>(std::countr_zero(mask));
    const memory::LaneMask others = mask & (mask - 1);
    const std::int64_t start = of(lowest);
    Row row{start};
    if (others != 0) {
      const auto next = static_cast<std::size_t>(std::countr_zero(others));
      row.step = (of(next) - start) / static_cast<std::int64_t>(next - lowest);
      row.first = start - static_cast<std::int64_t>(lowest) * row.step;
    }
    for (memory::LaneMask rest = others; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      if (of(lane) != row.first + static_cast<std::int64_t>(lane) * row.step) return keep_uneven(mask, of);
    }
    return row;
  }
  std::int64_t at(const Row& row, std::size_t lane) const {
    if (row.uneven < 0) return row.first + static_cast<std::int64_t>(lane) * row.step;
    return uneven_[static_cast<std::size_t>(row.uneven)][lane];
  }
  std::uint64_t bytes() const { return uneven_.capacity() * sizeof(Uneven); }

 private:
  using Uneven = std::array<std::int64_t, memory::kWarpLanes>;
  template <class Of>
  Row keep_uneven(memory::LaneMask mask, Of of) {
    Uneven numbers{};
    memory::each_lane(mask, [&](std::size_t lane) { numbers[lane] = of(lane); });
    uneven_.push_back(numbers);
    return {0, 0, static_cast<std::int64_t>(uneven_.size()) - 1};
  }

  std::vector<Uneven> uneven_;
};

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

struct KeptAccess {
  std::uint32_t kind = 0;
  LaneMask mask = 0;
  std::int32_t bytes = 0;
  LaneNumbers::Row at;
};

// The accesses of a block, and how far each moves from there to the block beside it in a dimension.
class KeptAccesses {
 public:
  explicit KeptAccesses(Budget& budget) : held_(budget) {}

  void add(const GlobalAccess& access, std::uint32_t kind) {
    const auto row = numbers_.keep(
        access.mask, [&](std::size_t lane) { return static_cast<std::int64_t>(access.at[lane]); });
    accesses_.push_back({kind, access.mask, access.step->bytes, row});
    count_memory();
  }
  void add_beside(std::size_t dimension, const GlobalAccess& access) {
    std::vector<LaneNumbers::Row>& moved = moved_[dimension];
    const std::size_t i = moved.size();
    is_alike_ = is_alike_ && i < accesses_.size() && accesses_[i].mask == access.mask;
    if (!is_alike_) return;
    moved.push_back(numbers_.keep(access.mask, [&](std::size_t lane) {
      return static_cast<std::int64_t>(access.at[lane]) - numbers_.at(accesses_[i].at, lane);
    }));
    count_memory();
  }
  // Every access of the one has its like in the other.
  bool is_whole(std::size_t dimension) const {
    return is_alike_ && moved_[dimension].size() == accesses_.size();
  }

  std::size_t size() const { return accesses_.size(); }
  const KeptAccess& operator[](std::size_t i) const { return accesses_[i]; }
  const LaneNumbers& numbers() const { return numbers_; }
  // All its bytes, where they are one run and move as one.
  std::optional<Stretch> run_of(std::size_t i) const {
    const KeptAccess& access = accesses_[i];
    const auto low = std::countr_zero(access.mask), lanes = std::popcount(access.mask);
    const bool side_by_side = access.mask >> low == ~LaneMask{0} >> (memory::kWarpLanes - lanes);
    if (!side_by_side || access.at.uneven >= 0 || access.at.step < 0 || access.at.step > access.bytes)
      return {};
    for (const auto& moved : moved_)
      if (!moved.empty() && (moved[i].uneven >= 0 || moved[i].step != 0)) return {};
    const std::int64_t begin = numbers_.at(access.at, static_cast<std::size_t>(low));
    return Stretch{begin, begin + (lanes - 1) * access.at.step + access.bytes};
  }
  Slope slope(std::size_t i, std::size_t lane) const {
    Slope slope{};
    for (std::size_t d = 0; d < 3; ++d)
      if (!moved_[d].empty()) slope[d] = numbers_.at(moved_[d][i], lane);
    return slope;
  }

 private:
  void count_memory() {
    std::uint64_t now = numbers_.bytes() + accesses_.capacity() * sizeof(KeptAccess);
    for (const auto& moved : moved_) now += moved.capacity() * sizeof(LaneNumbers::Row);
    if (now > counted_) held_.need(now - counted_, Stage::Counting);
    counted_ = std::max(counted_, now);
  }

  HeldMemory held_;
  LaneNumbers numbers_;
  std::vector<KeptAccess> accesses_;
  std::array<std::vector<LaneNumbers::Row>, 3> moved_;  // empty: it has one block only
  std::uint64_t counted_ = 0;
  bool is_alike_ = true;
};

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
  // Blocks that are like no other: every access by itself, as it comes.
  void add_blocks(const BlockCell& cell) {
    const std::function<void(const GlobalAccess&)> give = [this](const GlobalAccess& access) {
      give_access(access);
    };
    for (std::uint64_t i = 0; i < cell.count() && !error_; ++i) {
      if (!blocks_.run(cell.at(i), give)) error_ = blocks_.error();
      show_progress();
    }
  }

  void give_access(const GlobalAccess& access) {
    pace_.step();
    const std::uint32_t kind = kind_of_(access);
    const Region* region = nullptr;
    memory::Address begin = 0, end = 0;
    const auto give_run = [&] {
      if (region == nullptr) return;
      take_(parameter_of(*region), kind, begin - region->begin, end - region->begin);
    };
    for (LaneMask rest = access.mask; rest != 0; rest &= rest - 1) {
      const memory::Address at = access.at[std::countr_zero(rest)];
      const bool inside = region != nullptr && at >= region->begin && at < region->end;
      if (inside && at >= begin && at <= end) {
        end = std::max(end, at + static_cast<unsigned>(access.step->bytes));
        continue;
      }
      give_run();
      if (!inside) region = blocks_.bound().region_of(at);
      begin = at;
      end = at + static_cast<unsigned>(access.step->bytes);
    }
    give_run();
  }

  std::size_t parameter_of(const Region& region) const {
    return static_cast<std::size_t>(&region - blocks_.bound().regions.data());
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
    KeptAccesses kept(budget_);
    run_block(cell.at(0), [&](const GlobalAccess& access) { kept.add(access, kind_of_(access)); });
    for (std::size_t d = 0; d < 3 && !error_; ++d) {
      if (cell.side[d].count <= 1) continue;
      const std::uint64_t steps[] = {1, static_cast<std::uint64_t>(cell.side[0].count),
                                     static_cast<std::uint64_t>(cell.side[0].count * cell.side[1].count)};
      run_block(cell.at(steps[d]), [&](const GlobalAccess& access) { kept.add_beside(d, access); });
      if (!error_ && !kept.is_whole(d)) return add_blocks(cell);
    }
    if (error_) return;
    Stretches& stretches = classes_[{cell.side[0].count, cell.side[1].count, cell.side[2].count}];
    last_ = nullptr;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      pace_.step();
      collect(kept, i, stretches);
    }
  }

  void run_block(Dim3 index, const std::function<void(const GlobalAccess&)>& take) {
    if (!blocks_.run(index, take)) error_ = blocks_.error();
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

  // Mostly all lanes of an access are one run of bytes, and move together.
  bool collect_run(const KeptAccesses& kept, std::size_t i, Stretches& stretches) {
    const KeptAccess& access = kept[i];
    const std::optional<Stretch> run = kept.run_of(i);
    const Region* region =
        run ? blocks_.bound().region_of(static_cast<memory::Address>(run->begin)) : nullptr;
    if (region == nullptr || static_cast<memory::Address>(run->end) > region->end) return false;
    const Movement movement{parameter_of(*region), access.kind, kept.slope(i, 0)};
    if (last_ == nullptr || movement != movement_) last_ = &stretches[movement_ = movement];
    const auto from = static_cast<std::int64_t>(region->begin);
    last_->add(static_cast<std::size_t>(std::countr_zero(access.mask)), run->begin - from, run->end - from);
    return true;
  }

  void collect(const KeptAccesses& kept, std::size_t i, Stretches& stretches) {
    if (collect_run(kept, i, stretches)) return;
    const KeptAccess& access = kept[i];
    const std::uint32_t kind = access.kind;
    const Region* region = nullptr;
    Movement movement{};
    Moving* into = nullptr;
    for (LaneMask rest = access.mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      const auto at = static_cast<memory::Address>(kept.numbers().at(access.at, lane));
      if (region == nullptr || at < region->begin || at >= region->end) {
        region = blocks_.bound().region_of(at);
        into = nullptr;
      }
      if (region == nullptr) continue;
      const Slope slope = kept.slope(i, lane);
      if (into == nullptr || slope != std::get<Slope>(movement)) {
        const Movement own{parameter_of(*region), kind, slope};
        into = &stretches[movement = own];
      }
      const auto begin = static_cast<std::int64_t>(at - region->begin);
      into->add(lane, begin, begin + access.bytes);
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
  Movement movement_;                    // of the access before
  Moving* last_ = nullptr;               // what that went to
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
  if (program.reads_written_global < 0 && !program.runs_together()) {
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
