// Memory accesses of inline PTX: loads, stores, atomics, cvta, cp.async, barriers.
#include <algorithm>

#include "sim/lower/memory/tensor_copy.h"
#include "sim/lower/ptx/ptx_lowering.h"

namespace warplens::sim::lower {

AccessText PtxLowering::text_of(const Instruction& i, const Operand& operand) const {
  AccessText text{range_, i.name() + " [" + operand.name + "]", source_};
  const auto cell = cells_.find(operand.name);
  if (cell != cells_.end() && cell->second.expr != nullptr) {
    const cuda::Expr& expr = *cell->second.expr;
    const auto* name = l_.is_library(expr.range) ? std::get_if<cuda::NameExpr>(&expr.node) : nullptr;
    const Symbol* parameter = name != nullptr ? l_.find_symbol(name->name) : nullptr;
    if (parameter != nullptr && parameter->given != nullptr) return l_.pointee_text(*parameter->given);
    const std::string instruction =
        i.name() == "cp" ? "cp.async" : i.name() + (i.has("trans") ? ".trans" : "");
    text = {expr.range, instruction + " [" + l_.text_of(expr.range) + "]", &expr};
  }
  return text;
}

// Pointers into shared and local memory count from its beginning, in 32 or 64 bits; others are addresses as
// they are. Of 32 bits a number is added modulo 2^32, so that [%r+1024] may be reached from -1024: no window
// is so large that its sign would matter.
Address PtxLowering::address(const Operand& operand, Space space) {
  Address made;
  const auto found = cells_.find(operand.name);
  const Cell* cell = found != cells_.end()  ? &found->second
                     : operand.name.empty() ? nullptr
                                            : first_value(operand.name);
  if (!operand.name.empty() && cell == nullptr)
    complain(Message("the PTX register '{}' is read before it has a value", operand.name));
  if (space != Space::Generic) {
    const bool is_shared = space == Space::Shared;
    const int array = cell == nullptr ? -1 : cell->array;
    const Origin origin = array >= 0 ? Origin{Origin::Kind::Array, array}
                                     : Origin{is_shared ? Origin::Kind::Shared : Origin::Kind::Local, -1};
    made.base = b_.ir.constant(ScalarType::U64, is_shared ? kSharedWindow : kLocalWindow, origin);
    if (!operand.name.empty()) {
      Operand base = operand;
      base.kind = Operand::Kind::Name;
      base.number = 0;
      const ScalarType type = size_of(cell->type) == 8 ? ScalarType::U64 : ScalarType::I32;
      b_.add_index(made, b_.settled(type, read(base, type)), type, 1, false);
    }
  } else if (!operand.name.empty()) {
    touch(*cell);
    made.base = b_.settled(ScalarType::U64, cast(cell->value, cell->type, ScalarType::U64));
    if (cell->address) made = *cell->address;
  } else {
    made.base = number(0, ScalarType::U64);
  }
  made.advance(operand.number);
  for (const Operand& more : operand.parts) {
    const Value added = read(more, ScalarType::I64);
    b_.add_index(made, added, ScalarType::I64, 1, false);
  }
  return made;
}

PtxLowering::Space PtxLowering::space_of(const Instruction& i) {
  if (i.has("param") || i.has("tex")) refuse(i);
  const bool is_shared = i.has("shared") || i.has("shared::cta") || i.has("shared::cluster");
  return is_shared ? Space::Shared : i.has("local") ? Space::Local : Space::Generic;
}

// Of .v8, which sm_100 has, the words go in pairs: an access has four parts at most.
void PtxLowering::load(const Instruction& i) {
  const auto given = ptx_type(i.last());
  if (!given) refuse(i);
  const Operand &to = i.operands[0], &from = i.operands[1];
  const bool is_vector = to.kind == Operand::Kind::Vector;
  const std::size_t parts = is_vector ? to.parts.size() : 1, joined = parts == 8 ? 2 : 1;
  const bool fits = parts == 1 || parts == 2 || parts == 4 || (parts == 8 && size_of(*given) == 4);
  if (from.kind != Operand::Kind::Address || !fits) return refuse(i);
  const ScalarType type = joined == 2 ? ScalarType::U64 : *given;
  const Address at = address(from, space_of(i));
  const std::vector<Value> values =
      parts == 1 ? std::vector<Value>{b_.ir.temp(type)}
                 : b_.ir.group(ValueInfo::Kind::Temp, type, static_cast<int>(parts / joined), b_.region);
  AccessText text = text_of(i, from);
  text.is_volatile = i.has("volatile") || i.has("relaxed") || i.has("acquire");
  b_.load(at, text, type, values);
  for (std::size_t k = 0; k < parts; ++k) {
    Number value(b_, type, values[k / joined]);
    if (k % joined != 0) value = value >> 32u;
    write(is_vector ? to.parts[k] : to, cast(value, *given));
  }
}

void PtxLowering::store(const Instruction& i) {
  auto type = ptx_type(i.last());
  if (!type || i.has("async") || i.has("bulk")) refuse(i);
  const Operand& to = i.operands[0];
  std::vector<Value> values = read_all(i.operands[1], *type);
  if (values.size() == 8 && size_of(*type) == 4) {
    const ScalarType wide = ScalarType::U64;
    for (std::size_t k = 0; k < 4; ++k) {
      const Number low = cast(values[2 * k], *type, wide), high = cast(values[2 * k + 1], *type, wide);
      values[k] = low | (high << 32u);
    }
    values.resize(4);
    type = wide;
  }
  if (to.kind != Operand::Kind::Address || values.empty() || values.size() == 3 || values.size() > 4)
    return refuse(i);
  b_.store(address(to, space_of(i)), text_of(i, to), *type, values);
}

// atom.global.add.u32 d, [a], b; red has no d.
void PtxLowering::atomic(const Instruction& i) {
  using enum AtomicFunction;
  std::string_view word = i.last();
  const bool is_pair = word.ends_with("x2");
  if (is_pair) word.remove_suffix(2);
  const auto type = word == "b16" && i.has("cas") ? ScalarType::U16 : atomic_type(word);
  const auto named = i.has("exch")  ? std::optional(Exchange)
                     : i.has("cas") ? std::optional(CompareAndSwap)
                                    : combining(i);
  if (!type || !named) refuse(i);
  if (i.operands.back().kind == Operand::Kind::Vector) return refuse(i);  // .v2, .v4
  if (is_floating(*type) && *named != Add) return refuse(i);
  const bool is_small = is_small_float(*type);
  if (is_pair && !is_small) return refuse(i);
  const ScalarType held = is_small ? ScalarType::U32 : *type, access = is_pair ? held : *type;
  const AtomicFunction function = !is_pair ? *named : *type == ScalarType::F16 ? AddHalves : AddBrains;
  const bool gives = i.name() == "atom", swaps = *named == CompareAndSwap;
  const std::size_t first = gives ? 1 : 0, count = first + (swaps ? 3 : 2);
  takes(i, count, count);
  const Operand& place = i.operands[first];
  if (place.kind != Operand::Kind::Address) return refuse(i);
  Value operand = read(i.operands[first + 1], held);
  const Value swapped = swaps ? read(i.operands[first + 2], held) : kNone;
  const Address at = address(place, space_of(i));
  // An atomic that orders what comes behind it keeps its result on the way back, read or not (H100:
  // Triton's).
  AccessText text = text_of(i, place);
  text.is_volatile = gives && (i.has("acquire") || i.has("acq_rel"));
  const bool used = gives && i.operands[0].name != "_";
  const ScalarType single = ScalarType::F32;
  if (is_small && !is_pair) operand = b_.convert(b_.single_of_bits(operand, *type), single, *type);
  Value old = b_.atomic(function, at, text, access, operand, swapped);
  if (used && is_small && !is_pair) old = b_.bits_of_small(b_.convert(old, *type, single), *type);
  if (used) write(i.operands[0], held, old);
}

// cvta.to.shared takes an address apart, cvta.shared puts it together; global ones are as they are, those of
// local memory as those of shared memory.
void PtxLowering::address_space(const Instruction& i) {
  const ScalarType type = ScalarType::U64;
  const Number given = read(i.operands[1], type);
  if (i.has("param")) return refuse(i);
  const auto known = cells_.find(i.operands[1].name);
  std::optional<Address> address;
  if (known != cells_.end()) address = known->second.address;
  const bool is_local = i.has("local");
  if (!i.has("shared") && !is_local) {
    write(i.operands[0], given);
    Cell& to = cells_[i.operands[0].name];
    if (condition_ == kNone && !to.stays) to.address = address;
    return;
  }
  const Opcode opcode = i.has("to") ? Opcode::Sub : Opcode::Add;
  const ScalarType to = i.last() == "u32" ? ScalarType::U32 : type;
  const Origin origin{is_local ? Origin::Kind::Local : Origin::Kind::Shared, -1};
  const Number window(b_, type, b_.ir.constant(type, is_local ? kLocalWindow : kSharedWindow, origin));
  if (is_local) b_.ir.locals_have_addresses = true;
  return write(i.operands[0], cast(given.apply(opcode, window), to));
}

// isspacep.shared p, a: by where the windows of the spaces lie; what lies in none is in global memory.
void PtxLowering::is_in_space(const Instruction& i) {
  const Number at = read(i.operands[1], ScalarType::U64);
  const auto within = [&](std::uint64_t begin, std::uint64_t bytes) {
    return write(i.operands[0], at - begin < bytes);
  };
  if (i.last() == "shared" || i.last() == "shared::cta") return within(kSharedWindow, kPeerSpacing);
  if (i.last() == "shared::cluster") return within(kSharedWindow, kBufferSpacing / 2);
  if (i.last() == "local") return within(kLocalWindow, kBufferSpacing);
  return i.last() == "global" ? within(0, kSharedWindow) : refuse(i);  // behind all buffers lie the others
}

// mapa.u64 d, a, rank of a generic address, mapa.shared::cluster.u32 of one within shared memory.
void PtxLowering::map_address(const Instruction& i) {
  const auto type = ptx_type(i.last());
  if (!type || (*type != ScalarType::U32 && *type != ScalarType::U64)) return refuse(i);
  const Number given = read(i.operands[1], *type), rank = read(i.operands[2], ScalarType::U32);
  const Value mapped = b_.settled(*type, given + cast(l_.clusters.cluster_distance(rank, range_), *type));
  if (!i.has("shared::cluster")) b_.ir.values[mapped].origin = {Origin::Kind::Shared, -1};
  return write(i.operands[0], *type, mapped);
}

void PtxLowering::barrier(const Instruction& i) {
  if (i.has("cluster")) {  // whoever waits waits for all, so that to arrive is nothing
    if (!i.has("wait") && !i.has("arrive")) refuse(i);
    return i.has("wait") ? b_.cluster_barrier() : void();
  }
  if (i.has("warp")) return b_.plain(Opcode::SyncWarp);
  if ((i.has("sync") || i.has("arrive")) && i.operands.size() == 2 && !l_.shared_memory.is_settled)
    return named_barrier(i);
  const bool votes = i.has("red") && i.operands.size() == 3;
  const bool whole = votes || (i.has("sync") && i.operands.size() == 1);
  const Value which = whole ? read(i.operands[votes ? 1 : 0], ScalarType::U32) : kNone;
  if (which == kNone || !b_.bits(which))  // whichever of the sixteen it is: all threads wait for all
    complain(Message("'{}' of a part of the block is not simulated", i.text), Message("use __syncthreads()"));
  if (!votes) return b_.plain(Opcode::Barrier);
  // bar.red.and.pred p, 0, q; bar.red.popc.u32 d, 0, q
  const Value predicate = read(i.operands[2], ScalarType::Bool);
  const bool counts = i.has("popc");
  const Value said = b_.block_vote(counts         ? BlockVote::Count
                                   : i.has("and") ? BlockVote::All
                                                  : BlockVote::Any,
                                   predicate);
  return write(i.operands[0],
               Number(b_, ScalarType::I32, said).to(counts ? ScalarType::U32 : ScalarType::Bool));
}

// ---- cp.async

// How many bytes of the source are read: a number, or a predicate that says that none is.
Value PtxLowering::source_bytes(const Operand& operand, std::uint64_t all) {
  const auto cell = cells_.find(operand.name);
  const bool ignores =
      operand.kind == Operand::Kind::Name && cell != cells_.end() && cell->second.type == ScalarType::Bool;
  if (!ignores) return read(operand, ScalarType::U32);
  return select(read(operand, ScalarType::Bool), number(0), all);
}

void PtxLowering::copy(const Instruction& i) {
  if (!i.has("async")) return refuse(i);
  if (i.has("bulk")) return i.has("tensor") ? copy_tensor_box(i) : copy_in_bulk(i);
  if (i.has("mbarrier")) return copies_arrive(i);
  if (i.has("commit_group") || i.has("wait_group") || i.has("wait_all")) return;
  const bool past_l1 = i.has("cg");
  if ((!past_l1 && !i.has("ca")) || !i.has("global") || i.has("shared::cluster")) return refuse(i);
  takes(i, 3, 5);
  const Operand &to = i.operands[0], &from = i.operands[1];
  if (to.kind != Operand::Kind::Address || from.kind != Operand::Kind::Address) return refuse(i);
  const Value size = read(i.operands[2], ScalarType::U32);
  const auto bytes = b_.bits(size);
  const bool known = bytes && (past_l1 ? *bytes == 16 : *bytes == 4 || *bytes == 8 || *bytes == 16);
  if (!known)
    complain(past_l1 ? Message("'{}' copies 16 bytes, known when compiling", i.text)
                     : Message("'{}' copies 4, 8 or 16 bytes, known when compiling", i.text));
  const auto target = address(to, Space::Shared), source = address(from, Space::Generic);
  const bool has_length = i.operands.size() > 3 && !(i.has("cache_hint") && i.operands.size() == 4);
  const Value length = has_length ? source_bytes(i.operands[3], *bytes) : kNone;
  copy_async(b_,
             {target, source, text_of(i, to), text_of(i, from), static_cast<int>(*bytes), length, past_l1});
}

}  // namespace warplens::sim::lower
