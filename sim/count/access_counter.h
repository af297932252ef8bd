// Counts accesses without pricing each one: a cache in front of memory::cost, never a rule of its own.
//
// An access is its lanes' addresses relative to the lowest active lane, the *pattern*, and that lane's
// address, the base. The rules look at sectors, lines and banks, so moving all addresses by their common
// period (128 bytes) changes no count: what an access costs depends on the pattern and on base mod period
// alone. Hence per access instruction a table of the patterns seen, each with one counter for every base mod
// period; memory::cost prices each counter once, when the totals are asked for. A warp that repeats the last
// pattern of its instruction costs one comparison of 32 lanes and one increment.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sim/count/totals.h"
#include "sim/machine/machine.h"
#include "sim/memory/async_copy.h"
#include "sim/memory/cost.h"

namespace warplens::sim {

// Counts asynchronous copies (cp.async), whose halves decide together what they cost: what is read is kept
// until the same copy writes. Between the two nothing else of the block runs. Like AccessCounter it keeps a
// table of what was seen, and memory::cost prices each once.

// Patterns kept per access instruction. A gather through random indices never repeats one: what goes beyond
// this is priced as it comes.
inline constexpr std::size_t kMostPatterns = 512;
// Relative addresses may be negative: the rule is asked far from address 0.
inline constexpr Address kFarBase = Address{1} << 48;

// The lanes of one half, and their addresses from the lowest one's on; that lane's address modulo
// memory::kAddressPeriod.
struct CopyHalf {
  LaneMask active = 0;
  std::uint32_t phase = 0;
  alignas(64) memory::LaneAddresses relative{};  // zero for inactive lanes
  friend bool operator==(const CopyHalf&, const CopyHalf&) = default;
};

struct CopyPattern {
  CopyHalf read, write;
  friend bool operator==(const CopyPattern&, const CopyPattern&) = default;
};

struct CopyPatternHash {
  std::size_t operator()(const CopyPattern& pattern) const;
};

class CopyCounter {
 public:
  CopyCounter(const Bound& bound, const Code& code, Budget& budget);

  // Count one half of an Async access. Precondition: its addresses are valid and `mask` is not 0.
  void read(const AccessStep& x, LaneMask mask, const memory::LaneAddresses& at);
  void write(const Step* s, const AccessStep& x, LaneMask mask, const memory::LaneAddresses& at);

  // Adds everything counted since the last call to `totals`, `weight` times.
  void add_to(Totals& totals, std::uint64_t weight);

 private:
  struct Counted {
    std::uint64_t hits = 0;
    Address lowest = ~Address{0};  // that the first lane writes to: see SiteShape::worst
    bool is_priced = false;
    memory::Cost read{}, write{};
  };
  struct Sum {
    SiteTotals totals;
    SiteShape shape;
    void add(const Sum& more, std::uint64_t times);
  };
  using Patterns = std::unordered_map<CopyPattern, Counted, CopyPatternHash>;
  struct OfStep {
    std::size_t read_site = 0;
    Patterns patterns;
    Patterns::value_type* recent = nullptr;
    Sum read, write;  // of those priced as they came
  };
  memory::AsyncCopy copy_of(const AccessStep& x, const CopyPattern& pattern, Address base) const;
  void add(const AccessStep& x, const CopyPattern& pattern, const Counted& counted, std::uint64_t times,
           Sum& read, Sum& write) const;

  const Bound& bound_;
  const Code& code_;
  HeldMemory held_;
  CopyHalf reading_;
  std::size_t read_site_ = 0;
  std::vector<OfStep> steps_;  // by access step; empty where the program copies nothing so
};

struct AccessPattern {
  memory::Space space = memory::Space::Global;
  LaneMask active = 0;
  std::uint8_t within_word = 0;      // the base modulo 4, of a shared access narrower than a word
  memory::LaneAddresses relative{};  // zero for inactive lanes
  friend bool operator==(const AccessPattern&, const AccessPattern&) = default;
};

struct AccessPatternHash {
  std::size_t operator()(const AccessPattern& pattern) const;
};

struct CountedPattern {
  AccessPattern pattern;
  std::vector<std::uint64_t> hits;  // per base mod kAddressPeriod
  std::vector<memory::Cost> costs;  // per base mod kAddressPeriod; requests == 0: not priced yet
  // The same of global loads and stores: see l1_stages_of_placements.
  std::vector<memory::StageCost> stages;
  LaneStride step;               // once priced
  Address lowest = ~Address{0};  // of the bases seen: see SiteShape::worst
};

// What the last access of an instruction looked like, ready to be compared with the next one.
struct RecentAccess {
  LaneMask active = 0;  // 0: nothing to compare with
  int first_lane = 0;
  std::uint64_t* hits = nullptr;
  Address first_base = 0, base_span = 0;  // bases from first_base to first_base + base_span keep in range
  Address low_bits = 0, low_mask = 0;     // and are aligned: base & low_mask is low_bits
  std::int64_t first_index = 0;           // indices of the first lane that do not wrap: from here ...
  std::uint64_t index_span = 0;           // ... to here
  alignas(64) std::uint32_t index[kWarpLanes] = {};     // 32-bit index, relative to the first lane's
  alignas(64) std::uint32_t compared[kWarpLanes] = {};  // all ones for active lanes
  alignas(64) std::uint64_t address[kWarpLanes] = {};   // relative to the first lane's
  alignas(64) std::uint64_t compared_wide[kWarpLanes] = {};
};

class AccessCounter : public HandlerState {
 public:
  // Throws Stopped where the budget has no memory for it; so does count().
  AccessCounter(const Bound& bound, const Code& code, Budget& budget);

  // Counts an access with all checks, and remembers it as the recent one of its step. False: the run failed.
  bool count(Machine& m, const Step* s, const AccessStep& x, const memory::LaneAddresses& at);
  RecentAccess& recent(std::int32_t access) { return recent_[static_cast<std::size_t>(access)]; }

  // Adds everything counted since the last call to `totals`, `weight` times.
  void add_to(Totals& totals, std::uint64_t weight);

 private:
  memory::WarpAccess access_of(const AccessStep& x, const AccessPattern& pattern, Address base) const;
  CountedPattern* find(const AccessStep& x, std::size_t access, const AccessPattern& pattern);
  void count_directly(const AccessStep& x, const AccessPattern& pattern, Address base);
  void price(const AccessStep& x, CountedPattern& counted, Address phase) const;
  void add_shape(Totals& totals, const AccessStep& x, CountedPattern& counted, Address phase,
                 const memory::Cost& cost, std::uint64_t times);
  void remember(const Machine& m, const AccessStep& x, RecentAccess& recent, CountedPattern& counted,
                const memory::LaneAddresses& at);

  const Bound& bound_;
  const Code& code_;
  HeldMemory held_;
  CopyCounter copies_;
  using Patterns = std::unordered_map<AccessPattern, std::unique_ptr<CountedPattern>, AccessPatternHash>;
  std::vector<Patterns> patterns_;    // per access step
  std::vector<RecentAccess> recent_;  // per access step
  Totals direct_;                     // accesses priced one by one
};

// The handler of a counting run for this access: its machine's HandlerState is an AccessCounter.
Handler counting_handler(const AccessStep& access);

}  // namespace warplens::sim
