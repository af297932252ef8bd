#include "sim/sanitize/memory_checker.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "sim/machine/lanes.h"
#include "sim/program/access.h"
#include "sim/scalar/bits.h"

namespace warplens::sim {

namespace {

std::string thread_of(const Bound& bound, int warp, int lane) {
  return bound.launch.block.at(static_cast<std::uint64_t>(warp * kWarpLanes + lane)).text();
}

Message shared_name(const Program& program, Address address, const std::string& array) {
  const std::uint64_t offset = address - kSharedWindow;
  const SharedArray* found = shared_array_at(program, offset, array);
  if (found == nullptr) return Message("shared byte {}", offset);
  return element_name(*found, static_cast<std::int64_t>(offset) - found->offset);
}

// Component `j` of what a lane stores, as it will lie in memory.
std::uint64_t stored_bits(const Machine& m, const AccessStep& x, int j, int lane) {
  const auto wide = static_cast<std::size_t>(lane_bytes(x.type));
  const std::size_t at =
      static_cast<std::size_t>(x.value[j]) + (x.values_uniform ? 0 : static_cast<std::size_t>(lane) * wide);
  std::uint64_t bits = 0;
  std::memcpy(&bits, m.registers + at, wide);
  return memory_bits(x.type, bits);
}

}  // namespace

MemoryChecker::MemoryChecker(const Bound& bound, const Code& code, Budget& budget)
    : bound_(bound), held_(budget) {
  const Program& program = *bound.program;
  std::unordered_map<std::string_view, std::vector<std::size_t>> arrays;
  for (std::size_t a = 0; a < program.shared_arrays.size(); ++a)
    arrays[program.shared_arrays[a].name].push_back(a);
  bounds_.resize(code.accesses.size());
  for (std::size_t i = 0; i < code.accesses.size(); ++i) {
    const AccessStep& x = code.accesses[i];
    if (x.site < 0) continue;
    const AccessSite& site = program.sites[x.site];
    if (site.space == SiteSpace::Global) continue;
    granule_bytes_ = std::min(granule_bytes_, static_cast<std::uint64_t>(x.component_bytes));
    const auto named = arrays.find(site.array);
    if (site.array.empty() || named == arrays.end() || named->second.size() != 1) continue;
    const std::size_t a = named->second[0];
    const SharedArray& array = program.shared_arrays[a];
    const Address begin = kSharedWindow + static_cast<Address>(array.offset);
    const bool open = !array.extents.empty() && array.extents[0] == 0;
    bounds_[i] = {begin,
                  open ? kSharedWindow + bound.shared_bytes : begin + static_cast<Address>(array.bytes), a};
  }
  const std::uint64_t granules = (bound.shared_bytes + granule_bytes_ - 1) / granule_bytes_;
  const std::uint64_t local = static_cast<std::uint64_t>(program.local_bytes) * sizeof(LaneMask);
  held_.need(granules * sizeof(Granule) + local * static_cast<std::uint64_t>(bound.warps), Stage::Checking);
  granules_.resize(granules);
  intervals_.resize(static_cast<std::size_t>(bound.warps));
  local_.resize(static_cast<std::size_t>(bound.warps));
}

void MemoryChecker::start_block() {
  first_epoch_ = epoch_ + 1;
  passed_ = 0;
  epoch_ = first_epoch_;
  std::fill(intervals_.begin(), intervals_.end(), 0);
  for (std::vector<LaneMask>& warp : local_)
    warp.assign(static_cast<std::size_t>(bound_.program->local_bytes), 0);
}

bool MemoryChecker::check(Machine& m, const Step* s, const AccessStep& x, const LaneAddresses& at,
                          const LaneSplit& split) {
  if (x.site < 0 && split.shared != 0) return note_unpriced(m, x, at, split.shared);
  if (split.shared != 0 && !check_shared(m, s, x, at, split.shared)) return false;
  return split.local == 0 || check_local(m, s, x, at, split.local);
}

// Barriers and bulk copies are in order with all that follows.
bool MemoryChecker::note_unpriced(const Machine& m, const AccessStep& x, const LaneAddresses& at,
                                  LaneMask mask) {
  if (x.opcode != Opcode::Store) return true;
  epoch_ = std::max(epoch_, first_epoch_ + m.block->phase + passed_++);
  memory::each_lane(mask, [&](int lane) {
    const Address address = at[lane] - kSharedWindow;
    const std::uint64_t end = address + static_cast<std::uint64_t>(x.bytes);
    for (std::uint64_t g = address / granule_bytes_; g * granule_bytes_ < end; ++g)
      granules_[g].write.epoch = epoch_;
  });
  return true;
}

// Inside shared memory, but outside of the array that the text names.
bool MemoryChecker::check_array(Machine& m, const Step* s, const AccessStep& x, const LaneAddresses& at,
                                LaneMask mask) {
  const Bounds& bounds = bounds_[s->access];
  if (bounds.end == 0) return true;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const Address address = at[lane];
    if (address >= bounds.begin && address + static_cast<Address>(x.bytes) <= bounds.end) continue;
    const SharedArray& array = bound_.program->shared_arrays[bounds.array];
    fail(m, s, RunError::Kind::OutOfRange, lane,
         Message("{} is out of range: {}",
                 Message("{} of {} bytes at {}", verb_of(x.opcode), x.bytes,
                         element_name(array, static_cast<std::int64_t>(address - bounds.begin))),
                 Message("it is {}", declaration_of(array))));
    return false;
  }
  return true;
}

