// Addresses of an access, and whether they are good ones.
#include "sim/machine/access.h"

#include <type_traits>

#include "sim/base/numbers.h"
#include "sim/machine/access_lanes.h"
#include "sim/program/access.h"
#include "sim/scalar/bits.h"
#include "sim/scalar/ops.h"

namespace warplens::sim {

namespace {

// Which space an address was meant for, also where it is somewhat out of it.
enum class Window : std::uint8_t { Other, Shared, Local };

Window window_of(Address address) {
  constexpr Address kHalf = kBufferSpacing / 2;
  const auto near = [&](Address base) {
    return address + kHalf >= base && address + kHalf < base + kBufferSpacing;
  };
  if (near(kLocalWindow)) return Window::Local;
  if (near(kSharedWindow)) return Window::Shared;
  return Window::Other;
}

// What an access is meant for: the memory that its pointer comes from, or else what lies nearest.
struct Aim {
  Window window = Window::Other;
  std::size_t parameter = 0;  // Other: whose buffer, or as many as there are: no one's
};

Aim aim_of(const Machine& m, const AccessStep& x, Address address) {
  const std::size_t count = m.bound->regions.size();
  if (x.places == kSharedPlace) return {Window::Shared, count};
  if (x.places == kLocalPlace) return {Window::Local, count};
  for (std::size_t p = 0; p < count; ++p) {
    if (x.places != place_of_parameter(p)) continue;
    const bool is_alone = p + 1 == count || x.places != place_of_parameter(p + 1);
    if (is_alone) return {Window::Other, p};
    break;
  }
  const Window window = window_of(address);
  const std::size_t nearest = nearest_buffer(address);
  const bool is_near = window == Window::Other && nearest < count && m.bound->regions[nearest].end != 0;
  return {window, is_near ? nearest : count};
}

// The array that the text names, if its place is known: of a shared access by name, of a local one by
// address.
const SharedArray* array_of(const Machine& m, const AccessStep& x, Window window) {
  const Program& program = *m.bound->program;
  if (window == Window::Local && x.site < 0) {
    if (program.local_arrays.size() == 1) return program.local_arrays.data();
    return nullptr;
  }
  if (window != Window::Shared || x.site < 0) return nullptr;
  const std::string& name = program.sites[x.site].array;
  const SharedArray* found = nullptr;
  for (const SharedArray& array : program.shared_arrays) {
    if (array.name != name) continue;
    if (found != nullptr) return nullptr;
    found = &array;
  }
  return found;
}

// Whether the address lies in the shared memory of another block of the cluster: see kPeerSpacing.
bool is_of_another(const Machine& m, Address address) {
  return m.bound->program->reaches_cluster && address >= kSharedWindow + kPeerSpacing &&
         address < kSharedWindow + kBufferSpacing / 2;
}
std::uint64_t rank_of_other(Address address) {
  return (address - kSharedWindow) / kPeerSpacing - 1;
}

Message why_not_in_cluster(const Machine& m, Address address) {
  const std::uint64_t rank = rank_of_other(address),
                      count = m.cluster == nullptr ? 1 : m.cluster->peers.size();
  if (rank >= count)
    return count == 1 ? Message("the cluster has 1 block") : Message("the cluster has {} blocks", count);
  const BlockState& block = rank == m.cluster->rank ? *m.cluster : m.cluster->peers[rank];
  return block.has_ended() ? Message("block {} of the cluster has ended, and left its shared memory", rank)
                           : Message("the block has {} bytes of shared memory", m.bound->shared_bytes);
}

Message name_address(const Machine& m, const Aim& aim, Address address) {
  if (is_of_another(m, address))
    return Message("shared byte {} of block {} of the cluster",
                   static_cast<std::int64_t>((address - kSharedWindow) % kPeerSpacing),
                   rank_of_other(address));
  if (aim.window == Window::Local)
    return Message("local byte {}", static_cast<std::int64_t>(address - kLocalWindow));
  if (aim.window == Window::Shared)
    return Message("shared byte {}", static_cast<std::int64_t>(address - kSharedWindow));
  if (aim.parameter < m.bound->regions.size()) return m.bound->name_of_address(aim.parameter, address);
  return address == 0 ? Message("the null pointer")
                      : Message("address 0x{}, which is in no buffer", hexadecimal(address));
}

// "store of 4 bytes at out[7]"
Message name_access(const Machine& m, const AccessStep& x, Address address) {
  const Message verb = verb_of(x.opcode);
  const Aim aim = aim_of(m, x, address);
  const SharedArray* array = is_of_another(m, address) ? nullptr : array_of(m, x, aim.window);
  const Address window = aim.window == Window::Local ? kLocalWindow : kSharedWindow;
  const Message place =
      array != nullptr ? element_name(*array, static_cast<std::int64_t>(address - window) - array->offset)
                       : name_address(m, aim, address);
  return x.bytes == 1 ? Message("{} of 1 byte at {}", verb, place)
                      : Message("{} of {} bytes at {}", verb, x.bytes, place);
}

// Empty where nothing can be said.
Message why_out_of_range(const Machine& m, const AccessStep& x, Address address) {
  const Aim aim = aim_of(m, x, address);
  if (is_of_another(m, address)) return why_not_in_cluster(m, address);
  if (const SharedArray* array = array_of(m, x, aim.window)) {
    const bool open = !array->extents.empty() && array->extents[0] == 0;
    return open ? Message("it is {}, and the block has {} bytes of shared memory", declaration_of(*array),
                          m.bound->shared_bytes)
                : Message("it is {}", declaration_of(*array));
  }
  if (aim.window == Window::Local)
    return Message("the lane's local arrays have {} bytes", m.bound->program->local_bytes);
  if (aim.window == Window::Shared)
    return Message("the block has {} bytes of shared memory", m.bound->shared_bytes);
  if (aim.parameter >= m.bound->regions.size()) return {};
  const Region& region = m.bound->regions[aim.parameter];
  const std::string& name = m.bound->program->parameters[aim.parameter].name;
  if (address < region.begin) return Message("{} begins at element 0", name);
  if (address < region.end)
    return Message("it reaches {} bytes past the end of {}",
                   address + static_cast<Address>(x.bytes) - region.end, name);
  const std::uint64_t most = (region.end - region.begin) / static_cast<std::uint64_t>(region.element_bytes);
  return region.elements == 0
             ? Message("{} has {} elements, the most that the simulator gives a buffer without a length",
                       name, most)
             : Message("{} has {} elements", name, most);
}

bool inside(const AddressRange& range, Address address, int bytes) {
  return address >= range.begin && address < range.end && range.end - address >= static_cast<Address>(bytes);
}

// The name of the constants of the file at an address, or empty.
std::string read_only_at(const Machine& m, Address address) {
  const Region* region = m.bound->region_of(address);
  if (region == nullptr) return {};
  const KernelParameter& p = m.bound->program->parameters[region - m.bound->regions.data()];
  return p.symbol_elements > 0 && p.is_const ? p.name : std::string();
}

// The name of the pointer that was given as null and that the access goes through, or empty.
std::string null_pointer_of(const Machine& m, const AccessStep& x, Address address) {
  const Aim aim = aim_of(m, x, address);
  if (aim.parameter >= m.bound->regions.size()) return {};
  const std::string& name = m.bound->program->parameters[aim.parameter].name;
  const Buffer* buffer = m.bound->launch.buffer(name);
  return buffer != nullptr && buffer->is_null ? name : std::string();
}

// The lane's address is in no memory, or not in the one that the access is meant for.
void fail_range(Machine& m, const Step* s, const AccessStep& x, int lane, Address address) {
  if (const std::string name = read_only_at(m, address); x.opcode != Opcode::Load && !name.empty()) {
    fail(m, s, RunError::Kind::OutOfRange, lane,
         Message("{} is const and cannot be changed, and its address is stored to here", name));
    return;
  }
  if (const std::string null = null_pointer_of(m, x, address); !null.empty()) {
    fail(m, s, RunError::Kind::OutOfRange, lane,
         Message("{} through {}, which is a null pointer", verb_of(x.opcode), null));
    return;
  }
  const Message access = name_access(m, x, address), why = why_out_of_range(m, x, address);
  fail(m, s, RunError::Kind::OutOfRange, lane,
       why.empty() ? Message("{} is out of range", access) : Message("{} is out of range: {}", access, why));
}

// Lane by lane: an access that spreads over spaces or buffers, or is wrong somewhere. The first lane that is
// wrong is told.
bool split_lanes(Machine& m, const Step* s, const AccessStep& x, const LaneAddresses& at, LaneSplit& split) {
  LaneMask refused = 0;
  memory::each_lane(m.active, [&](int lane) {
    const AddressRange range = range_of(m, x, at[lane]);
    const bool in_range = inside(range, at[lane], x.bytes);
    if (!in_range || at[lane] % static_cast<Address>(x.bytes) != 0) {
      if (refused == 0 && !in_range) fail_range(m, s, x, lane, at[lane]);
      if (refused == 0 && in_range)
        fail(m, s, RunError::Kind::Misaligned, lane,
             Message("{} is misaligned: its address is not a multiple of {}", name_access(m, x, at[lane]),
                     x.bytes));
      refused |= lane_bit(lane);
      return;
    }
    if (range.space == SpaceOf::Global) split.global |= lane_bit(lane);
    if (range.space == SpaceOf::Shared) split.shared |= lane_bit(lane);
    if (range.space == SpaceOf::Local) split.local |= lane_bit(lane);
  });
  if (refused == 0) return true;
  if (x.site >= 0 && m.sink != nullptr) m.sink->on_refused(m, s, split, refused, at);
  return false;
}

}  // namespace

namespace {

BlockState* block_of_rank(const Machine& m, std::size_t rank) {
  if (m.cluster == nullptr || rank >= m.cluster->peers.size()) return nullptr;
  return rank == m.cluster->rank ? m.cluster : &m.cluster->peers[rank];
}

// A block that has ended has left its shared memory.
AddressRange cluster_range(const Machine& m, Address address) {
  const std::size_t rank = rank_of_other(address);
  const BlockState* block = block_of_rank(m, rank);
  if (block == nullptr || block->has_ended()) return {};
  const Address begin = kSharedWindow + (rank + 1) * kPeerSpacing;
  return {begin, begin + m.bound->shared_bytes, SpaceOf::Cluster, kSharedPlace};
}

}  // namespace

std::byte* shared_bytes_at(Machine& m, Address address) {
  if (!is_of_another(m, address)) return m.block->shared.data() + (address - kSharedWindow);
  return block_of_rank(m, rank_of_other(address))->shared.data() + (address - kSharedWindow) % kPeerSpacing;
}

AddressRange range_at(const Machine& m, Address address) {
  if (address >= kLocalWindow) {
    return {kLocalWindow, kLocalWindow + static_cast<Address>(m.bound->program->local_bytes), SpaceOf::Local,
            kLocalPlace};
  }
  if (is_of_another(m, address)) return cluster_range(m, address);
  if (address >= kSharedWindow)
    return {kSharedWindow, kSharedWindow + m.bound->shared_bytes, SpaceOf::Shared, kSharedPlace};
  const Region* region = m.bound->region_of(address);
  if (region == nullptr) return {};
  const auto parameter = static_cast<std::size_t>(region - m.bound->regions.data());
  return {region->begin, region->end, SpaceOf::Global, place_of_parameter(parameter)};
}

AddressRange range_of(const Machine& m, const AccessStep& x, Address address) {
  const AddressRange range = range_at(m, address);
  return (range.place & x.places) != 0 ? range : AddressRange{};
}

LaneSplit whole_split(SpaceOf space, LaneMask mask) {
  LaneSplit split;
  if (space == SpaceOf::Global) split.global = mask;
  if (space == SpaceOf::Shared) split.shared = mask;
  if (space == SpaceOf::Local) split.local = mask;
  return split;
}

void compute_addresses(Machine& m, const AccessStep& x, LaneAddresses& at) {
  access_lanes::compute(m, x, at);
}

bool split_access(Machine& m, const Step* s, const AccessStep& x, const LaneAddresses& at, LaneSplit& split) {
  const AddressRange range = range_of(m, x, at[__builtin_ctz(m.active)]);
  if (!access_lanes::all_inside(m, x, at, range)) return split_lanes(m, s, x, at, split);
  split = whole_split(range.space, m.active);
  return true;
}

namespace {

template <class T>
T integer_result(AtomicFunction function, T old, T c, T d) {
  switch (function) {
    case AtomicFunction::And:
      return old & c;
    case AtomicFunction::Or:
      return old | c;
    case AtomicFunction::Xor:
      return old ^ c;
    case AtomicFunction::Inc:
      return old >= c ? T{0} : ops::Add::of(old, T{1});
    case AtomicFunction::Dec:
      return old == T{0} || old > c ? c : ops::Sub::of(old, T{1});
    default:
      return d;
  }
}

template <class T>
std::uint64_t result(AtomicFunction function, std::uint64_t old_bits, std::uint64_t c_bits,
                     std::uint64_t d_bits) {
  const T old = from_bits<T>(old_bits), c = from_bits<T>(c_bits);
  switch (function) {
    case AtomicFunction::Add:
      return to_bits(ops::Add::of(old, c));
    case AtomicFunction::Sub:
      return to_bits(ops::Sub::of(old, c));
    case AtomicFunction::Min:
      return to_bits(ops::Min::of(old, c));
    case AtomicFunction::Max:
      return to_bits(ops::Max::of(old, c));
    case AtomicFunction::Exchange:
      return c_bits;
    case AtomicFunction::CompareAndSwap:
      return old_bits == c_bits ? d_bits : old_bits;  // bits, also for floats
    default:
      break;
  }
  if constexpr (std::is_integral_v<T>) {
    return to_bits(integer_result(function, old, c, from_bits<T>(d_bits)));
  } else {
    return old_bits;
  }
}

std::uint64_t packed_sum(ScalarType part, std::uint64_t old, std::uint64_t c) {
  std::uint64_t sum = 0;
  for (const int by : {0, 16}) {
    const float x = ops::from_small(part, static_cast<std::uint16_t>(old >> by));
    const float y = ops::from_small(part, static_cast<std::uint16_t>(c >> by));
    sum |= std::uint64_t{ops::to_small(part, static_cast<double>(x + y))} << by;
  }
  return sum;
}

}  // namespace

std::uint64_t atomic_result(AtomicFunction function, ScalarType type, std::uint64_t old, std::uint64_t c,
                            std::uint64_t d) {
  if (function == AtomicFunction::AddHalves) return packed_sum(ScalarType::F16, old, c);
  if (function == AtomicFunction::AddBrains) return packed_sum(ScalarType::BF16, old, c);
  return with_lane_type(lane_class(type),
                        [&]<class T>(T) { return narrowed(type, result<T>(function, old, c, d)); });
}

}  // namespace warplens::sim
