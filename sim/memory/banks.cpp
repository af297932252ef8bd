#include "sim/memory/banks.h"

#include <algorithm>
#include <bit>

#include "sim/memory/async_copy.h"
#include "sim/memory/line_use.h"

namespace warplens::memory {

namespace {

int words_per_lane(const WarpAccess& access) {
  return std::max(1, access.bytes / GpuModel::bank_bytes);
}

// Every active lane finds the lane across (its index with `bit` flipped) inactive or at its own address.
bool partners_agree(const WarpAccess& access, int bit) {
  for (LaneMask rest = access.active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const int partner = lane ^ bit;
    if ((access.active >> partner & 1) != 0 && access.addresses[lane] != access.addresses[partner])
      return false;
  }
  return true;
}

// Neighbouring groups of a wide load are served together when lanes ask alike in pairs, over the whole warp.
bool groups_merge(const WarpAccess& access) {
  if (access.op != Op::Load || access.matrix || words_per_lane(access) == 1) return false;
  return partners_agree(access, 1) || partners_agree(access, 2);
}

struct Grouping {
  int lanes = kWarpLanes;  // per group
  bool merged = false;
};

// 32 lanes a group for up to 4 bytes, 16 for 8, 8 for 16; twice as many where groups merge.
Grouping grouping_of(const WarpAccess& access) {
  const bool merged = groups_merge(access);
  return {kWarpLanes / words_per_lane(access) * (merged ? 2 : 1), merged};
}

LaneMask lanes_of_group(const Grouping& grouping, int group) {
  const LaneMask first = grouping.lanes == kWarpLanes ? ~LaneMask{0} : (LaneMask{1} << grouping.lanes) - 1;
  return first << (group * grouping.lanes);
}

// Calls visit(lane, word) for each word of each lane, in lane order.
template <typename Visit>
void for_each_word(const WarpAccess& access, LaneMask lanes, Visit visit) {
  const int words = words_per_lane(access);
  const int shift = std::countr_zero(static_cast<unsigned>(GpuModel::bank_bytes));
  for (; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    const Address first = access.addresses[lane] >> shift;
    for (int i = 0; i < words; ++i) visit(lane, first + static_cast<Address>(i));
  }
}

// Wavefronts of one group: the most distinct words (for most atomics: the most lanes) that fall in one bank.
// A lane's words are aligned to their number, so they may be counted as one block over as many banks: blocks
// that meet in one bank meet in all of theirs.
int wavefronts_of_group(const WarpAccess& access, LaneMask lanes) {
  const int words = words_per_lane(access);
  const int shift = std::countr_zero(static_cast<unsigned>(GpuModel::bank_bytes * words));
  const auto place_mask = static_cast<Address>(GpuModel::shared_banks / words - 1);
  const bool each_lane = lanes_take_turns(access);
  std::array<std::uint8_t, kWarpLanes> in_place{};
  int most = 0;
  LaneSet<kWarpLanes> seen;
  for (; lanes != 0; lanes &= lanes - 1) {
    const Address block = access.addresses[std::countr_zero(lanes)] >> shift;
    if (!each_lane && !seen.add(block)) continue;
    most = std::max<int>(most, ++in_place[block & place_mask]);
  }
  return most;
}

int groups_of(const WarpAccess& access, const Grouping& grouping) {
  int groups = 0;
  for (int group = 0; group < kWarpLanes / grouping.lanes; ++group)
    groups += (access.active & lanes_of_group(grouping, group)) != 0 ? 1 : 0;
  return groups;
}

// The lowest lane of those that meet in a bank.
LaneMask first_of_each_bank(const WarpAccess& access, LaneMask lanes) {
  LaneMask first = 0, banks = 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    const LaneMask bank = LaneMask{1} << bank_of(access.addresses[lane]);
    if ((banks & bank) == 0) first |= LaneMask{1} << lane;
    banks |= bank;
  }
  return first;
}

WarpAccess load_of(WarpAccess atomic) {
  atomic.op = Op::Load;
  atomic.way = AtomicWay::Native;
  return atomic;
}

// The turns of a Loop: all lanes that are left load; then of each group the lowest lane of each bank swaps,
// at two wavefronts, and is done where no group before it has changed the word meanwhile. Calls done(group,
// lanes, wavefront). Returns the wavefronts of all.
template <typename Done>
int run_loop(const WarpAccess& access, const Grouping& grouping, Done done) {
  WarpAccess left = load_of(access);
  int wavefronts = 0;
  while (left.active != 0) {
    wavefronts += count_wavefronts(left).wavefronts;
    LaneMask served = 0;
    LaneSet<kWarpLanes> changed;
    for (int group = 0; group < kWarpLanes / grouping.lanes; ++group) {
      const LaneMask lanes = left.active & lanes_of_group(grouping, group);
      if (lanes == 0) continue;
      LaneMask first = first_of_each_bank(left, lanes);
      for (LaneMask rest = first; rest != 0; rest &= rest - 1)
        if (!changed.add(left.addresses[std::countr_zero(rest)])) first &= ~(rest & -rest);
      done(group, first, wavefronts);
      wavefronts += 2;
      served |= first;
    }
    left.active &= ~served;
  }
  return wavefronts;
}

// A load and, of each group, a swap.
int least_of_loop(const WarpAccess& access, const Grouping& grouping) {
  return 2 * groups_of(access, grouping) + count_wavefronts(load_of(access)).least;
}

}  // namespace

bool lanes_take_turns(const WarpAccess& access) {
  const bool is_atomic = memory::is_atomic(access.op);
  return is_atomic && !access.increments && !access.combined;
}

int bank_of(Address address) {
  return static_cast<int>(address / static_cast<Address>(GpuModel::bank_bytes) %
                          static_cast<Address>(GpuModel::shared_banks));
}

