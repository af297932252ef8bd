#include "sim/lower/memory/tensor_copy.h"

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

  Value run() {
    b_.claim(Claim::TileAligned, is_multiple(c_.shared, kAlignment));
    b_.claim(Claim::RowAligned, is_multiple(first_byte(), kChunk));
    find_mask();
    const std::size_t rank = c_.coordinates.size();
    const Value width = unsigned_box(0), height = rank > 1 ? unsigned_box(1) : offset(1),
                depth = rank > 2 ? unsigned_box(2) : offset(1);
    row_bytes_ = b_.op(Opcode::Mul, kOffset, width, offset(size_));
    const Value rows = b_.op(Opcode::Mul, kOffset, height, depth);
    is_whole_ = c_.combines ? b_.integer(kBool, 0) : rows_are_whole();
    count_up(b_, kOffset, offset(0), rows, offset(1), c_.text.range, [&](Value counted) {
      const Value row = b_.copy(kOffset, counted);
      copy_row(row, b_.op(Opcode::Rem, kOffset, row, height), b_.op(Opcode::Div, kOffset, row, height));
    });
    return b_.op(Opcode::Mul, kOffset, rows, row_bytes_);
  }

 private:
  static constexpr ScalarType kInt = ScalarType::I32, kOffset = ScalarType::U32, kWide = ScalarType::I64,
                              kBool = ScalarType::Bool;
  static constexpr std::uint64_t kChunk = 16;       // bytes that are copied at once, where they may be
  static constexpr std::uint64_t kAlignment = 128;  // of a box in shared memory
  static constexpr int kChunkWords = 4;

  Value offset(std::uint64_t value) { return b_.integer(kOffset, value); }
  Value unsigned_box(std::size_t d) { return b_.convert(c_.numbers.box[d], kInt, kOffset); }
  Value both(Value x, Value y) { return b_.op(Opcode::And, kBool, x, y); }
  Value within(Value index, std::size_t d) {
    const Value limit = b_.convert(c_.numbers.extents[d], kInt, kOffset);
    return b_.op(Opcode::Lt, kOffset, b_.convert(index, kInt, kOffset), limit);
  }

  // 32, 64, 128: 1, 3, 7
  void find_mask() {
    const Value swizzle = b_.convert(c_.numbers.swizzle, kInt, kOffset);
    const Value bits =
        b_.op(Opcode::Sub, kOffset, b_.op(Opcode::Shr, kOffset, swizzle, offset(4)), offset(1));
    const Value none = b_.op(Opcode::Eq, kOffset, swizzle, offset(0));
    mask_ = b_.op(Opcode::Select, kOffset, none, offset(0), bits);
  }

  Value first_byte() {
    return b_.op(Opcode::Mul, kOffset, b_.convert(c_.coordinates[0], kInt, kOffset), offset(size_));
  }
  Value is_multiple(Value bytes, std::uint64_t of) {
    return b_.op(Opcode::Eq, kOffset, b_.op(Opcode::And, kOffset, bytes, offset(of - 1)), offset(0));
  }

  // Whether each row of the box lies within the tensor's.
  Value rows_are_whole() {
    const Value not_before = b_.op(Opcode::Ge, kInt, c_.coordinates[0], b_.integer(kInt, 0));
    const Value room = b_.op(Opcode::Sub, kInt, c_.numbers.extents[0], c_.numbers.box[0]);
    return both(not_before, b_.op(Opcode::Le, kInt, c_.coordinates[0], room));
  }

  // Where element `first` of the row's 0th dimension lies, counted from the map's base.
  Address row_address(Value y, Value z) {
    Address address{c_.base, {}, 0};
    b_.add_index(address, c_.coordinates[0], kInt, static_cast<std::int64_t>(size_), false);
    const auto add = [&](Value coordinate, Value bytes) {
      const Value far = b_.op(Opcode::Mul, kWide, b_.convert(coordinate, kInt, kWide), bytes);
      b_.add_index(address, far, kWide, 1, false);
    };
    if (c_.coordinates.size() > 1) add(y, c_.numbers.pitch);
    if (c_.coordinates.size() > 2) add(z, c_.numbers.slice);
    return b_.settled(address);
  }

  Value moved(std::size_t d, Value by) {
    return b_.op(Opcode::Add, kInt, c_.coordinates[d], b_.convert(by, kOffset, kInt));
  }

  void copy_row(Value row, Value y, Value z) {
    const std::size_t rank = c_.coordinates.size();
    Value inside = b_.integer(kBool, 1), y_at = kNone, z_at = kNone;
    if (rank > 1) inside = both(inside, within(y_at = moved(1, y), 1));
    if (rank > 2) inside = both(inside, within(z_at = moved(2, z), 2));
    const Address global = row_address(y_at, z_at);
    const Value first = b_.op(Opcode::Add, kOffset, c_.shared, b_.op(Opcode::Mul, kOffset, row, row_bytes_));
    const Value at_once = both(inside, is_whole_);
    where(b_, at_once, c_.text.range, [&] { copy_chunks(global, first); });
    where(b_, b_.op(Opcode::Not, kBool, at_once), c_.text.range,
          [&] { copy_elements(global, first, inside); });
  }

  Address shared_at(Value byte) {
    const Value flips = b_.op(Opcode::And, kOffset, b_.op(Opcode::Shr, kOffset, byte, offset(7)), mask_);
    const Value place = b_.op(Opcode::Xor, kOffset, byte, b_.op(Opcode::Shl, kOffset, flips, offset(4)));
    Address address{b_.ir.constant(ScalarType::U64, kSharedWindow, {Origin::Kind::Shared, -1}), {}, 0};
    b_.add_index(address, place, kOffset, 1, false);
    return address;
  }

  void copy_chunks(const Address& global, Value first) {
    count_up(b_, kOffset, offset(0), row_bytes_, offset(kChunk), c_.text.range, [&](Value counted) {
      const Value at = b_.copy(kOffset, counted);
      Address there = global;
      b_.add_index(there, at, kOffset, 1, false);
      const Address here = shared_at(b_.op(Opcode::Add, kOffset, first, at));
      const std::vector<Value> words = b_.ir.group(ValueInfo::Kind::Temp, kOffset, kChunkWords, b_.region);
      b_.load(c_.to_shared ? there : here, c_.text, kOffset, words);
      b_.store(c_.to_shared ? here : there, c_.text, kOffset, words);
    });
  }

  // One by one: at the tensor's edge, and what is added to what lies there.
  void copy_elements(const Address& global, Value first, Value row_inside) {
    const Value width = unsigned_box(0);
    count_up(b_, kOffset, offset(0), width, offset(1), c_.text.range, [&](Value counted) {
      const Value x = b_.copy(kOffset, counted);
      const Value inside = both(row_inside, within(moved(0, x), 0));
      Address there = global;
      b_.add_index(there, x, kOffset, static_cast<std::int64_t>(size_), false);
      const Value byte = b_.op(Opcode::Mul, kOffset, x, offset(size_));
      const Address here = shared_at(b_.op(Opcode::Add, kOffset, first, byte));
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
  Value mask_ = kNone, row_bytes_ = kNone, is_whole_ = kNone;
};

}  // namespace

Value copy_tensor(Builder& b, const TensorCopy& copy) {
  return Copier(b, copy).run();
}

}  // namespace warplens::sim::lower
