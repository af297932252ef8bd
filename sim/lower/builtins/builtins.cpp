// CUDA's own functions: which is which, barriers, printf, assert and memory.
#include <algorithm>

#include "sim/lower/lowering.h"

namespace warplens::sim::lower {

Result Lowering::builtin(const Builtin& f, const BuiltinCall& c) {
  if (!f.runs()) return fail(c.node->callee->range, Message("'{}' is not simulated", c.name), f.remedy);
  const std::size_t count = c.node->arguments.size(), least = f.arguments, most = least + f.more;
  if (count >= least && count <= most) return f.work(*this, f, c);
  const Message wanted = least == most ? Message("{}", least) : Message("{} to {}", least, most);
  return fail(c.range, wrong_count(c.name, wanted, most == 1, count));
}

Result MemoryFunctions::builtin_move(const Builtin&, const BuiltinCall& c) {
  return l_.expr(*c.node->arguments[0]);
}

Result MemoryFunctions::builtin_clock(const Builtin&, const BuiltinCall& c) {
  return l_.settled(value(ScalarType::I64, next_clock(c.name, c.range)));
}

// A count that grows with each call, so that loops that wait for a time end.
Value MemoryFunctions::next_clock(std::string_view name, const cuda::SourceRange& range) {
  constexpr std::uint64_t kStep = 1000;
  const TypeRef type = types.scalar(ScalarType::I64);
  if (!clock_) {
    const ListScope kept(b, l_.prologue(), 0);  // also where code that never runs calls it first
    b.discarding = b.dead = false;
    clock_ = l_.new_variable(type);
    l_.assign_parts(clock_->parts, type, {b.integer(ScalarType::I64, 0)});
    warning(range, Message("'{}' counts up by {} with each call here", name, kStep),
            Message("time is measured on a GPU, never simulated"));
  }
  const Result now = l_.settled(l_.rvalue(*clock_, {range, "", nullptr}));
  const Value next = Number(b, ScalarType::I64, now.value()) + kStep;
  l_.assign_parts(clock_->parts, type, {next});
  return next;
}

// ---- arguments

Result BuiltinWork::argument(const BuiltinCall& c, std::size_t index) {
  return l_.value_of(*c.node->arguments[index]);
}

Value BuiltinWork::argument_as(const BuiltinCall& c, std::size_t index, ScalarType type) {
  return l_.convert(argument(c, index), types.scalar(type), c.node->arguments[index]->range).value();
}

Result BuiltinWork::pointee(const BuiltinCall& c, std::size_t index, AccessText& text) {
  return l_.dereference(pointer_argument(c, index, text), c.node->arguments[index]->range);
}

// `text`: of what it points to.
Result BuiltinWork::pointer_argument(const BuiltinCall& c, std::size_t index, AccessText& text) {
  const cuda::Expr& given = *c.node->arguments[index];
  text = l_.pointee_text(given);
  const Result pointer = l_.value_of(given);
  if (!pointer.type->is_pointer()) {
    return fail(given.range, Message("'{}' needs an address, not '{}'", c.name, name_of(pointer.type)),
                Message("write & before it"));
  }
  return pointer;
}

void BuiltinWork::warn_once(const cuda::SourceRange& range, Message message, Message remedy) {
  if (warned_.insert(message.pattern()).second) warning(range, std::move(message), std::move(remedy));
}

// ---- barriers and the like

// A predicate is an int: 0.5f is false.
Result MemoryFunctions::builtin_barrier(const Builtin& f, const BuiltinCall& c) {
  const auto function = f.as<BlockVote>();
  if (function == BlockVote::None) {
    b.plain(Opcode::Barrier);
    return void_result();
  }
  const Value predicate = argument_as(c, 0, ScalarType::I32);
  return value(ScalarType::I32,
               b.block_vote(function, b.convert(predicate, ScalarType::I32, ScalarType::Bool)));
}

Result MemoryFunctions::builtin_sync_warp(const Builtin&, const BuiltinCall&) {
  b.plain(Opcode::SyncWarp);
  return void_result();
}

Result MemoryFunctions::builtin_trap(const Builtin&, const BuiltinCall&) {
  b.plain(Opcode::Assert, b.integer(ScalarType::Bool, 0));
  return void_result();
}

// Of no consequence here: the arguments are evaluated.
Result MemoryFunctions::builtin_effect(const Builtin& f, const BuiltinCall& c) {
  if (!f.remedy.empty()) warning(c.range, f.remedy);
  const auto is_text = [](const cuda::ExprPtr& e) {
    return std::holds_alternative<cuda::StringLiteral>(e->node);
  };
  for (const cuda::ExprPtr& e : c.node->arguments) {
    const auto* choice = std::get_if<cuda::ConditionalExpr>(&e->node);  // a choice of two texts
    if (choice && is_text(choice->then_value) && is_text(choice->else_value)) {
      (void)l_.condition_of(*choice->condition);
    } else if (!is_text(e)) {
      (void)l_.settled(l_.value_of(*e));
    }
  }
  return c.name == "printf" ? value(ScalarType::I32, b.integer(ScalarType::I32, 0)) : void_result();
}

Result MemoryFunctions::builtin_assert(const Builtin&, const BuiltinCall& c) {
  const cuda::Expr* condition = c.node->arguments[0].get();  // of assert(x && "why") the x
  if (const auto* both = std::get_if<cuda::BinaryExpr>(&condition->node);
      both && both->op == cuda::BinaryOp::And &&
      std::holds_alternative<cuda::StringLiteral>(both->right->node)) {
    condition = both->left.get();
  }
  b.plain(Opcode::Assert, l_.condition_of(*condition));
  return void_result();
}

// ---- memory

Result MemoryFunctions::builtin_load(const Builtin&, const BuiltinCall& c) {
  AccessText text;
  const Result place = pointee(c, 0, text);
  return l_.rvalue(place, text);
}

Result MemoryFunctions::builtin_store(const Builtin&, const BuiltinCall& c) {
  AccessText text;
  const Result place = pointee(c, 0, text);
  const Result stored = l_.convert(argument(c, 1), types.plain(place.type), c.range);
  if (l_.is_read_only(place)) fail(c.range, Message("'{}' is const and cannot be changed", text.text));
  l_.store(place, stored, text);
  return void_result();
}

// memcpy() and memset() access memory a byte at a time, whatever the types are, as nvcc 13.0 makes them: up
// to 16 bytes are all loaded before the first is stored, more of them in a loop. Variables have no accesses.
Result MemoryFunctions::builtin_bytes(const Builtin& f, const BuiltinCall& c) {
  constexpr std::int64_t kMost = 1024, kTogether = 16;
  const bool copies = f.code == 0;
  const ScalarType byte = ScalarType::U8;
  const auto place_of = [&](std::size_t index, AccessText& text) -> Result {
    const Result pointer = pointer_argument(c, index, text);
    const TypeRef type = types.with_const(types.scalar(byte), pointer.type->element->is_const);
    return {Kind::Memory, type, {}, b.settled(l_.address_of(pointer))};
  };
  AccessText to_text, from_text;
  const Result to = place_of(0, to_text);
  const Result from = copies ? place_of(1, from_text) : Result{};
  const Value filled = copies ? kNone : argument_as(c, 1, byte);
  const Value count = argument_as(c, 2, ScalarType::U64);
  if (l_.is_read_only(to)) return fail(c.range, Message("'{}' is const and cannot be changed", to_text.text));
  const auto bytes = b.bits(count);
  if (!bytes || *bytes > kMost) {
    return fail(
        c.range,
        Message("'{}' needs a number of bytes that is known when compiling, at most {}", c.name, kMost),
        Message("copy element by element, in a loop"));
  }
  const auto at = [](Result place, std::int64_t offset) {
    place.address.advance(offset);
    return place;
  };
  std::vector<Result> loaded;
  const auto size = static_cast<std::int64_t>(*bytes);
  for (std::int64_t i = 0; i < size && copies && size <= kTogether; ++i)
    loaded.push_back(l_.load(at(from, i), from_text));
  for (std::int64_t i = 0; i < size; ++i) {
    const Result one = !copies          ? value(byte, filled)
                       : loaded.empty() ? l_.load(at(from, i), from_text)
                                        : loaded[i];
    l_.store(at(to, i), one, to_text);
  }
  return void_result();
}

Result MemoryFunctions::builtin_atomic(const Builtin& f, const BuiltinCall& c) {
  const auto function = f.as<AtomicFunction>();
  const bool swaps = function == AtomicFunction::CompareAndSwap;
  AccessText text;
  const Result place = pointee(c, 0, text);
  if (function == AtomicFunction::Add && part_of_pair(place.type) != ScalarType::Bool)
    return atomic_of_pair(c, place, text);
  text.is_volatile = c.name.starts_with(kAtomicReference);  // the inline PTX of its library
  const ScalarType type = place.type->is_scalar() ? place.type->scalar : ScalarType::Bool;
  const bool is_plain = function == AtomicFunction::Add || function == AtomicFunction::Exchange;
  const bool is_odd = type == ScalarType::F64 && function == AtomicFunction::Exchange;
  const bool fits = size_of(type) >= 4 ? !is_floating(type) || (is_plain && !is_odd)
                                       : (is_small_float(type) && function == AtomicFunction::Add) ||
                                             (type == ScalarType::U16 && swaps);
  const bool wraps = function == AtomicFunction::Inc || function == AtomicFunction::Dec;
  if (!fits || (wraps && type != ScalarType::U32)) {
    return fail(
        c.range, Message("'{}' does not exist for '{}'", c.name, name_of(place.type)),
        wraps ? Message("it takes unsigned int") : Message("it takes int, unsigned int and 64-bit integers"));
  }
  if (l_.is_read_only(place)) {
    return fail(c.range, Message("'{}' is const and cannot be changed", text.text));
  }
  const Value operand = argument_as(c, 1, type);
  const Value new_value = swaps ? argument_as(c, 2, type) : kNone;
  const Value old = b.atomic(function, place.address, text, type, operand, new_value);
  return value(types.plain(place.type), old);
}

// F16 or BF16: of what such a pair is made; Bool of everything else.
ScalarType MemoryFunctions::part_of_pair(TypeRef type) {
  const TypeRef plain = types.plain(type);
  if (plain == types.builtin("__half2")) return ScalarType::F16;
  return plain == types.builtin("__nv_bfloat162") ? ScalarType::BF16 : ScalarType::Bool;
}

// atomicAdd() of a __half2: one access of four bytes, each half added by itself.
Result MemoryFunctions::atomic_of_pair(const BuiltinCall& c, const Result& place, const AccessText& text) {
  const ScalarType part = part_of_pair(place.type), word = ScalarType::U32;
  if (l_.is_read_only(place)) return fail(c.range, Message("'{}' is const and cannot be changed", text.text));
  const Result added = l_.convert(argument(c, 1), types.plain(place.type), c.range);
  const auto bits_of_part = [&](Value v) {
    return Number(b, word, b.bits_of_small(b.convert(v, part, ScalarType::F32), part));
  };
  const Value both = bits_of_part(added.parts[0]) | (bits_of_part(added.parts[1]) << 16u);
  const auto function = part == ScalarType::F16 ? AtomicFunction::AddHalves : AtomicFunction::AddBrains;
  const Value old = b.atomic(function, place.address, text, word, both);
  const auto part_of_bits = [&](Value bits) {
    return b.convert(b.single_of_bits(bits, part), ScalarType::F32, part);
  };
  const Value upper = Number(b, word, old) >> 16u;
  return {Kind::Rvalue, types.plain(place.type), {part_of_bits(old), part_of_bits(upper)}, {}};
}

}  // namespace warplens::sim::lower
