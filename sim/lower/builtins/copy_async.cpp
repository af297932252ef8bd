// Addresses within shared memory, and copies to it past the registers.
#include "sim/lower/memory/copy_async.h"

#include "sim/lower/ir/flow.h"
#include "sim/lower/lowering.h"

namespace warplens::sim::lower {

Result Lowering::builtin_address(const Builtin& f, const BuiltinCall& c) {
  if (!arguments_are(c, 1, 1)) return bad();
  const ScalarType type = ScalarType::U64;
  const Value window = b.integer(type, kSharedWindow);
  const Result given = argument(c, 0);
  if (given.is_error()) return bad();
  if (!given.type->is_pointer() && !given.type->is_integer())
    return fail(c.range, Message("'{}' needs a pointer, not '{}'", c.name, name_of(given.type)));
  const Value address = given.type->is_pointer() ? scalar_value(given) : scalar_as(given, type);
  if (f.kind == Builtin::Kind::SharedAddress) return value(type, b.op(Opcode::Sub, type, address, window));
  if (!c.name.ends_with("_to_generic")) return value(type, address);
  const Value generic = f.code != 0 ? b.op(Opcode::Add, type, address, window) : address;
  return value(types.pointer(types.void_type()), generic);
}

// __pipeline_memcpy_async(to, from, bytes) or with the number of bytes at the end that are to be zeros.
Result Lowering::builtin_copy_async(const BuiltinCall& c) {
  if (!arguments_are(c, 3, 4)) return bad();
  AsyncCopyParts parts;
  const Result to = pointer_argument(c, 0, parts.to_text), from = pointer_argument(c, 1, parts.from_text);
  const Value size = argument_as(c, 2, ScalarType::U32);
  const bool fills = c.node->arguments.size() > 3;
  const Value zeros = fills ? argument_as(c, 3, ScalarType::U32) : kNone;
  if (to.is_error() || from.is_error() || size == kNone || (fills && zeros == kNone)) return bad();
  const auto bytes = b.bits(size);
  if (!bytes || (*bytes != 4 && *bytes != 8 && *bytes != 16)) {
    return fail(c.range, Message("'{}' copies 4, 8 or 16 bytes, known when compiling", c.name),
                Message("copy element by element, in a loop"));
  }
  parts.bytes = static_cast<int>(*bytes);
  parts.to = b.settled(address_of(to));
  parts.from = b.settled(address_of(from));
  parts.past_l1 = parts.bytes == 16;  // this and what follows as cuda_pipeline_helpers.h has it
  if (!fills || b.bits(zeros)) {
    if (fills) parts.source_bytes = b.op(Opcode::Sub, ScalarType::U32, size, zeros);
    copy_async(b, parts);
    return void_result();
  }
  // A switch with a copy of its own for each number of zeros: a warp whose lanes have several makes several.
  const Value filled = b.settled(ScalarType::U32, zeros);
  for (std::uint64_t number = 0; number <= *bytes; ++number) {
    const Value is_it = b.op(Opcode::Eq, ScalarType::U32, filled, b.integer(ScalarType::U32, number));
    where(b, is_it, c.range, [&] {
      parts.source_bytes = number == 0 ? kNone : b.integer(ScalarType::U32, *bytes - number);
      copy_async(b, parts);
    });
  }
  return void_result();
}

}  // namespace warplens::sim::lower
