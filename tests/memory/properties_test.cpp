// What must hold for every access: the fast counts equal the explained ones, and what must not matter does
// not.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <set>

#include "sim/memory/banks.h"
#include "sim/memory/coalescing.h"
#include "sim/memory/cost.h"
#include "tests/memory/patterns.h"

namespace warplens::memory {
namespace {

constexpr int kRounds = 20000;
WarpAccess any_access(std::mt19937& random, Space space) {
  const int widths[] = {1, 2, 4, 8, 16};
  const Op ops[] = {Op::Load, Op::Store, Op::Atomic, Op::Reduction};
  const Op op = ops[random() % (space == Space::Global ? 4 : 3)];
  const bool atomic = op == Op::Atomic || op == Op::Reduction;
  if (!atomic || space == Space::Global)
    return random_access(random, space, op, atomic ? 4 : widths[random() % 5]);
  WarpAccess access = random_access(random, space, op, random() % 2 == 0 ? 4 : 8);
  access.way = static_cast<AtomicWay>(random() % 3);
  return access;
}

// As the texture path counts it, group by group; worked out here with sets.
struct TextureUse {
  int sectors = 0, ideal_sectors = 0, bytes = 0;
};
TextureUse texture_use(const WarpAccess& access) {
  TextureUse use;
  const int lanes = access.bytes == 16 ? 4 : 8;
  for (int first = 0; first < kWarpLanes; first += lanes) {
    std::set<Address> sectors, bytes;
    for (int lane = first; lane < first + lanes; ++lane) {
      if ((access.active >> lane & 1) == 0) continue;
      sectors.insert(access.addresses[lane] / 32);
      for (int i = 0; i < access.bytes; ++i) bytes.insert(access.addresses[lane] + static_cast<Address>(i));
    }
    use.sectors += static_cast<int>(sectors.size());
    use.ideal_sectors += (static_cast<int>(bytes.size()) + 31) / 32;
    use.bytes += static_cast<int>(bytes.size());
  }
  return use;
}

template <typename Check>
void for_many(Space space, Check check) {
  std::mt19937 random(20240607);
  for (int round = 0; round < kRounds; ++round) {
    const WarpAccess access = any_access(random, space);
    check(access, random);
    if (::testing::Test::HasFailure()) {
      FAIL() << "round " << round << ", op " << static_cast<int>(access.op) << ", bytes " << access.bytes;
    }
  }
}

TEST(Properties, SectorsAndLinesEqualTheirSets) {
  for_many(Space::Global, [](const WarpAccess& access, std::mt19937&) {
    std::set<Address> sectors, lines, bytes;
    std::map<Address, std::map<Address, int>> sharing;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
      if ((access.active >> lane & 1) == 0) continue;
      const Address first = access.addresses[lane];
      for (int i = 0; i < access.bytes; ++i) bytes.insert(first + static_cast<Address>(i));
      sectors.insert(first / 32);
      lines.insert(first / 128);
      ++sharing[first / 32][first];
    }
    int passes = 0;
    for (const auto& [sector, addresses] : sharing) {
      int most = 0;
      for (const auto& [address, lanes] : addresses) most = std::max(most, lanes);
      passes += most;
    }
    const Cost c = cost(access);
    const bool atomic = access.op == Op::Atomic || access.op == Op::Reduction;
    EXPECT_EQ(count_sectors(access), static_cast<int>(sectors.size()));
    EXPECT_EQ(count_lines(access), static_cast<int>(lines.size()));
    EXPECT_EQ(count_atomic_sectors(access), passes);
    EXPECT_EQ(count_ideal_sectors(access), (static_cast<int>(bytes.size()) + 31) / 32);
    EXPECT_EQ(c.sectors, atomic ? passes : static_cast<int>(sectors.size()));
    EXPECT_EQ(c.ideal_sectors, count_ideal_sectors(access));
    EXPECT_EQ(c.lines, static_cast<int>(lines.size()));
    EXPECT_EQ(c.bytes, std::popcount(access.active) * access.bytes);
    EXPECT_EQ(c.used_bytes, atomic ? c.bytes : static_cast<int>(bytes.size()));
  });
}

TEST(Properties, TouchedSectorsSayWhoAndWhat) {
  for_many(Space::Global, [](const WarpAccess& access, std::mt19937&) {
    std::map<Address, std::pair<LaneMask, std::uint32_t>> expected;  // lanes and used bytes
    for (int lane = 0; lane < kWarpLanes; ++lane) {
      if ((access.active >> lane & 1) == 0) continue;
      const Address first = access.addresses[lane];
      auto& [lanes, used_bytes] = expected[first / 32 * 32];
      lanes |= LaneMask{1} << lane;
      for (int i = 0; i < access.bytes; ++i) used_bytes |= 1u << (first % 32 + static_cast<Address>(i));
    }
    int passes = 0;
    auto sector = expected.begin();
    const auto touched = touched_sectors(access);
    ASSERT_EQ(touched.size(), expected.size());
    for (const TouchedSector& found : touched) {
      EXPECT_EQ(found.address, sector->first);
      EXPECT_EQ(std::pair(found.lanes, found.used_bytes), sector->second);
      passes += found.passes;
      ++sector;
    }
    EXPECT_EQ(passes, cost(access).sectors);
    EXPECT_EQ(cost(access).requests, access.active != 0 ? 1 : 0);
  });
}

TEST(Properties, TextureFetchesAddUpOverTheirGroups) {
  for_many(Space::Global, [](WarpAccess access, std::mt19937&) {
    access.op = Op::Load;
    const Cost load = cost(access);
    access.texture = true;
    const Cost fetch = cost(access);
    int passes = 0;
    for (const TouchedSector& sector : touched_sectors(access)) passes += sector.passes;
    const TextureUse use = texture_use(access);
    EXPECT_EQ(fetch.sectors, use.sectors);
    EXPECT_EQ(fetch.ideal_sectors, use.ideal_sectors);
    EXPECT_EQ(fetch.used_bytes, use.bytes);
    EXPECT_EQ(fetch.bytes, std::popcount(access.active) * access.bytes);
    EXPECT_EQ(passes, fetch.sectors);
    EXPECT_LE(load.sectors, fetch.sectors);
    EXPECT_EQ(load.lines, fetch.lines);
  });
}

TEST(Properties, OrderOfLanesDoesNotMatterGlobally) {
  for_many(Space::Global, [](const WarpAccess& access, std::mt19937& random) {
    WarpAccess mixed = access;
    std::array<int, kWarpLanes> order;
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    mixed.active = 0;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
      mixed.addresses[lane] = access.addresses[order[lane]];
      mixed.active |= (access.active >> order[lane] & 1) << lane;
    }
    EXPECT_EQ(cost(mixed), cost(access));
  });
}

