// Addresses of an access, and whether they are good ones.
#include "sim/machine/access.h"

#include "sim/base/hexadecimal.h"
#include "sim/machine/access_lanes.h"
#include "sim/program/memory_names.h"

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
  const std::string& name = program.sites[static_cast<std::size_t>(x.site)].array;
  const SharedArray* found = nullptr;
  for (const SharedArray& array : program.shared_arrays) {
    if (array.name != name) continue;
    if (found != nullptr) return nullptr;
    found = &array;
  }
  return found;
}

std::string name_address(const Machine& m, const Aim& aim, Address address) {
  if (aim.window == Window::Local)
    return "local byte " + std::to_string(static_cast<std::int64_t>(address - kLocalWindow));
  if (aim.window == Window::Shared)
    return "shared byte " + std::to_string(static_cast<std::int64_t>(address - kSharedWindow));
  if (aim.parameter < m.bound->regions.size()) return m.bound->name_of_address(aim.parameter, address);
  return address == 0 ? "the null pointer" : "address 0x" + hexadecimal(address) + ", which is in no buffer";
}

// "store of 4 bytes at out[7]"
std::string name_access(const Machine& m, const AccessStep& x, Address address) {
  const char* verb = x.opcode == Opcode::Load ? "load" : x.opcode == Opcode::Store ? "store" : "atomic";
  const Aim aim = aim_of(m, x, address);
  const SharedArray* array = array_of(m, x, aim.window);
  const Address window = aim.window == Window::Local ? kLocalWindow : kSharedWindow;
  return std::string(verb) + " of " + std::to_string(x.bytes) + (x.bytes == 1 ? " byte" : " bytes") + " at " +
         (array != nullptr ? element_name(*array, static_cast<std::int64_t>(address - window) - array->offset)
                           : name_address(m, aim, address));
}

std::string why_out_of_range(const Machine& m, const AccessStep& x, Address address) {
  const Aim aim = aim_of(m, x, address);
  if (const SharedArray* array = array_of(m, x, aim.window)) {
    const bool open = !array->extents.empty() && array->extents[0] == 0;
    return ": it is " + declaration_of(*array) +
           (open ? ", and the block has " + std::to_string(m.bound->shared_bytes) + " bytes of shared memory"
                 : "");
  }
  if (aim.window == Window::Local)
    return ": the lane's local arrays have " + std::to_string(m.bound->program->local_bytes) + " bytes";
  if (aim.window == Window::Shared)
    return ": the block has " + std::to_string(m.bound->shared_bytes) + " bytes of shared memory";
  if (aim.parameter >= m.bound->regions.size()) return "";
  const Region& region = m.bound->regions[aim.parameter];
  const std::string& name = m.bound->program->parameters[aim.parameter].name;
  if (address < region.begin) return ": " + name + " begins at element 0";
  if (address < region.end)
    return ": it reaches " + std::to_string(address + static_cast<Address>(x.bytes) - region.end) +
           " bytes past the end of " + name;
  const std::uint64_t most = (region.end - region.begin) / static_cast<std::uint64_t>(region.element_bytes);
  return ": " + name + " has " + std::to_string(most) + " elements" +
         (region.elements == 0 ? ", the most that the simulator gives a buffer without a length" : "");
}

bool inside(const AddressRange& range, Address address, int bytes) {
  return address >= range.begin && address < range.end && range.end - address >= static_cast<Address>(bytes);
}

// Lane by lane: an access that spreads over spaces or buffers, or is wrong somewhere.
bool split_lanes(Machine& m, const Step* s, const AccessStep& x, const LaneAddresses& at, LaneSplit& split) {
  for (LaneMask rest = m.active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const AddressRange range = range_of(m, x, at[lane]);
    if (!inside(range, at[lane], x.bytes)) {
      fail(m, s, RunError::Kind::OutOfRange, lane,
           name_access(m, x, at[lane]) + " is out of range" + why_out_of_range(m, x, at[lane]));
      return false;
    }
    if (at[lane] % static_cast<Address>(x.bytes) != 0) {
      fail(m, s, RunError::Kind::Misaligned, lane,
           name_access(m, x, at[lane]) + " is misaligned: its address is no multiple of " +
               std::to_string(x.bytes));
      return false;
    }
    if (range.space == SpaceOf::Global) split.global |= lane_bit(lane);
    if (range.space == SpaceOf::Shared) split.shared |= lane_bit(lane);
    if (range.space == SpaceOf::Local) split.local |= lane_bit(lane);
  }
  return true;
}

}  // namespace

AddressRange range_at(const Machine& m, Address address) {
  if (address >= kLocalWindow) {
    return {kLocalWindow, kLocalWindow + static_cast<Address>(m.bound->program->local_bytes), SpaceOf::Local,
            kLocalPlace};
  }
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
  const AddressRange range = range_of(m, x, at[static_cast<std::size_t>(__builtin_ctz(m.active))]);
  if (!access_lanes::all_inside(m, x, at, range)) return split_lanes(m, s, x, at, split);
  split = whole_split(range.space, m.active);
  return true;
}

}  // namespace warplens::sim
