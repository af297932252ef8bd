#include "sim/lower/memory/tensor_copy.h"

#include "sim/lower/ir/flow.h"

namespace warplens::sim::lower {

namespace {

constexpr ScalarType kWord = ScalarType::U32;
constexpr int kWordBytes = 4;

// The bytes of a word that lie within `source_bytes`, of which `before` come before it; zeros behind them.
Number filled(Builder& b, Value given, Value source_bytes, int before) {
  const Number word(b, kWord, given), all(b, kWord, source_bytes);
  const auto ahead = static_cast<std::uint64_t>(before);
  const Number left = max(all, ahead) - ahead;
  const Number bit = left.of(1u) << (min(left, std::uint64_t{kWordBytes - 1}) << 3u);
  return select(left >= std::uint64_t{kWordBytes}, word, word & (bit - 1u));
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
  parts.from_text.past_l1 = parts.to_text.past_l1 = parts.past_l1;
  parts.from_text.source_bytes = parts.to_text.source_bytes = parts.source_bytes;
  const std::vector<Value> values = copied(b, parts);
  b.store(parts.to, parts.to_text, kWord, values);
}

namespace {

class Copier {
 public:
  Copier(Builder& b, const TensorCopy& copy)
      : b_(b), c_(copy), size_(static_cast<std::uint64_t>(copy.bytes)) {}

  Number run() {
    b_.claim(Claim::TileAligned, (c_.shared & (kAlignment - 1)) == 0u);
    b_.claim(Claim::RowAligned, ((c_.coordinates[0].to(kOffset) * size_) & (kChunk - 1)) == 0u);
    const Number swizzle = c_.numbers.swizzle.to(kOffset);
    mask_ = select(swizzle == 0u, swizzle.of(0u), (swizzle >> 4u) - 1u);  // 32, 64, 128: 1, 3, 7
    const auto side = [&](std::size_t d) { return d < c_.coordinates.size() ? box(d) : swizzle.of(1u); };
    const Number height = side(1), rows = height * side(2);
    row_bytes_ = box(0) * size_;
    is_whole_ =
        c_.combines ? Number(b_, ScalarType::Bool, b_.integer(ScalarType::Bool, 0)) : rows_are_whole();
    count_up(b_, kOffset, rows.of(0u), rows, rows.of(1u), c_.text.range, [&](Value counted) {
      const Number row(b_, kOffset, b_.copy(kOffset, counted));
      copy_row(row, row % height, row / height);
    });
    return rows * row_bytes_;
  }

 private:
  static constexpr ScalarType kInt = ScalarType::I32, kOffset = ScalarType::U32, kWide = ScalarType::I64;
  static constexpr std::uint64_t kChunk = 16;       // bytes that are copied at once, where they may be
  static constexpr std::uint64_t kAlignment = 128;  // of a box in shared memory
  static constexpr int kChunkWords = 4;

  Number box(std::size_t d) { return c_.numbers.box[d].to(kOffset); }
  Number within(const Number& index, std::size_t d) {
    return index.to(kOffset) < c_.numbers.extents[d].to(kOffset);
  }

  // Whether each row of the box lies within the tensor's.
  Number rows_are_whole() {
    const Number& first = c_.coordinates[0];
    return (first >= 0u) & (first <= c_.numbers.extents[0] - c_.numbers.box[0]);
  }

  Number moved(std::size_t d, const Number& by) { return c_.coordinates[d] + by.to(kInt); }

  void copy_row(const Number& row, const Number& y, const Number& z) {
    const std::size_t rank = c_.coordinates.size();
    Number inside(b_, ScalarType::Bool, b_.integer(ScalarType::Bool, 1));
    // Where element `first` of the row's 0th dimension lies, counted from the map's base.
    Address global{c_.base, {}, 0};
    b_.add_index(global, c_.coordinates[0], kInt, static_cast<std::int64_t>(size_), false);
    const auto add = [&](std::size_t d, const Number& by, const Number& bytes) {
      const Number at = moved(d, by);
      inside = inside & within(at, d);
      b_.add_index(global, at.to(kWide) * bytes, kWide, 1, false);
    };
    if (rank > 1) add(1, y, c_.numbers.pitch);
    if (rank > 2) add(2, z, c_.numbers.slice);
    global = b_.settled(global);
    const Number first = row * row_bytes_ + c_.shared, at_once = inside & is_whole_;
    where(b_, at_once, c_.text.range, [&] { copy_chunks(global, first); });
    where(b_, !at_once, c_.text.range, [&] { copy_elements(global, first, inside); });
  }

  Address shared_at(const Number& byte) {
    Address address{b_.ir.constant(ScalarType::U64, kSharedWindow, {Origin::Kind::Shared, -1}), {}, 0};
    b_.add_index(address, byte ^ (((byte >> 7u) & mask_) << 4u), kOffset, 1, false);
    return address;
  }

  void copy_chunks(const Address& global, const Number& first) {
    count_up(b_, kOffset, first.of(0u), row_bytes_, first.of(kChunk), c_.text.range, [&](Value counted) {
      const Number at(b_, kOffset, b_.copy(kOffset, counted));
      Address there = global;
      b_.add_index(there, at, kOffset, 1, false);
      const Address here = shared_at(first + at);
      const std::vector<Value> words = b_.ir.group(ValueInfo::Kind::Temp, kOffset, kChunkWords, b_.region);
      b_.load(c_.to_shared ? there : here, c_.text, kOffset, words);
      b_.store(c_.to_shared ? here : there, c_.text, kOffset, words);
    });
  }

  // One by one: at the tensor's edge, and what is added to what lies there.
  void copy_elements(const Address& global, const Number& first, const Number& row_inside) {
    count_up(b_, kOffset, first.of(0u), box(0), first.of(1u), c_.text.range, [&](Value counted) {
      const Number x(b_, kOffset, b_.copy(kOffset, counted)), inside = row_inside & within(moved(0, x), 0);
      Address there = global;
      b_.add_index(there, x, kOffset, static_cast<std::int64_t>(size_), false);
      const Address here = shared_at(x * size_ + first);
      c_.to_shared ? load_element(there, here, inside) : store_element(there, here, inside);
    });
  }

  ScalarType bits() const {
    return size_ == 1   ? ScalarType::U8
           : size_ == 2 ? ScalarType::U16
           : size_ == 4 ? ScalarType::U32
                        : ScalarType::U64;
  }

  void load_element(const Address& there, const Address& here, Value inside) {
    const ScalarType type = bits();
    const Value element = b_.ir.variable(type, b_.region);
    b_.move(element, type, b_.integer(type, 0));
    where(b_, inside, c_.text.range, [&] {
      const Value read = b_.ir.temp(type);
      b_.load(there, c_.text, type, {read});
      b_.move(element, type, read);
    });
    b_.store(here, c_.text, type, {element});
  }

  void store_element(const Address& there, const Address& here, Value inside) {
    const ScalarType type = c_.combines ? c_.element : bits();
    where(b_, inside, c_.text.range, [&] {
      const Value read = b_.ir.temp(type);
      b_.load(here, c_.text, type, {read});
      if (c_.combines)
        (void)b_.atomic(*c_.combines, there, c_.text, type, read);
      else
        b_.store(there, c_.text, type, {read});
    });
  }

  Builder& b_;
  const TensorCopy& c_;
  const std::uint64_t size_;
  Number mask_, row_bytes_, is_whole_;
};

}  // namespace

Number copy_tensor(Builder& b, const TensorCopy& copy) {
  return Copier(b, copy).run();
}

}  // namespace warplens::sim::lower
