// ldmatrix, stmatrix and cp.async against the counters of an NVIDIA H200:
// tests/data/h200_matrix_and_async.json.
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/memory/async_copy.h"
#include "sim/memory/banks.h"
#include "sim/memory/cost.h"

namespace warplens::memory {
namespace {

nlohmann::json matrix_records() {
  std::ifstream file(WARPLENS_SOURCE_DIR "/tests/data/h200_matrix_and_async.json");
  return nlohmann::json::parse(file).at("records");
}

LaneMask read_addresses(const nlohmann::json& list, LaneAddresses& addresses) {
  LaneMask active = 0;
  for (std::size_t lane = 0; lane < list.size(); ++lane) {
    if (list[lane].is_null()) continue;
    active |= LaneMask{1} << lane;
    addresses[lane] = list[lane];
  }
  return active;
}

WarpAccess rows_access(Op op) {
  return {.space = Space::Shared, .op = op, .bytes = 16, .active = 0, .matrix = true};
}

TEST(Matrix, EveryRecordOfTheHardwareIsPricedAsMeasured) {
  int seen = 0;
  for (const auto& record : matrix_records()) {
    const std::string op = record.at("op");
    if (!record.contains("rows")) continue;
    WarpAccess access = rows_access(op.starts_with("ld") ? Op::Load : Op::Store);
    access.active = read_addresses(record.at("rows"), access.addresses);
    const Cost c = cost(access);
    const auto& counters = record.at("counters");
    EXPECT_EQ(c.wavefronts, counters.at("memory_l1_wavefronts_shared")) << op << record.at("pattern");
    EXPECT_EQ(c.ideal_wavefronts, counters.at("memory_l1_wavefronts_shared_ideal"));
    EXPECT_EQ(plan_banks(access).wavefronts, c.wavefronts);
    EXPECT_EQ(c.bytes, 16 * __builtin_popcount(access.active));
    ++seen;
  }
  EXPECT_EQ(seen, 137);
}

// A plain load of 16 bytes would serve such neighbours together.
TEST(Matrix, RowsThatAgreeInPairsAreNotServedTogether) {
  WarpAccess access = rows_access(Op::Load);
  access.active = ~LaneMask{0};
  for (int lane = 0; lane < kWarpLanes; ++lane)
    access.addresses[static_cast<std::size_t>(lane)] = static_cast<Address>(lane / 2) * 16;
  EXPECT_EQ(cost(access).wavefronts, 4);
  access.matrix = false;
  EXPECT_EQ(cost(access).wavefronts, 2);
}

AsyncCopy copy_of(const nlohmann::json& record) {
  AsyncCopy copy{.bytes = record.at("bytes"), .past_l1 = record.at("op") == "cp_async_cg"};
  copy.active = read_addresses(record.at("global"), copy.global);
  EXPECT_EQ(read_addresses(record.at("shared"), copy.shared), copy.active);
  if (!record.contains("src_size")) return copy;
  const auto& sizes = record.at("src_size");
  copy.size = record.contains("any_src_size") ? CopySize::AnyNumber : CopySize::NoneOrWhole;
  for (std::size_t lane = 0; lane < sizes.size(); ++lane)
    if (sizes[lane] == 0) copy.zeros |= copy.active & LaneMask{1} << lane;
  return copy;
}

// Holds records against what an H200 counted; gives how many wavefronts are said to be exact.
int hold_against(const nlohmann::json& records) {
  int exact = 0;
  for (const auto& record : records) {
    if (!record.contains("global")) continue;
    const AsyncCopyCost c = cost(copy_of(record));
    const auto& counters = record.at("counters");
    EXPECT_EQ(c.sectors, counters.at("memory_l2_theoretical_sectors_global")) << record.dump();
    EXPECT_TRUE(c.wavefronts_exact || record.at("op") == "cp_async_cg") << record.dump();
    const Cost read = cost(read_of(copy_of(record))), written = cost(write_of(copy_of(record)));
    if (const auto loads = counters.find("l1tex__t_requests_pipe_lsu_mem_global_op_ld");
        loads != counters.end()) {
      EXPECT_EQ(read.requests, *loads) << record.dump();
      EXPECT_EQ(read.load_sectors, counters.at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld"))
          << record.dump();
    }
    EXPECT_EQ(read.sectors, c.sectors);
    WarpAccess load = read_of(copy_of(record));
    load.op = Op::Load;
    EXPECT_EQ(read.lines, cost(load).lines) << record.dump();
    EXPECT_EQ(read.ideal_sectors, cost(load).ideal_sectors) << record.dump();
    EXPECT_EQ(written.wavefronts, c.wavefronts);
    EXPECT_GE(written.wavefronts, written.ideal_wavefronts) << record.dump();
    EXPECT_EQ(plan_banks(write_of(copy_of(record))).wavefronts, c.wavefronts) << record.dump();
    if (!c.wavefronts_exact) continue;
    EXPECT_EQ(c.wavefronts, counters.at("memory_l1_wavefronts_shared")) << record.dump();
    // Of lanes that are left out the groups that are left count here, and the bytes there.
    const auto ideal = counters.find("memory_l1_wavefronts_shared_ideal");
    if (ideal != counters.end() && copy_of(record).active == ~LaneMask{0}) {
      EXPECT_EQ(written.ideal_wavefronts, *ideal) << record.dump();
    }
    ++exact;
  }
  return exact;
}
nlohmann::json records_in(const char* name) {
  std::ifstream file(std::string(WARPLENS_SOURCE_DIR "/tests/data/") + name);
  return nlohmann::json::parse(file).at("records");
}

TEST(AsyncCopy, EveryRecordOfTheHardwareIsPricedAsMeasured) {
  EXPECT_EQ(hold_against(matrix_records()), 57);
}
// Addresses at which lanes share a global or a shared place are among these.
TEST(AsyncCopy, SoAreDrawnAddresses) {
  const auto records = records_in("h200_async_copies.json");
  EXPECT_EQ(records.size(), 160u);
  EXPECT_EQ(hold_against(records), 152);
}
// Few lanes in few banks, where each decision shows.
TEST(AsyncCopy, SoAreFewLanesInFewBanks) {
  const auto records = records_in("h200_async_few.json");
  EXPECT_EQ(records.size(), 480u);
  EXPECT_EQ(hold_against(records), 471);
}

// Lanes that read nothing, as many as there are ways to say so: also all, and also none of them.
TEST(AsyncCopy, SoAreLanesWhoseSourceSizeIsZero) {
  const auto records = records_in("h100_async_sizes.json");
  EXPECT_EQ(records.size(), 716u);
  EXPECT_EQ(hold_against(records), 553);
}

// The same with a predicate that the assembler keeps in P1, which the counters read as it is: what is said to
// be exact is equal there too, and what no lane reads.
TEST(AsyncCopy, SoAreLanesOfAPredicateThatTheCountersRead) {
  const auto records = records_in("h100_async_predicates.json");
  ASSERT_EQ(records.size(), 56u);
  int exact = 0;
  for (const auto& record : records) {
    const AsyncCopy copy = copy_of(record);
    const AsyncCopyCost c = cost(copy);
    const int counted = record.at("counters").at("memory_l1_wavefronts_shared");
    if (copy.reading() == 0 || c.wavefronts_exact) {
      EXPECT_EQ(c.wavefronts, counted) << record.dump();
    }
    exact += c.wavefronts_exact ? 1 : 0;
    AsyncCopy whole = copy;
    whole.size = CopySize::Whole;
    if (copy.zeros == 0) {
      EXPECT_EQ(cost(whole).wavefronts, counted) << record.dump();
    }
  }
  EXPECT_EQ(exact, 6);
}

// The words of a plan are those of its lanes, each once in every wavefront that writes it, and no others.
void expect_words(const AsyncCopy& copy, const BankPlan& plan) {
  std::map<std::pair<int, Address>, LaneMask> words;
  std::map<std::pair<int, int>, std::set<Address>> of_banks;
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    if ((copy.active >> lane & 1) == 0) continue;
    const auto at = static_cast<std::size_t>(lane);
    for (int byte = 0; byte < copy.bytes; byte += 4) {
      const Address word = copy.shared[at] + static_cast<Address>(byte);
      words[{plan.wavefront[at], word}] |= LaneMask{1} << lane;
      of_banks[{plan.group[at], static_cast<int>(word / 4 % 32)}].insert(word);
    }
  }
  EXPECT_EQ(plan.words.size(), words.size());
  for (const auto& word : plan.words) {
    EXPECT_EQ(word.lanes, (words[{word.wavefront, word.address}]));
    EXPECT_EQ(word.bank, static_cast<int>(word.address / 4 % 32));
  }
  std::array<int, 32> most{};
  for (const auto& [place, distinct] : of_banks)
    most[static_cast<std::size_t>(place.second)] =
        std::max(most[static_cast<std::size_t>(place.second)], static_cast<int>(distinct.size()));
  for (std::size_t bank = 0; bank < most.size(); ++bank) EXPECT_EQ(plan.words_in_bank[bank], most[bank]);
}

// Through L1 two lanes of a group that read from one bank or write to one go one after the other; past it the
// degree is what a group takes on average.
void expect_turns(const AsyncCopy& copy, const BankPlan& plan) {
  if (copy.past_l1) {
    const bool is_whole = copy.size == CopySize::Whole;
    const int even = plan.groups > 0 ? (plan.wavefronts + plan.groups - 1) / plan.groups : 0;
    EXPECT_TRUE(!is_whole || plan.degree == even);
    return;
  }
  const auto bank = [&](Address address) {
    return address / static_cast<Address>(copy.bytes) % (128 / static_cast<Address>(copy.bytes));
  };
  for (std::size_t i = 0; i < kWarpLanes; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool both = (copy.active >> i & copy.active >> j & 1) != 0 && plan.group[i] == plan.group[j];
      const bool both_read = (copy.reading() >> i & copy.reading() >> j & 1) != 0;
      if (both && (bank(copy.shared[i]) == bank(copy.shared[j]) ||
                   (both_read && bank(copy.global[i]) == bank(copy.global[j])))) {
        EXPECT_NE(plan.wavefront[i], plan.wavefront[j]);
      }
    }
  }
}

// Every lane has its bytes in a wavefront, and no two that meet have them in the same one.
TEST(AsyncCopy, APlanHasEveryLane) {
  for (const auto& record : records_in("h100_async_sizes.json")) {
    const AsyncCopy copy = copy_of(record);
    const BankPlan plan = plan_banks(write_of(copy));
    for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
      const bool is_active = (copy.active >> lane & 1) != 0;
      EXPECT_EQ(plan.wavefront[lane] >= 0, is_active) << record.dump();
      EXPECT_LT(plan.wavefront[lane], plan.wavefronts) << record.dump();
    }
    expect_words(copy, plan);
    expect_turns(copy, plan);
  }
}

