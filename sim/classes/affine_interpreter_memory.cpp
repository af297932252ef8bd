// Accesses: what an address must be in every block left, and what its values depend on.
#include <algorithm>
#include <optional>

#include "sim/classes/affine_form.h"
#include "sim/classes/affine_interpreter.h"
#include "sim/machine/access.h"
#include "sim/memory/cost.h"

namespace warplens::sim {

// The affine form of base + index * scale, with everything that makes it an exact one.
AffineForm AffineInterpreter::address(LaneMask mask, const AffineForm& base, const AffineForm& index) {
  const AffineForm known_base = known(base, Message::Text("an address")),
                   known_index = known(index, Message::Text("an address"));
  if (instr_.b != kNoReg && lane_bytes(instr_.index_type) == 4) {
    keep_in_type(instr_.b, instr_.index_type, mask, known_index);
  }
  AffineForm d = add_scaled(known_base, known_index, instr_.scale);
  d.unknown = 0;  // pinned
  return d;
}

// All lanes have one base and a 32-bit index: the indices say how far their addresses reach. False: it is not
// so, or they leave the buffer that the base points to, and nothing was done.
bool AffineInterpreter::access_indexed(const AccessStep& x) {
  const auto by_lane = [&](Reg r) { return t_.at(r).by_lane; };
  if (x.want_values || !x.base_uniform || instr_.b == kNoReg || is_uniform(instr_.b) || x.scale <= 0 ||
      lane_bytes(instr_.index_type) != 4 || by_lane(instr_.a) || by_lane(instr_.b))
    return false;
  const Range index = range(instr_.b, instr_.index_type, m_.active);
  const Int128 base = value(instr_.a, ScalarType::U64, 0) + x.offset;
  const Int128 lowest = base + index.least * x.scale, highest = base + index.most * x.scale;
  if (lowest < 0 || highest >= Int128{1} << 64) return false;
  const AddressRange whole = range_of(m_, x, static_cast<Address>(lowest));
  const Int128 last = Int128{whole.end} - x.bytes;
  if (whole.space == SpaceOf::Nowhere || highest > last) return false;
  const AffineForm of_index = known(of(instr_.b, 0), Message::Text("an address"));
  if (!of_index.flat()) keep_in_type(index, instr_.index_type, of_index);
  AffineForm d = add_scaled(known(of(instr_.a, 0), Message::Text("an address")), of_index, instr_.scale);
  d.unknown = 0;  // pinned
  if (!d.flat()) alike_.keep_between(d, lowest, highest, whole.begin, last);
  if (x.site >= 0) keep_phase(d, whole.space == SpaceOf::Shared);
  return true;
}

// Global addresses move by whole periods. Shared ones stay: where the worst of them lies is told too, and
// there are few.
void AffineInterpreter::keep_phase(const AffineForm& d, bool shared) {
  if (shared)
    alike_.pin(d.sloped());
  else
    alike_.keep_multiple(d, memory::kAddressPeriod);
}

bool AffineInterpreter::any_shared(LaneMask mask, const LaneAddresses& at) const {
  bool shared = false;
  each_lane(mask,
            [&](LaneMask bit) { shared |= range_at(m_, at[__builtin_ctz(bit)]).space == SpaceOf::Shared; });
  return shared;
}

void AffineInterpreter::access() {
  if (m_.active == 0) return;  // reads and writes nothing, not even a uniform register
  const AccessStep& x = t_.code_.accesses[step_->access];
  if (!x.want_values && is_none(instr_.a) && is_none(instr_.b)) return;
  if (access_indexed(x)) return;
  alignas(64) LaneAddresses at;
  compute_addresses(m_, x, at);
  std::optional<AffineForm> common;
  each_group(m_.active, instr_.a, instr_.b, kNoReg,
             [&](LaneMask mask, const AffineForm& a, const AffineForm& b, const AffineForm&) {
               AffineForm d = address(mask, a, b);
               if (!common) common = d;
               // Lanes must move as one: what they share of sectors and banks would not stay otherwise.
               const AffineForm apart = add_scaled(d, *common, -1);
               if (x.site >= 0 && !apart.flat()) pin(apart.sloped(), false, Message::Text("an address"));
               keep_inside(mask, at, x, d);
               if (x.site >= 0 && !d.flat()) keep_phase(d, any_shared(mask, at));
               if (x.want_values) follow_values(mask, at, x, d);
             });
}

// All lanes stay in the buffer, or the space, that they are in; where one is out of it, the run fails anyway.
void AffineInterpreter::keep_inside(LaneMask mask, const LaneAddresses& at, const AccessStep& x,
                                    const AffineForm& d) {
  if (d.flat()) return;
  // Mostly all lanes are in one buffer.
  const AddressRange whole = range_of(m_, x, at[__builtin_ctz(mask)]);
  const auto [lowest, highest] = lane_extremes().u64(reinterpret_cast<const std::byte*>(at.data()), mask);
  if (whole.space != SpaceOf::Nowhere && lowest >= whole.begin &&
      Int128{highest} <= Int128{whole.end} - x.bytes) {
    return alike_.keep_between(d, lowest, highest, whole.begin, Int128{whole.end} - x.bytes);
  }
  for (LaneMask rest = mask; rest != 0;) {
    const AddressRange range = range_of(m_, x, at[__builtin_ctz(rest)]);
    if (range.space == SpaceOf::Nowhere) return;
    LaneMask inside = 0;
    Address least = ~Address{0}, most = 0;
    each_lane(rest, [&](LaneMask bit) {
      const Address address = at[__builtin_ctz(bit)];
      if (address < range.begin || address >= range.end) return;
      inside |= bit;
      least = std::min(least, address);
      most = std::max(most, address);
    });
    const Int128 last = Int128{range.end} - x.bytes;
    if (inside == 0 || Int128{most} > last) return;
    alike_.keep_between(d, least, most, range.begin, last);
    rest &= ~inside;
  }
}

AffineForm AffineInterpreter::loaded_value(const AccessStep& x, Address address, const AffineForm& where) {
  const AffineForm moved{{}, where.sloped(), true};
  const auto with = [&](const AffineForm& held) {
    AffineForm d = lose(held, moved);
    d.loaded = d.unknown != 0;
    return d;
  };
  if (address >= kLocalWindow) return with(t_.warp_->local);
  if (x.form == AccessForm::Barrier) return {};  // counts alike in all blocks
  if (address >= kSharedWindow) return with(t_.shared_);
  // No store of this kernel reaches what counts in global memory (see Program::reads_written_global): it is
  // as the launch filled it.
  const Region* region = m_.bound->region_of(address);
  if (region == nullptr || region->holds_zeros() || where.flat()) return {};
  const bool counts = region->fill == Fill::Iota && x.type == region->type && !is_floating(x.type) &&
                      size_of(x.type) >= 4 && x.components == 1;
  if (!counts) return with({});
  AffineForm d;
  for (std::size_t i = 0; i < 3; ++i) {
    if (where.slope[i] % x.component_bytes != 0) return with({});
    d.slope[i] = where.slope[i] / x.component_bytes;
  }
  return d;
}

AffineForm AffineInterpreter::stored_value(LaneMask mask) {
  AffineForm stored;
  each_stored(instr_, [&](Reg r, ScalarType) {
    each_lane(mask, [&](LaneMask bit) { stored = lose(stored, of(r, __builtin_ctz(bit))); });
  });
  return stored;
}

void AffineInterpreter::follow_values(LaneMask mask, const LaneAddresses& at, const AccessStep& x,
                                      const AffineForm& where) {
  const Address address = at[__builtin_ctz(mask)];
  if (instr_.op != Opcode::Store && instr_.dst != kNoReg) {
    AffineForm d;
    bool first = true;
    each_lane(mask, [&](LaneMask bit) {
      const AffineForm one = loaded_value(x, at[__builtin_ctz(bit)], where);
      d = first || one == d ? one : lose(d, one);
      first = false;
    });
    if (instr_.op == Opcode::Atomic) d = lose(d, stored_value(mask));
    d.loaded = d.loaded || d.unknown != 0;
    each_written(instr_, [&](Reg r, ScalarType type) { set(r, mask, wrap_slopes(d, type)); });
  }
  if (instr_.op == Opcode::Load) return;
  AffineForm stored = lose(stored_value(mask), AffineForm{{}, where.sloped(), false});
  stored.loaded = true;
  if (stored.unknown == 0) return;
  AffineForm& held = address >= kLocalWindow ? t_.warp_->local : t_.shared_;
  if (address >= kSharedWindow) held = lose(held, stored);
}

}  // namespace warplens::sim
