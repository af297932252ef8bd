// Addresses of an access, and whether they are good ones.
#include "sim/warp/machine_access.h"

#include "sim/warp/machine_access_lanes.h"
#include "sim/warp/memory_names.h"

namespace warplens::warp {

namespace {

// The array that the text names, if its place is known: of a shared access by name, of a local one by
// address.
const SharedArray* array_of(const Machine& m, const AccessStep& x, Address address) {
  const Program& program = *m.bound->program;
  const Window window = window_of(address);
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

// "store of 4 bytes at out[7]"
std::string name_access(const Machine& m, const AccessStep& x, Address address) {
  const char* verb = x.opcode == Opcode::Load ? "load" : x.opcode == Opcode::Store ? "store" : "atomic";
  const SharedArray* array = array_of(m, x, address);
  const Address window = window_of(address) == Window::Local ? kLocalWindow : kSharedWindow;
  return std::string(verb) + " of " + std::to_string(x.bytes) + (x.bytes == 1 ? " byte" : " bytes") + " at " +
         (array != nullptr ? element_name(*array, static_cast<std::int64_t>(address - window) - array->offset)
                           : m.bound->name_of_address(address));
}

std::string why_out_of_range(const Machine& m, const AccessStep& x, Address address) {
  const Window window = window_of(address);
  if (const SharedArray* array = array_of(m, x, address)) {
    const bool open = !array->extents.empty() && array->extents[0] == 0;
    return ": it is " + declaration_of(*array) +
           (open ? ", and the block has " + std::to_string(m.bound->shared_bytes) + " bytes of shared memory"
                 : "");
  }
  if (window == Window::Local) {
    return ": the lane's local arrays have " + std::to_string(m.bound->program->local_bytes) + " bytes";
  }
  if (window == Window::Shared) {
    return ": the block has " + std::to_string(m.bound->shared_bytes) + " bytes of shared memory";
  }
  const Address nearest = (address + kBufferSpacing / 2) / kBufferSpacing;
  if (nearest == 0 || nearest > m.bound->regions.size() || m.bound->regions[nearest - 1].end == 0) return "";
  const Region& region = m.bound->regions[nearest - 1];
  const std::string& name = m.bound->program->parameters[nearest - 1].name;
  if (address < region.begin) return ": " + name + " begins at element 0";
  const std::uint64_t past = address + static_cast<Address>(x.bytes) - region.end;
  if (address < region.end) return ": it reaches " + std::to_string(past) + " bytes past the end of " + name;
  return ": " + name + " has " + std::to_string(region.elements) + " elements";
}

bool inside(const AddressRange& range, Address address, int bytes) {
  return address >= range.begin && address < range.end && range.end - address >= static_cast<Address>(bytes);
}

// Lane by lane: an access that spreads over spaces or buffers, or is wrong somewhere.
bool split_lanes(Machine& m, const Step* s, const AccessStep& x, const LaneAddresses& at, LaneSplit& split) {
  for (LaneMask rest = m.active; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const AddressRange range = range_at(m, at[lane]);
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
    return {kLocalWindow, kLocalWindow + static_cast<Address>(m.bound->program->local_bytes), SpaceOf::Local};
  }
  if (address >= kSharedWindow)
    return {kSharedWindow, kSharedWindow + m.bound->shared_bytes, SpaceOf::Shared};
  const Region* region = m.bound->region_of(address);
  return region != nullptr ? AddressRange{region->begin, region->end, SpaceOf::Global} : AddressRange{};
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
  const AddressRange range = range_at(m, at[static_cast<std::size_t>(__builtin_ctz(m.active))]);
  if (!access_lanes::all_inside(m, x, at, range)) return split_lanes(m, s, x, at, split);
  split = whole_split(range.space, m.active);
  return true;
}

}  // namespace warplens::warp