bool MemoryChecker::check_shared(Machine& m, const Step* s, const AccessStep& x, const LaneAddresses& at,
                                 LaneMask mask) {
  if (!check_array(m, s, x, at, mask)) return false;
  if (bound_.program->reaches_cluster) return true;  // others write there too, and are not looked at
  epoch_ = std::max(epoch_, first_epoch_ + m.block->phase + passed_);
  ++serial_;
  Touch now;
  now.epoch = epoch_;
  now.serial = serial_;
  now.interval = intervals_[m.warp];
  now.mask = mask;
  now.instr = x.instr;
  now.warp = static_cast<std::uint16_t>(m.warp);
  now.is_atomic = x.opcode == Opcode::Atomic;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    now.lane = static_cast<std::uint8_t>(lane);
    if (!check_lane(m, s, x, at[lane], now)) return false;
  }
  return true;
}

bool MemoryChecker::is_ordered(const Touch& before, const Touch& now) const {
  if (before.epoch != now.epoch) return true;
  if (before.is_atomic && now.is_atomic) return true;
  if (before.warp != now.warp) return false;
  if (before.lane == now.lane || before.interval != now.interval) return true;
  return before.serial != now.serial && (before.mask & now.mask) != 0;
}

// Whether a store leaves in a granule what a write before it, unordered with it, has left there.
bool MemoryChecker::keeps_value(Machine& m, const AccessStep& x, const Touch& before, const Touch& now,
                                Address address, std::uint64_t granule) const {
  if (x.opcode != Opcode::Store) return false;
  const Address from = kSharedWindow + granule * granule_bytes_ - address;  // into what is stored
  const auto component = static_cast<Address>(x.component_bytes);
  const int j = static_cast<int>(from / component);
  const int shift = static_cast<int>(8 * (from % component));
  const auto slice = [&](std::uint64_t bits) {
    return (bits >> shift) & ((std::uint64_t{1} << (8 * granule_bytes_)) - 1);
  };
  const std::uint64_t mine = slice(stored_bits(m, x, j, now.lane));
  if (before.serial == now.serial) return mine == slice(stored_bits(m, x, j, before.lane));
  std::uint64_t there = 0;
  std::memcpy(&there, m.block->shared.data() + granule * granule_bytes_, granule_bytes_);
  return mine == there;
}

bool MemoryChecker::check_lane(Machine& m, const Step* s, const AccessStep& x, Address address, Touch now) {
  const std::uint64_t first = (address - kSharedWindow) / granule_bytes_;
  const std::uint64_t count = static_cast<std::uint64_t>(x.bytes) / granule_bytes_;
  for (std::uint64_t g = first; g < first + std::max<std::uint64_t>(1, count); ++g) {
    Granule& granule = granules_[g];
    const Address at = kSharedWindow + g * granule_bytes_;
    const bool unwritten = std::max(granule.write.epoch, granule.atomic.epoch) < first_epoch_;
    if (x.opcode != Opcode::Store && unwritten) {
      const AccessSite& site = bound_.program->sites[x.site];
      return fail_unwritten(m, s, x, at, now.lane, shared_name(*bound_.program, at, site.array), false);
    }
    if (!is_ordered(granule.write, now) && !keeps_value(m, x, granule.write, now, address, g))
      return fail_race(m, s, x, at, granule.write, now);
    if (!is_ordered(granule.atomic, now)) return fail_race(m, s, x, at, granule.atomic, now);
    if (x.opcode == Opcode::Load) {
      const bool fresh = granule.reads[0].epoch != now.epoch || granule.reads[0].warp == now.warp;
      granule.reads[fresh ? 0 : 1] = now;
      continue;
    }
    for (const Touch& read : granule.reads) {
      if (!is_ordered(read, now)) return fail_race(m, s, x, at, read, now);
    }
    (now.is_atomic ? granule.atomic : granule.write) = now;
  }
  return true;
}

