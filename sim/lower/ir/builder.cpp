#include "sim/lower/ir/builder.h"

#include <bit>

namespace warplens::sim::lower {
namespace {

bool is_wide(ScalarType type) {
  return type == ScalarType::I64 || type == ScalarType::U64;
}

bool commutes(Opcode op) {
  return op == Opcode::Add || op == Opcode::Mul || op == Opcode::And || op == Opcode::Or || op == Opcode::Xor;
}

}  // namespace

bool same_representation(ScalarType from, ScalarType to) {
  if (from == to) return true;
  if (is_floating(from) || is_floating(to)) return is_small_float(from) && to == ScalarType::F32;
  if (is_wide(from) || is_wide(to)) return is_wide(from) && is_wide(to);
  return to == ScalarType::I32 || to == ScalarType::U32;  // narrow values are kept extended to 32 bits
}

Value Builder::integer(ScalarType type, std::uint64_t value) {
  return ir.constant(type, bits_of_integer(type, value));
}

Value Builder::number(ScalarType type, double value) {
  return ir.constant(type, bits_of(type, value));
}

std::optional<std::uint64_t> Builder::bits(Value v) const {
  if (!ir.is_constant(v)) return {};
  return ir.values[v].bits;
}

std::optional<std::int64_t> Builder::constant_integer(Value v, ScalarType type) const {
  if (!ir.is_constant(v)) return {};
  return integer_of(type, ir.values[v].bits);
}

Node& Builder::append(Node::Kind kind) {
  if (++appended_ > most_nodes) throw TooManyNodes{};
  Node& node = list->emplace_back();
  node.kind = kind;
  node.range = place;
  return node;
}

Value Builder::append_op(Instr instr, Value dst, int access) {
  instr.dst = dst;
  Node& node = append(Node::Kind::Op);
  // An access is at its own place in the text, not at that of the statement it feeds.
  const bool has_place = access >= 0 && ir.accesses[access].range.end.offset > 0;
  node.op = {instr, has_place ? ir.accesses[access].range : place, access};
  return dst;
}

// x + 0, x * 1, x * 0 and the like, of integers.
std::optional<Value> Builder::simplified(Opcode opcode, ScalarType type, Value a, Value b) {
  if (b == kNone || is_floating(type)) return {};
  if (commutes(opcode) && bits(a) && !bits(b)) std::swap(a, b);
  const auto right = constant_integer(b, type);
  if (!right) return {};
  switch (opcode) {
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Or:
    case Opcode::Xor:
    case Opcode::Shl:
    case Opcode::Shr:
      if (*right == 0) return a;
      break;
    case Opcode::Mul:
      if (*right == 1) return a;
      if (*right == 0) return b;
      break;
    case Opcode::Div:
      if (*right == 1) return a;
      break;
    case Opcode::And:
      if (*right == 0) return b;
      break;
    default:
      break;
  }
  const auto wide = static_cast<std::uint64_t>(*right);
  if (!is_signed(type) && std::has_single_bit(wide)) {
    if (opcode == Opcode::Div) return op(Opcode::Shr, type, a, integer(type, std::countr_zero(wide)));
    if (opcode == Opcode::Rem) return op(Opcode::And, type, a, integer(type, wide - 1));
  }
  return {};
}

// What is computed of a pointer that is a constant, `&tile[1]`, points where that does.
Origin Builder::pointed_at(std::initializer_list<Value> operands) const {
  for (const Value v : operands)
    if (v != kNone && ir.values[v].origin.kind != Origin::Kind::Nothing) return ir.values[v].origin;
  return {};
}

Value Builder::op(Opcode opcode, ScalarType type, Value a, Value b, Value c) {
  Instr instr{.op = opcode, .type = type, .a = a, .b = b, .c = c};
  const auto known = [&](Value v) { return v == kNone || ir.is_constant(v); };
  if (opcode == Opcode::Select && ir.is_constant(a)) return ir.values[a].bits != 0 ? b : c;
  if (opcode == Opcode::Select && b == c) return b;
  if (known(a) && known(b) && known(c)) {
    const auto value = [&](Value v) { return v == kNone ? 0 : ir.values[v].bits; };
    if (const auto folded = fold(instr, value(a), value(b), value(c))) {
      const bool is_bool = is_comparison(opcode) || opcode == Opcode::Not;
      return ir.constant(is_bool ? ScalarType::Bool : type, *folded, is_bool ? Origin{} : pointed_at({a, b}));
    }
  }
  if (const auto simple = simplified(opcode, type, a, b)) return *simple;
  return append_op(instr, ir.temp(is_comparison(opcode) || opcode == Opcode::Not ? ScalarType::Bool : type));
}

Value Builder::math(MathFunction function, ScalarType type, ScalarType result, Value a, Value b) {
  Instr instr{.op = Opcode::Math, .type = type, .a = a, .b = b};
  instr.function = static_cast<std::uint8_t>(function);
  return append_op(instr, ir.temp(result));
}

Value Builder::bit_cast(Value v, ScalarType to) {
  const auto known = bits(v);
  return known ? ir.constant(to, *known) : v;
}

Value Builder::bits_of_small(Value single, ScalarType small) {
  const auto function = small == ScalarType::F16 ? MathFunction::HalfToBits : MathFunction::BrainToBits;
  return bit_cast(math(function, ScalarType::F32, ScalarType::F32, single), ScalarType::U32);
}

Value Builder::single_of_bits(Value bits, ScalarType small) {
  const ScalarType word = ScalarType::U32, single = ScalarType::F32;
  if (small == ScalarType::BF16) return bit_cast(op(Opcode::Shl, word, bits, integer(word, 16)), single);
  const Value low = op(Opcode::And, word, bits, integer(word, 0xffff));
  return math(MathFunction::HalfFromBits, single, single, bit_cast(low, single));
}

Value Builder::convert(Value v, ScalarType from, ScalarType to) {
  if (const auto known = bits(v)) {
    return ir.constant(to, convert_bits(*known, from, to), size_of(to) == 8 ? pointed_at({v}) : Origin{});
  }
  if (same_representation(from, to)) return v;
  if (to == ScalarType::Bool) return op(Opcode::Ne, from, v, ir.constant(from, 0));
  Instr instr{.op = Opcode::Convert, .type = from, .to = to, .a = v};
  return append_op(instr, ir.temp(to));
}

void Builder::move(Value variable, ScalarType type, Value v) {
  if (v != variable) append_op(Instr{.op = Opcode::Mov, .type = type, .a = v}, variable);
}

Value Builder::copy(ScalarType type, Value v) {
  return append_op(Instr{.op = Opcode::Mov, .type = type, .a = v}, ir.temp(type));
}

int Builder::add_access(const Address& address, const AccessText& text, memory::Op op, ScalarType type,
                        int components) {
  ir.accesses.push_back({text.range, text.text, text.source, op, size_of(type) * components, type,
                         address.terms, text.form, text.past_l1, text.source_bytes});
  ir.accesses.back().is_volatile = text.is_volatile;
  ir.accesses.back().fences = fences;
  return static_cast<int>(ir.accesses.size() - 1);
}

void Builder::load(const Address& address, const AccessText& text, ScalarType type,
                   const std::vector<Value>& results) {
  Instr instr{.op = Opcode::Load, .type = type, .a = address.base, .offset = address.offset};
  instr.components = static_cast<std::uint8_t>(results.size());
  append_op(instr, results[0], add_access(address, text, memory::Op::Load, type, instr.components));
}

void Builder::store(const Address& address, const AccessText& text, ScalarType type,
                    const std::vector<Value>& values) {
  Instr instr{.op = Opcode::Store, .type = type, .a = address.base, .offset = address.offset};
  instr.components = static_cast<std::uint8_t>(values.size());
  instr.c = values[0];
  if (values.size() > 1) {  // they must lie side by side
    const int group_index = ir.values[values[0]].group;
    if (group_index < 0 || ir.groups[group_index] != values) {
      const std::vector<Value> group =
          ir.group(ValueInfo::Kind::Temp, type, static_cast<int>(values.size()), region);
      for (std::size_t i = 0; i < values.size(); ++i) {
        append_op(Instr{.op = Opcode::Mov, .type = type, .a = values[i]}, group[i]);
      }
      instr.c = group[0];
    }
  }
  append_op(instr, kNone, add_access(address, text, memory::Op::Store, type, instr.components));
}

Value Builder::atomic(AtomicFunction function, const Address& address, const AccessText& text,
                      ScalarType type, Value value, Value new_value) {
  Instr instr{.op = Opcode::Atomic, .type = type, .a = address.base, .offset = address.offset};
  instr.function = static_cast<std::uint8_t>(function);
  instr.c = value;
  instr.d = new_value;
  return append_op(instr, ir.temp(type), add_access(address, text, memory::Op::Atomic, type, 1));
}

Value Builder::shuffle(ShuffleMode mode, ScalarType type, Value v, Value lane, Value width, Value mask) {
  Instr instr{.op = Opcode::Shuffle, .type = type, .a = v, .b = lane, .c = width, .d = mask};
  instr.function = static_cast<std::uint8_t>(mode);
  return append_op(instr, ir.temp(type));
}

Value Builder::matrix_dot(ScalarType type, ScalarType of_a, ScalarType of_b, Value a, Value b, Value c,
                          int column) {
  Instr instr{.op = Opcode::MatrixDot, .type = type, .to = of_a, .index_type = of_b, .a = a, .b = b, .c = c};
  instr.function = static_cast<std::uint8_t>(column);
  return append_op(instr, ir.temp(type));
}

Value Builder::vote(VoteFunction function, ScalarType result, Value v) {
  Instr instr{.op = Opcode::Vote, .type = ScalarType::Bool, .a = v};
  instr.function = static_cast<std::uint8_t>(function);
  return append_op(instr, ir.temp(result));
}

Value Builder::block_vote(BlockVote function, Value v) {
  Instr instr{.op = Opcode::Barrier, .type = ScalarType::Bool, .a = v};
  instr.function = static_cast<std::uint8_t>(function);
  return append_op(instr, ir.temp(ScalarType::I32));
}

void Builder::cluster_barrier() {
  Instr instr{.op = Opcode::Barrier, .type = ScalarType::Bool};
  instr.function = static_cast<std::uint8_t>(BlockVote::Cluster);
  append_op(instr, kNone);
}

void Builder::plain(Opcode opcode, Value a) {
  append_op(Instr{.op = opcode, .type = ScalarType::Bool, .a = a}, kNone);
}

void Builder::claim(Claim claim, Value holds) {
  Instr instr{.op = Opcode::Assert, .type = ScalarType::Bool, .a = holds};
  instr.function = static_cast<std::uint8_t>(claim);
  append_op(instr, kNone);
}

Value Builder::address_value(const Address& address) {
  Value sum = address.base;
  for (const Term& term : address.terms) {
    Value index = convert(term.index, term.type, ScalarType::I64);
    index = op(Opcode::Mul, ScalarType::I64, index,
               integer(ScalarType::I64, static_cast<std::uint64_t>(term.scale)));
    sum = op(Opcode::Add, ScalarType::U64, sum, index);
  }
  if (address.offset == 0) return sum;
  return op(Opcode::Add, ScalarType::U64, sum,
            integer(ScalarType::U64, static_cast<std::uint64_t>(address.offset)));
}

Address Builder::settled(Address address) {
  address.base = settled(ScalarType::U64, address.base);
  for (Term& term : address.terms) term.index = settled(term.type, term.index);
  return address;
}

void Builder::add_index(Address& address, Value index, ScalarType type, std::int64_t scale, bool bounded) {
  if (const auto known = constant_integer(index, type)) {
    address.advance(scale, *known);
    return;
  }
  constexpr std::size_t kMostTerms = 32;
  if (address.terms.size() >= kMostTerms) address = {address_value(address), {}, 0};
  address.terms.push_back({index, type, scale, bounded});
}

}  // namespace warplens::sim::lower
