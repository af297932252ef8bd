// Counts asynchronous copies (cp.async), whose halves decide together what they cost: what is read is kept
// until the same copy writes. Between the two nothing else of the block runs. Like AccessCounter it keeps a
// table of what was seen, and memory::cost prices each once.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sim/count/totals.h"
#include "sim/machine/machine.h"
#include "sim/memory/async_copy.h"

namespace warplens::sim {

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

}  // namespace warplens::sim