bool MemoryChecker::check_local(Machine& m, const Step* s, const AccessStep& x, const LaneAddresses& at,
                                LaneMask mask) {
  std::vector<LaneMask>& written = local_[m.warp];
  const auto byte = [&](int lane) { return static_cast<std::size_t>(at[lane] - kLocalWindow); };
  const int first = __builtin_ctz(mask);
  for (LaneMask rest = mask; rest != 0;) {
    // Lanes at one address, which mostly are all of them, at once.
    const std::size_t from = byte(__builtin_ctz(rest));
    LaneMask same = 0;
    memory::each_lane(rest, [&](int lane) {
      if (byte(lane) == from) same |= lane_bit(lane);
    });
    rest &= ~same;
    LaneMask missing = 0, some = 0;  // lanes of which a byte was not written, and of which one was
    for (std::size_t b = from; b < from + static_cast<std::size_t>(x.bytes); ++b) {
      if (x.opcode == Opcode::Store) written[b] |= same;
      missing |= same & ~written[b];
      some |= same & written[b];
    }
    // A compiler copies a struct with its padding, which nobody wrote: in words, or byte by byte.
    if (bound_.program->compiled) missing &= x.component_bytes < 4 ? LaneMask{0} : ~some;
    if (missing == 0) continue;
    const SharedArray* array = local_array_at(*bound_.program, from);
    const Message name = array != nullptr
                             ? element_name(*array, static_cast<std::int64_t>(from) - array->offset)
                             : Message("local byte {}", from);
    return fail_unwritten(m, s, x, kLocalWindow + from, __builtin_ctz(missing), name, true);
  }
  return first >= 0;
}

bool MemoryChecker::fail_unwritten(Machine& m, const Step* s, const AccessStep& x, Address address, int lane,
                                   const Message& name, bool by_thread) {
  const bool shared = address < kLocalWindow;
  const Message access = x.bytes == 1 ? Message("{} of 1 byte", verb_of(x.opcode))
                                      : Message("{} of {} bytes", verb_of(x.opcode), x.bytes);
  fail(m, s, RunError::Kind::Uninitialised, lane,
       by_thread ? Message("{} reads {}, which the thread has not written yet", access, name)
                 : Message("{} reads {}, which no thread of the block has written yet", access, name));
  m.error.remedy = shared ? Message("write it first, and let __syncthreads() stand between")
                          : Message("give it a value first");
  return false;
}

bool MemoryChecker::fail_race(Machine& m, const Step* s, const AccessStep& x, Address address,
                              const Touch& before, const Touch& now) {
  const Program& program = *bound_.program;
  const Instr& other = program.code[before.instr];
  const AccessSite& other_site = program.sites[other.site];
  const AccessSite& site = program.sites[x.site];
  const Message name = shared_name(program, address, site.array);
  const bool one_instruction = before.serial == now.serial;
  const std::string first = thread_of(bound_, before.warp, before.lane);
  fail(
      m, s, RunError::Kind::Race, now.lane,
      one_instruction
          ? Message("race on {}: threads {} and {} store different values there at once, and either may stay",
                    name, first, thread_of(bound_, now.warp, now.lane))
          : Message(
                "race on {}: this {} and the {} {} in line {} by thread {}, lane {} of warp {}, have no {} "
                "between them",
                name, verb_of(x.opcode), verb_of(other.op), other_site.text, other_site.range.begin.line,
                first, before.lane, before.warp,
                before.warp == now.warp ? "__syncwarp()" : "__syncthreads()"));
  m.error.other = other_site.range;
  m.error.remedy =
      one_instruction ? Message("let one thread store it, or use an atomic")
      : before.warp == now.warp
          ? Message("put __syncwarp() between the two, outside of the branch")
          : Message("put __syncthreads() between the two, where every thread of the block reaches it");
  return false;
}

}  // namespace warplens::sim