AsyncCopy straight(int bytes, bool past_l1) {
  AsyncCopy copy{.bytes = bytes, .past_l1 = past_l1};
  for (std::size_t lane = 0; lane < kWarpLanes; ++lane)
    copy.global[lane] = copy.shared[lane] = lane * static_cast<Address>(bytes);
  return copy;
}

TEST(AsyncCopy, PastL1APredicateMakesItAsAStore) {
  AsyncCopy copy{.bytes = 16, .past_l1 = true};
  for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
    copy.global[lane] = 128 * lane;
    copy.shared[lane] = 16 * lane;
  }
  EXPECT_EQ(cost(copy), (AsyncCopyCost{1, 32, 32, true}));
  copy.size = CopySize::NoneOrWhole;
  EXPECT_EQ(cost(copy), (AsyncCopyCost{1, 32, 4, false}));  // in P1: 32
  copy.zeros = 0xffff0000u;
  EXPECT_EQ(cost(copy), (AsyncCopyCost{1, 16, 4, false}));
  copy.zeros = ~LaneMask{0};
  EXPECT_EQ(cost(copy), (AsyncCopyCost{0, 0, 4, false}));  // with !P0: 32
  EXPECT_EQ(read_of(copy).active, 0u);
  EXPECT_EQ(cost(read_of(copy)), Cost{});
  copy.size = CopySize::AnyNumber;
  EXPECT_EQ(cost(copy), (AsyncCopyCost{0, 0, 8, false}));
  EXPECT_FALSE(cost(write_of(copy)).exact);
}

