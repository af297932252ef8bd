#include "sim/lower/memory/copy_async.h"

#include "sim/lower/ir/flow.h"

namespace warplens::sim::lower {

namespace {

constexpr ScalarType kWord = ScalarType::U32;
constexpr int kWordBytes = 4;

// The bytes of a word that lie within `source_bytes`, of which `before` come before it; zeros behind them.
Value filled(Builder& b, Value word, Value source_bytes, int before) {
  const auto number = [&](std::uint64_t value) { return b.integer(kWord, value); };
  const auto ahead = static_cast<std::uint64_t>(before);
  const Value past = b.op(Opcode::Max, kWord, source_bytes, number(ahead));
  const Value left = b.op(Opcode::Sub, kWord, past, number(ahead));
  const Value part = b.op(Opcode::Min, kWord, left, number(kWordBytes - 1));
  const Value bit = b.op(Opcode::Shl, kWord, number(1), b.op(Opcode::Shl, kWord, part, number(3)));
  const Value low = b.op(Opcode::And, kWord, word, b.op(Opcode::Sub, kWord, bit, number(1)));
  const Value whole = b.op(Opcode::Ge, kWord, left, number(kWordBytes));
  return b.op(Opcode::Select, kWord, whole, word, low);
}

std::vector<Value> words_of(Builder& b, ValueInfo::Kind kind, int words) {
  if (words > 1) return b.ir.group(kind, kWord, words, b.region);
  return {kind == ValueInfo::Kind::Temp ? b.ir.temp(kWord) : b.ir.variable(kWord, b.region)};
}

std::vector<Value> copied(Builder& b, const AsyncCopyParts& parts) {
  const int words = parts.bytes / kWordBytes;
  const Value length = parts.source_bytes;
  const auto known = length == kNone ? std::nullopt : b.bits(length);
  if (length == kNone || (known && *known >= static_cast<std::uint64_t>(parts.bytes))) {
    std::vector<Value> values = words_of(b, ValueInfo::Kind::Temp, words);
    b.load(parts.from, parts.from_text, kWord, values);
    return values;
  }
  std::vector<Value> values = words_of(b, ValueInfo::Kind::Variable, words);
  for (const Value value : values) b.move(value, kWord, b.integer(kWord, 0));
  const Value some = b.op(Opcode::Ne, kWord, length, b.integer(kWord, 0));
  where(b, some, parts.from_text.range, [&] {
    const std::vector<Value> read = words_of(b, ValueInfo::Kind::Temp, words);
    b.load(parts.from, parts.from_text, kWord, read);
    for (int word = 0; word < words; ++word) {
      const auto k = static_cast<std::size_t>(word);
      b.move(values[k], kWord, filled(b, read[k], length, kWordBytes * word));
    }
  });
  return values;
}

}  // namespace

void copy_async(Builder& b, AsyncCopyParts parts) {
  parts.from_text.form = parts.to_text.form = AccessForm::AsyncCopy;
  parts.from_text.cache = parts.to_text.cache = parts.past_l1 ? CacheOperator::Cg : CacheOperator::Ca;
  parts.from_text.source_bytes = parts.to_text.source_bytes = parts.source_bytes;
  const std::vector<Value> values = copied(b, parts);
  b.store(parts.to, parts.to_text, kWord, values);
}

}  // namespace warplens::sim::lower