WavefrontCount count_wavefronts(const WarpAccess& access) {
  WavefrontCount count;
  if (access.op == Op::Async && access.space == Space::Shared) {
    const Cost cost = cost_of_half(access);
    return {cost.wavefronts, cost.ideal_wavefronts};
  }
  const Grouping grouping = grouping_of(access);
  if (access.way == AtomicWay::Loop)
    return {run_loop(access, grouping, [](int, LaneMask, int) {}), least_of_loop(access, grouping)};
  for (int group = 0; group < kWarpLanes / grouping.lanes; ++group) {
    const LaneMask lanes = access.active & lanes_of_group(grouping, group);
    if (lanes == 0) continue;
    count.wavefronts += wavefronts_of_group(access, lanes);
    ++count.least;
  }
  const int turn = wavefronts_a_turn(access.way);
  return {turn * count.wavefronts, turn * count.least};
}

namespace {

// Adds one group to the plan: in each bank, distinct words take successive wavefronts in lane order.
void plan_group(const WarpAccess& access, LaneMask lanes, int group, BankPlan& plan) {
  std::array<int, kWarpLanes> in_bank{};
  const std::size_t first_word = plan.words.size();
  const int turn = wavefronts_a_turn(access.way);
  for_each_word(access, lanes, [&](int lane, Address word) {
    const Address address = word * static_cast<Address>(GpuModel::bank_bytes);
    auto place = plan.words.end();
    if (!lanes_take_turns(access)) {
      place = std::find_if(plan.words.begin() + static_cast<std::ptrdiff_t>(first_word), plan.words.end(),
                           [&](const BankPlan::Word& w) { return w.address == address; });
    }
    if (place == plan.words.end()) {
      const int bank = bank_of(address);
      place = plan.words.insert(place, {plan.wavefronts + turn * in_bank[bank]++, bank, address, 0});
    }
    place->lanes |= LaneMask{1} << lane;
    plan.group[lane] = group;
    plan.wavefront[lane] = std::max(plan.wavefront[lane], place->wavefront);
  });
  const int most = *std::ranges::max_element(in_bank);
  plan.wavefronts += turn * most;
  ++plan.groups;
  plan.least += turn;
  for (int bank = 0; bank < kWarpLanes; ++bank) {
    plan.words_in_bank[bank] = std::max(plan.words_in_bank[bank], in_bank[bank]);
  }
}

void plan_loop(const WarpAccess& access, const Grouping& grouping, BankPlan& plan) {
  std::array<std::array<int, kWarpLanes>, kWarpLanes> in_bank{};  // of a group
  plan.groups = groups_of(access, grouping);
  plan.least = least_of_loop(access, grouping);
  plan.wavefronts = run_loop(access, grouping, [&](int group, LaneMask lanes, int wavefront) {
    for_each_word(access, lanes, [&](int lane, Address word) {
      const Address address = word * static_cast<Address>(GpuModel::bank_bytes);
      const int bank = bank_of(address);
      plan.words.push_back({wavefront, bank, address, LaneMask{1} << lane});
      plan.group[lane] = group;
      plan.wavefront[lane] = wavefront;
      plan.words_in_bank[bank] = std::max(plan.words_in_bank[bank], ++in_bank[group][bank]);
    });
  });
}

}  // namespace

BankPlan plan_banks(const WarpAccess& access) {
  BankPlan plan;
  if (access.op == Op::Async && access.space == Space::Shared) {
    plan = plan_of(copy_of(access));
    plan.least = plan.groups;
    return plan;
  }
  const Grouping grouping = grouping_of(access);
  plan.lanes_per_group = grouping.lanes;
  plan.merged = grouping.merged;
  plan.group.fill(-1);
  plan.wavefront.fill(-1);
  if (access.way == AtomicWay::Loop) {
    plan_loop(access, grouping, plan);
  } else {
    for (int group = 0; group < kWarpLanes / grouping.lanes; ++group) {
      const LaneMask lanes = access.active & lanes_of_group(grouping, group);
      if (lanes != 0) plan_group(access, lanes, group, plan);
    }
  }
  plan.degree = *std::ranges::max_element(plan.words_in_bank);
  std::ranges::stable_sort(
      plan.words, [](const BankPlan::Word& a, const BankPlan::Word& b) { return a.wavefront < b.wavefront; });
  return plan;
}

namespace {

constexpr Address kWord = GpuModel::bank_bytes;

}  // namespace

WarpAccess with_longer_rows(WarpAccess access, const Rows& rows, int words) {
  const Address more = static_cast<Address>(words) * kWord;  // wraps, as the sum does
  for (Address& address : access.addresses) {
    if (address >= rows.begin) address += (address - rows.begin) / rows.bytes * more;
  }
  return access;
}

WarpAccess with_swizzled_rows(WarpAccess access, const Rows& rows, int rows_together) {
  const Address unit = static_cast<Address>(rows.unit_words) * kWord;
  const Address columns = std::bit_floor(std::max<Address>(1, rows.bytes / unit));
  for (Address& address : access.addresses) {
    if (address < rows.begin) continue;
    const Address row = (address - rows.begin) / rows.bytes, at = (address - rows.begin) % rows.bytes;
    const Address column = at / unit ^ (row / static_cast<Address>(rows_together) % 32 % columns);
    address = rows.begin + (row * columns + column) * unit + at % unit;
  }
  return access;
}

bool padding_cannot_help(const WarpAccess& access, const Rows& rows) {
  for (int words = 0; words < GpuModel::shared_banks; words += rows.unit_words) {
    const WavefrontCount count = count_wavefronts(with_longer_rows(access, rows, words));
    if (count.wavefronts <= count.least) return false;
  }
  return true;
}

}  // namespace warplens::memory
