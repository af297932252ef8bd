#include "sim/machine/spin_watch.h"

#include <cstring>

#include "sim/machine/access.h"

namespace warplens::sim {

SpinWatch::SpinWatch(const Machine& m, const Step* from) : from_(from), active_(m.active), live_(m.live) {
  const auto* lines = reinterpret_cast<const RegisterLine*>(m.registers);
  registers_.assign(lines, lines + m.code->initial.size());
  frames_.assign(m.frames, m.frames + m.code->frames);
}

const std::byte* SpinWatch::bytes_at(Machine& m, Address address, int lane) const {
  const AddressRange range = range_at(m, address);
  if (range.space == SpaceOf::Nowhere || address >= range.end || range.end - address < width_ ||
      address % width_ != 0)
    return nullptr;
  if (range.space == SpaceOf::Global) return m.global->at(address, false);
  if (range.space == SpaceOf::Shared || range.space == SpaceOf::Cluster) return shared_bytes_at(m, address);
  return m.local + static_cast<Address>(lane) * static_cast<Address>(m.bound->program->local_bytes) +
         (address - range.begin);
}

// Values that a counting run does not follow steer nothing: such an access changes nothing either.
void SpinWatch::before(Machine& m, const Step* s) {
  writes_ = 0;
  if (s->access < 0 || m.active == 0) return;
  const AccessStep& x = m.code->access_of(s);
  if (x.opcode == Opcode::Load || !x.want_values) return;
  alignas(64) LaneAddresses at;
  compute_addresses(m, x, at);
  width_ = static_cast<std::size_t>(x.bytes);
  writes_ = m.active;
  memory::each_lane(writes_, [&](int lane) {
    Found& found = found_[lane];
    found.address = at[lane];
    const std::byte* bytes = bytes_at(m, found.address, lane);
    if (bytes != nullptr) std::memcpy(found.bytes.data(), bytes, width_);
    changed_ |= bytes == nullptr;  // the step will fail
  });
}

void SpinWatch::after(Machine& m) {
  for (LaneMask rest = writes_; rest != 0 && !changed_; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const Found& found = found_[lane];
    const std::byte* bytes = bytes_at(m, found.address, lane);  // a page that is written may have moved
    changed_ |= bytes == nullptr || std::memcmp(found.bytes.data(), bytes, width_) != 0;
  }
}

bool SpinWatch::is_back(const Machine& m, const Step* s) const {
  return s == from_ && m.active == active_ && m.live == live_ &&
         std::memcmp(registers_.data(), m.registers, registers_.size() * sizeof(RegisterLine)) == 0 &&
         (frames_.empty() || std::memcmp(frames_.data(), m.frames, frames_.size() * sizeof(Frame)) == 0);
}

}  // namespace warplens::sim
