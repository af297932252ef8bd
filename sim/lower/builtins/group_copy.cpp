// cuda::memcpy_async and cooperative_groups::memcpy_async: copies that the threads of a group make together.
//
// Who copies what is that of libcu++ and cooperative_groups of CUDA 13.0 for compute capability 9.0, as their
// headers have it: chunks of up to 16 bytes, by the alignment that the type or cuda::aligned_size_t<>
// promises, one a thread and turn. From global to shared memory they are cp.async; of less than 4 bytes, or
// elsewhere, loads and stores. With a barrier and 16 bytes it is one bulk copy, which has values here and no
// accesses.
#include <algorithm>

#include "sim/lower/ir/flow.h"
#include "sim/lower/lowering.h"
#include "sim/lower/memory/tensor_copy.h"

namespace warplens::sim::lower {

namespace {

constexpr ScalarType kOffset = ScalarType::U32;
constexpr std::int64_t kMostChunk = 16, kLeastAsync = 4;

Origin::Kind space_of_address(const Ir& ir, const Address& address) {
  const bool is_dynamic = ir.values[address.base].kind == ValueInfo::Kind::DynamicShared;
  return is_dynamic ? Origin::Kind::Shared : ir.space_of(address.base);
}

// From global to shared memory; of a pointer that may lead anywhere it is taken to be so.
bool goes_past_registers(const Ir& ir, const GroupCopy& copy) {
  const Origin::Kind from = space_of_address(ir, copy.from);
  return space_of_address(ir, copy.to) == Origin::Kind::Shared && from != Origin::Kind::Shared &&
         from != Origin::Kind::Local;
}

}  // namespace

bool AsyncCopies::is_of_library(TypeRef type, std::string_view name) const {
  const cuda::Struct* definition = type->is(Type::Kind::Record) ? type->record->definition : nullptr;
  return definition != nullptr && definition->name == name && l_.is_library(definition->range);
}

// Of a size: the alignment that it promises; 0: the type is no cuda::aligned_size_t.
std::int64_t AsyncCopies::promised_alignment(TypeRef type) {
  const Symbol* align =
      is_of_library(type, "aligned_size_t") ? l_.members.find_member(type->record, "align") : nullptr;
  return align == nullptr ? 0 : static_cast<std::int64_t>(b.bits(align->object.value()).value_or(0));
}

// One chunk, at an offset in bytes.
void AsyncCopies::copy_chunk(const GroupCopy& copy, Value offset) {
  Address to = copy.to, from = copy.from;
  b.add_index(to, offset, kOffset, 1, false);
  b.add_index(from, offset, kOffset, 1, false);
  if (copy.form == AccessForm::AsyncCopy)
    return copy_async(b,
                      {to, from, copy.to_text, copy.from_text, copy.chunk, kNone, copy.chunk == kMostChunk});
  AccessText to_text = copy.to_text, from_text = copy.from_text;
  to_text.form = from_text.form = copy.form;
  if (copy.combines) {
    const Value read = b.ir.temp(copy.type);
    b.load(from, from_text, copy.type, {read});
    (void)b.atomic(*copy.combines, to, to_text, copy.type, read);
    return;
  }
  const ScalarType type = copy.chunk == 1 ? ScalarType::U8 : copy.chunk == 2 ? ScalarType::U16 : kOffset;
  const int count = std::max(1, copy.chunk / 4);
  const std::vector<Value> values = count == 1 ? std::vector<Value>{b.ir.temp(type)}
                                               : b.ir.group(ValueInfo::Kind::Temp, type, count, b.region);
  b.load(from, from_text, type, values);
  b.store(to, to_text, type, values);
}

// The threads take chunks in turns; `in_step`: those of a tile all take part in the last one, some of them
// twice.
void AsyncCopies::copy_together(const GroupCopy& copy) {
  const auto chunk = static_cast<std::uint64_t>(copy.chunk);
  const Number rank(b, kOffset, copy.rank), threads(b, kOffset, copy.threads), bytes(b, kOffset, copy.bytes);
  const Number first = rank * chunk, stride = threads * chunk;
  Number end = bytes, rest;
  if (copy.in_step) {
    const Number chunks = bytes / chunk;
    rest = chunks % threads;
    end = (chunks - rest) * chunk;
  }
  count_up(b, kOffset, first, end, stride, copy.to_text.range,
           [&](Value offset) { copy_chunk(copy, b.copy(kOffset, offset)); });
  if (!copy.in_step) return;
  where(b, rest != 0u, copy.to_text.range, [&] { copy_chunk(copy, min(rank, rest - 1u) * chunk + end); });
}

// Rank and size of a block or tile.
void AsyncCopies::threads_of(const BuiltinCall& c, GroupCopy& copy) {
  const Result group = argument(c, 0);
  const auto is_one = [&](const char* name) { return is_of_library(group.type, name); };
  if (!is_one("thread_block") && !is_one("thread_block_tile") && !is_one("thread_group"))
    fail(c.range, Message("'{}' needs a thread block or a tile of up to 32 threads", c.name));
  const auto asked = [&](const char* method) {
    const Result answer = l_.call_method(group.type->record, group, method, {}, {}, c.range, c.range);
    return b.settled(kOffset, l_.scalar_as(answer, kOffset));
  };
  copy.rank = asked("thread_rank");
  copy.threads = asked("size");
}

// `first`: the place of the target among the arguments. Gives what its type is aligned to.
std::int64_t AsyncCopies::read_copy(const BuiltinCall& c, std::size_t first, std::size_t source,
                                    GroupCopy& copy) {
  const Result to = pointer_argument(c, first, copy.to_text),
               from = pointer_argument(c, source, copy.from_text);
  copy.to = b.settled(l_.address_of(to));
  copy.from = b.settled(l_.address_of(from));
  copy.element = std::max<std::int64_t>(1, size_of(to.type->element));
  return to.type->element->is(Type::Kind::Void) ? 1 : alignment_of(to.type->element);
}

// A number of bytes, or of elements, and what it promises.
Value AsyncCopies::copied_size(const BuiltinCall& c, std::size_t index, std::int64_t& alignment) {
  const Result given = argument(c, index);
  if (const std::int64_t promised = promised_alignment(given.type); promised > 0) {
    alignment = std::max(alignment, promised);
    return b.convert(given.parts[0], ScalarType::U64, kOffset);
  }
  return l_.convert(given, types.scalar(kOffset), c.node->arguments[index]->range).value();
}

// memcpy_async([group,] to, from, size, barrier or pipeline)
Result AsyncCopies::library_copy(const Builtin&, const BuiltinCall& c) {
  const std::size_t first = c.node->arguments.size() - 4;
  GroupCopy copy;
  copy.rank = b.integer(kOffset, 0);
  copy.threads = b.integer(kOffset, 1);
  if (first == 1) threads_of(c, copy);
  std::int64_t alignment = read_copy(c, first, first + 1, copy);
  copy.bytes = copied_size(c, first + 2, alignment);
  const Result over = l_.expr(*c.node->arguments[first + 3]);
  if (!is_barrier(over.type) && !is_pipeline(over.type))
    return fail(c.range, Message("'{}' needs a barrier or a pipeline at its end, not '{}'", c.name,
                                 name_of(over.type)));
  copy.chunk = static_cast<int>(std::min(alignment, kMostChunk));
  const bool past_registers = goes_past_registers(b.ir, copy);
  copy.form = past_registers && copy.chunk >= kLeastAsync ? AccessForm::AsyncCopy : AccessForm::Plain;
  if (copy.form == AccessForm::AsyncCopy && copy.chunk == kMostChunk && is_barrier(over.type)) {
    copy.form = AccessForm::Bulk;
    warn_of_bulk(c.range);
  }
  copy_together(copy);
  return value(ScalarType::I32, b.integer(ScalarType::I32, 0));
}

// What copies in bulk is no access of a warp's.
void AsyncCopies::warn_of_bulk(const cuda::SourceRange& range) {
  warn_once(range, Message("this is a bulk copy, which no warp's accesses make: it is not counted"),
            Message("its values are there; measure its cost on a GPU"));
}

void AsyncCopies::warn_of_warpgroups(const cuda::SourceRange& range) {
  warn_once(range, Message("what wgmma reads of shared memory no warp's accesses read: it is not counted"),
            Message("its values are there; measure its cost on a GPU"));
}

// cg::memcpy_async(group, to, from, bytes), (group, to, elements of it, from, elements of it)
Result AsyncCopies::group_copy(const Builtin& f, const BuiltinCall& c) {
  const auto& arguments = c.node->arguments;
  const TypeRef last = l_.type_of(*arguments.back());  // cuda's is found by its arguments
  if (last != nullptr && (is_barrier(last) || is_pipeline(last))) return library_copy(f, c);
  GroupCopy copy;
  threads_of(c, copy);
  const bool by_elements = arguments.size() == 5;
  std::int64_t alignment = read_copy(c, 1, by_elements ? 3 : 2, copy), promised = 0;
  if (by_elements) {
    const Value to = copied_size(c, 2, promised), from = copied_size(c, 4, promised);
    copy.bytes =
        min(Number(b, kOffset, to), Number(b, kOffset, from)) * static_cast<std::uint64_t>(copy.element);
  } else {
    copy.bytes = copied_size(c, 3, promised);
  }
  if (promised > 0) alignment = promised;
  if (alignment < kLeastAsync)
    return fail(
        c.range,
        Message("'{}' of elements of {} bytes is not simulated: it goes by the addresses", c.name, alignment),
        Message("promise an alignment: cuda::aligned_size_t<16>(bytes)"));
  copy.chunk = static_cast<int>(std::min(alignment, kMostChunk));
  const bool past_registers = goes_past_registers(b.ir, copy);
  copy.form = past_registers ? AccessForm::AsyncCopy : AccessForm::Plain;
  copy.in_step = past_registers && b.bits(copy.threads).value_or(0) > 1;
  copy_together(copy);
  return void_result();
}

// Addresses within shared memory, and copies to it past the registers.

Result AsyncCopies::builtin_address(const Builtin&, const BuiltinCall& c) {
  const ScalarType type = ScalarType::U64;
  const Result given = argument(c, 0);
  if (!given.type->is_pointer() && !given.type->is_integer())
    return fail(c.range, Message("'{}' needs a pointer, not '{}'", c.name, name_of(given.type)));
  const Number address(b, type,
                       given.type->is_pointer() ? l_.scalar_value(given) : l_.scalar_as(given, type));
  if (c.name.ends_with("_to_shared")) return value(type, address - kSharedWindow);
  if (!c.name.ends_with("_to_generic")) return value(type, address);
  const bool is_shared = c.name.ends_with("shared_to_generic");
  const Value generic = is_shared ? address + kSharedWindow : address;
  return value(types.pointer(types.void_type()), generic);
}

// __pipeline_memcpy_async(to, from, bytes) or with the number of bytes at the end that are to be zeros.
Result AsyncCopies::builtin_copy_async(const Builtin&, const BuiltinCall& c) {
  AsyncCopyParts parts;
  const Result to = pointer_argument(c, 0, parts.to_text), from = pointer_argument(c, 1, parts.from_text);
  const Value size = argument_as(c, 2, ScalarType::U32);
  const bool fills = c.node->arguments.size() > 3;
  const Value zeros = fills ? argument_as(c, 3, ScalarType::U32) : kNone;
  const auto bytes = b.bits(size);
  if (!bytes || (*bytes != 4 && *bytes != 8 && *bytes != 16)) {
    return fail(c.range, Message("'{}' copies 4, 8 or 16 bytes, known when compiling", c.name),
                Message("copy element by element, in a loop"));
  }
  parts.bytes = static_cast<int>(*bytes);
  parts.to = b.settled(l_.address_of(to));
  parts.from = b.settled(l_.address_of(from));
  parts.past_l1 = parts.bytes == 16;  // this and what follows as cuda_pipeline_helpers.h has it
  if (!fills || b.bits(zeros)) {
    if (fills) parts.source_bytes = Number(b, ScalarType::U32, size) - Number(b, ScalarType::U32, zeros);
    copy_async(b, parts);
    return void_result();
  }
  // A switch with a copy of its own for each number of zeros: a warp whose lanes have several makes several.
  const Number filled(b, ScalarType::U32, b.settled(ScalarType::U32, zeros));
  for (std::uint64_t number = 0; number <= *bytes; ++number) {
    where(b, filled == number, c.range, [&] {
      parts.source_bytes = number == 0 ? kNone : b.integer(ScalarType::U32, *bytes - number);
      copy_async(b, parts);
    });
  }
  return void_result();
}

}  // namespace warplens::sim::lower
