#include "sim/memory/async_copy.h"

#include <algorithm>
#include <bit>
#include <compare>
#include <map>
#include <set>
#include <vector>

#include "sim/memory/coalescing.h"
#include "sim/memory/gpu_model.h"

namespace warplens::memory {

namespace {

template <class Visit>
void each_lane(LaneMask lanes, Visit visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(std::countr_zero(lanes));
}

// The distinct blocks of a lane's width that fall on each place among the banks.
class Places {
 public:
  explicit Places(int bytes) : bytes_(static_cast<Address>(bytes)) {}
  // The block's number among those of its place, in order of first coming.
  int add(Address address) {
    const Address block = address / bytes_;
    constexpr Address kBankBytes = Address{GpuModel::shared_banks} * GpuModel::bank_bytes;
    std::vector<Address>& there = blocks_[block % (kBankBytes / bytes_)];
    const auto known = std::find(there.begin(), there.end(), block);
    if (known != there.end()) return static_cast<int>(known - there.begin());
    there.push_back(block);
    most_ = std::max(most_, static_cast<int>(there.size()));
    return static_cast<int>(there.size()) - 1;
  }
  int most() const { return most_; }

 private:
  Address bytes_;
  std::map<Address, std::vector<Address>> blocks_;
  int most_ = 0;
};

// Addresses of two lanes or more. Which lane goes first is then of matter, and is not known.
bool meet(LaneMask lanes, const LaneAddresses& addresses) {
  std::set<Address> seen;
  bool any = false;
  each_lane(lanes, [&](int lane) { any |= !seen.insert(addresses[lane]).second; });
  return any;
}

// Where all shared words go in one pass, or all global ones come in one wavefront, their order is of no
// matter.
void add_group(const AsyncCopy& copy, LaneMask lanes, AsyncCopyCost& cost) {
  Places shared(copy.bytes), global(copy.bytes);
  std::map<int, Places> passes;
  each_lane(lanes, [&](int lane) {
    const int pass = shared.add(copy.shared[lane]);
    passes.try_emplace(pass, copy.bytes).first->second.add(copy.global[lane]);
    global.add(copy.global[lane]);
  });
  for (const auto& [number, pass] : passes) cost.wavefronts += pass.most();
  cost.wavefronts_exact &= shared.most() == 1 || global.most() == 1;
}

void price_through_l1(const AsyncCopy& copy, AsyncCopyCost& cost) {
  cost.sectors = count_sectors(read_of(copy));
  cost.wavefronts_exact = !meet(copy.active, copy.shared) && !meet(copy.active, copy.global);
  const int lanes = kWarpLanes * GpuModel::bank_bytes / copy.bytes;
  const LaneMask first = lanes == kWarpLanes ? ~LaneMask{0} : (LaneMask{1} << lanes) - 1;
  for (int begin = 0; begin < kWarpLanes; begin += lanes) {
    const LaneMask group = copy.active & first << begin;
    if (group != 0) add_group(copy, group, cost);
  }
}

// ---- past L1

struct SectorPair {
  Address global = 0, shared = 0;  // numbers of sectors
  auto operator<=>(const SectorPair&) const = default;
};
// Which half of the global sector goes to which half of the shared one: bit 2 g + s.
using Halves = unsigned;
constexpr Halves kWhole = 1u << 0 | 1u << 3, kCrossed = 1u << 1 | 1u << 2;

struct Wavefront {
  Address global_line = 0, shared_line = 0;
  Halves halves = 0;
  auto operator<=>(const Wavefront&) const = default;
};

void price_past_l1(const AsyncCopy& copy, AsyncCopyCost& cost) {
  constexpr Address kSector = GpuModel::sector_bytes;
  constexpr Address kSectors = GpuModel::line_bytes / GpuModel::sector_bytes;
  std::map<SectorPair, Halves> pairs;
  std::set<Address> taken;
  each_lane(copy.active, [&](int lane) {
    const Address from = copy.global[lane], to = copy.shared[lane];
    if (!taken.insert(to).second) return;
    const Address half = kSector / 2;
    pairs[{from / kSector, to / kSector}] |= 1u << (from / half % 2 * 2 + to / half % 2);
  });
  cost.sectors = static_cast<int>(pairs.size());
  std::map<Wavefront, Address> wavefronts;  // how far its sectors move within the line
  for (const auto& [pair, halves] : pairs) {
    const Address moved = (pair.shared - pair.global) % kSectors;
    const bool together = halves == kWhole || halves == kCrossed;
    cost.wavefronts_exact &= halves != kCrossed && (together || std::has_single_bit(halves));
    for (Halves bit = 1; bit <= kCrossed << 1; bit <<= 1) {
      const Halves moves = together ? halves : halves & bit;
      if (moves == 0) continue;
      const auto [known, is_new] =
          wavefronts.try_emplace({pair.global / kSectors, pair.shared / kSectors, moves}, moved);
      cost.wavefronts_exact &= is_new || known->second == moved;
      if (together) break;
    }
  }
  cost.wavefronts = static_cast<int>(wavefronts.size());
}

WarpAccess access_of(const AsyncCopy& copy, Space space, Op op, const LaneAddresses& addresses) {
  WarpAccess access;
  access.space = space;
  access.op = op;
  access.bytes = copy.bytes;
  access.active = copy.active;
  access.addresses = addresses;
  return access;
}

}  // namespace

WarpAccess read_of(const AsyncCopy& copy) {
  return access_of(copy, Space::Global, Op::Load, copy.global);
}

WarpAccess write_of(const AsyncCopy& copy) {
  return access_of(copy, Space::Shared, Op::Store, copy.shared);
}

AsyncCopyCost cost(const AsyncCopy& copy) {
  AsyncCopyCost cost;
  if (copy.active == 0) return cost;
  cost.requests = 1;
  if (copy.past_l1)
    price_past_l1(copy, cost);
  else
    price_through_l1(copy, cost);
  return cost;
}

}  // namespace warplens::memory