// A lane that repeats another's address changes the bytes asked for and nothing else (but for atomics).
TEST(Properties, DuplicatesDoNotMatterForLoadsAndStores) {
  for_many(Space::Global, [](const WarpAccess& access, std::mt19937&) {
    if (access.op == Op::Atomic || access.op == Op::Reduction || access.active == 0) return;
    const Address any = access.addresses[std::countr_zero(access.active)];
    WarpAccess filled = access;
    filled.active = ~LaneMask{0};
    for (int lane = 0; lane < kWarpLanes; ++lane) {
      if ((access.active >> lane & 1) == 0) filled.addresses[lane] = any;
    }
    Cost expected = cost(access);
    expected.bytes = kWarpLanes * access.bytes;
    EXPECT_EQ(cost(filled), expected);
  });
}

TEST(Properties, InactiveLanesMeanNothing) {
  for (const Space space : {Space::Global, Space::Shared}) {
    for_many(space, [](const WarpAccess& access, std::mt19937& random) {
      WarpAccess other = access;
      for (int lane = 0; lane < kWarpLanes; ++lane) {
        if ((access.active >> lane & 1) == 0) other.addresses[lane] = random();
      }
      EXPECT_EQ(cost(other), cost(access));
    });
  }
}

// The proof behind caching by pattern: 128 bytes are a whole number of lines, of sectors and of rounds of the
// banks.
TEST(Properties, TranslationBy128BytesChangesNothing) {
  for (const Space space : {Space::Global, Space::Shared}) {
    for_many(space, [](const WarpAccess& access, std::mt19937& random) {
      WarpAccess moved = access;
      const Address by = Address{128} * (random() % 1000000);
      for (Address& address : moved.addresses) address += by;
      EXPECT_EQ(cost(moved), cost(access));
    });
  }
}

TEST(Properties, ThePlanExplainsTheCount) {
  for_many(Space::Shared, [](const WarpAccess& access, std::mt19937&) {
    const WavefrontCount count = count_wavefronts(access);
    const BankPlan plan = plan_banks(access);
    EXPECT_EQ(plan.wavefronts, count.wavefronts);
    EXPECT_EQ(plan.least, count.least);
    EXPECT_LE(plan.degree, plan.wavefronts);
    EXPECT_GE(plan.wavefronts, plan.least);

    std::set<std::pair<int, int>> slots;  // a bank delivers one word a wavefront
    std::map<int, LaneMask> lanes_of_wavefront;
    LaneMask lanes = 0;
    int last = 0;
    for (const BankPlan::Word& word : plan.words) {
      EXPECT_EQ(word.bank, bank_of(word.address));
      EXPECT_TRUE(slots.insert({word.wavefront, word.bank}).second);
      EXPECT_GE(word.wavefront, last);
      EXPECT_LT(word.wavefront, plan.wavefronts);
      last = word.wavefront;
      lanes |= word.lanes;
      for (int lane = 0; lane < kWarpLanes; ++lane) {
        if ((word.lanes >> lane & 1) == 0) continue;
        EXPECT_LE(word.wavefront, plan.wavefront[lane]);
        EXPECT_EQ(plan.group[lane], lane / plan.lanes_per_group);
      }
    }
    EXPECT_EQ(lanes, access.active);
    std::set<int> used;
    for (const BankPlan::Word& word : plan.words) used.insert(word.wavefront);
    const int serving = static_cast<int>(used.size());
    const int turn = access.way == AtomicWay::Native ? 1 : 2;
    EXPECT_TRUE(turn * serving == plan.wavefronts ||
                (access.way == AtomicWay::Loop && turn * serving < plan.wavefronts));
    for (int lane = 0; lane < kWarpLanes; ++lane) {
      const bool active = (access.active >> lane & 1) != 0;
      EXPECT_EQ(plan.wavefront[lane] >= 0, active);
      EXPECT_EQ(plan.group[lane] >= 0, active);
    }
    EXPECT_EQ(plan.degree, *std::max_element(plan.words_in_bank.begin(), plan.words_in_bank.end()));
  });
}

TEST(Properties, EveryModelIsFoundByItsName) {
  for (const GpuModel& model : gpu_models()) {
    EXPECT_EQ(find_gpu_model(model.name), &model);
    EXPECT_FALSE(model.source.empty());
    EXPECT_EQ(model.name, "sm_" + std::to_string(model.compute_major) + std::to_string(model.compute_minor));
    EXPECT_TRUE(std::has_single_bit(static_cast<unsigned>(model.shared_banks)));
  }
  EXPECT_EQ(find_gpu_model("sm_1"), nullptr);
  EXPECT_EQ(default_gpu_model().name, "sm_90");
}

}  // namespace
}  // namespace warplens::memory