TEST(AsyncCopy, AHalfKnowsTheOther) {
  AsyncCopy copy{.bytes = 8, .active = 0xff, .size = CopySize::NoneOrWhole, .zeros = 0x0f};
  for (std::size_t lane = 0; lane < 8; ++lane) {
    copy.global[lane] = 256 + 8 * lane;
    copy.shared[lane] = 64 * lane;
  }
  for (const WarpAccess& half : {read_of(copy), write_of(copy)}) {
    const AsyncCopy again = copy_of(half);
    EXPECT_EQ(again.active, copy.active);
    EXPECT_EQ(again.zeros, copy.zeros);
    EXPECT_EQ(again.global, copy.global);
    EXPECT_EQ(again.shared, copy.shared);
    EXPECT_EQ(cost(again), cost(copy));
  }
}

TEST(AsyncCopy, WhereTheOrderOfSectorsMattersItIsNotExact) {
  AsyncCopy crossed = straight(16, true);  // the halves of each sector change places
  for (Address& address : crossed.shared) address ^= 16;
  EXPECT_EQ(cost(crossed), (AsyncCopyCost{1, 16, 4, true}));
  AsyncCopy copy{.bytes = 16, .past_l1 = true, .active = 7};
  copy.global = {0, 0, 64};
  copy.shared = {0, 32, 64};  // sector 0 goes to two, and 2 could go beside the first of them
  EXPECT_FALSE(cost(copy).wavefronts_exact);
  AsyncCopy none = straight(4, false);
  none.active = 0;
  EXPECT_EQ(cost(none), AsyncCopyCost{});
}

}  // namespace
}  // namespace warplens::memory
