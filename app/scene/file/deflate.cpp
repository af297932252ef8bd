#include "app/scene/file/deflate.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace warplens::scene {
namespace {

constexpr std::size_t kLeastMatch = 4, kMostMatch = 258, kWindow = 32768;

// Bits from the lowest on; codes of Huffman's kind from their highest on.
class BitWriter {
 public:
  explicit BitWriter(std::vector<std::uint8_t>& out) : out_(out) {}
  void bits(std::uint32_t value, int count) {
    held_ |= std::uint64_t{value} << filled_;
    for (filled_ += count; filled_ >= 8; filled_ -= 8, held_ >>= 8)
      out_.push_back(static_cast<std::uint8_t>(held_));
  }
  void code(std::uint32_t value, int count) {
    std::uint32_t reversed = 0;
    for (int i = 0; i < count; ++i) reversed |= (value >> i & 1u) << (count - 1 - i);
    bits(reversed, count);
  }
  void flush() {
    if (filled_ > 0) bits(0, 8 - filled_);
  }

 private:
  std::vector<std::uint8_t>& out_;
  std::uint64_t held_ = 0;
  int filled_ = 0;
};

// Of literals, lengths and the end (256), as RFC 1951, 3.2.6 has them.
void put_symbol(BitWriter& out, std::uint32_t symbol) {
  if (symbol < 144) return out.code(0x30 + symbol, 8);
  if (symbol < 256) return out.code(0x190 + symbol - 144, 9);
  if (symbol < 280) return out.code(symbol - 256, 7);
  out.code(0xc0 + symbol - 280, 8);
}

// Lengths and distances share a form: values from each code's base on, told apart by extra bits.
struct Base {
  std::uint32_t value;
  int extra;
};
constexpr std::array<Base, 29> kLengths = [] {
  std::array<Base, 29> table{};
  std::uint32_t value = 3;
  for (std::size_t i = 0; i < 28; ++i) {
    table[i] = {value, i < 8 ? 0 : static_cast<int>(i / 4) - 1};
    value += 1u << table[i].extra;
  }
  table[28] = {258, 0};
  return table;
}();
constexpr std::array<Base, 30> kDistances = [] {
  std::array<Base, 30> table{};
  std::uint32_t value = 1;
  for (std::size_t i = 0; i < 30; ++i) {
    table[i] = {value, i < 4 ? 0 : static_cast<int>(i / 2) - 1};
    value += 1u << table[i].extra;
  }
  return table;
}();

template <std::size_t N>
std::size_t code_of(const std::array<Base, N>& table, std::uint32_t value) {
  const auto after = std::upper_bound(table.begin(), table.end(), value,
                                      [](std::uint32_t v, const Base& base) { return v < base.value; });
  return static_cast<std::size_t>(after - table.begin()) - 1;
}

void put_match(BitWriter& out, std::size_t length, std::size_t distance) {
  const auto of_length = static_cast<std::uint32_t>(length), back = static_cast<std::uint32_t>(distance);
  const std::size_t l = code_of(kLengths, of_length), d = code_of(kDistances, back);
  put_symbol(out, static_cast<std::uint32_t>(257 + l));
  out.bits(of_length - kLengths[l].value, kLengths[l].extra);
  out.code(static_cast<std::uint32_t>(d), 5);
  out.bits(back - kDistances[d].value, kDistances[d].extra);
}

std::uint32_t adler_of(std::span<const std::uint8_t> bytes, Pace& pace) {
  constexpr std::size_t kBeforeOverflow = 4096;
  std::uint32_t a = 1, b = 0;
  for (std::size_t i = 0; i < bytes.size(); i += kBeforeOverflow) {
    pace.step(4);
    for (const std::uint8_t byte : bytes.subspan(i, std::min(kBeforeOverflow, bytes.size() - i)))
      a += byte, b += a;
    a %= 65521, b %= 65521;
  }
  return b << 16 | a;
}

std::size_t common(const std::uint8_t* a, const std::uint8_t* b, std::size_t most) {
  std::size_t length = 0;
  while (length < most && a[length] == b[length]) ++length;
  return length;
}

}  // namespace

std::vector<std::uint8_t> zlib_packed(std::span<const std::uint8_t> bytes, Budget& budget) {
  Pace pace(budget, Stage::Drawing);
  std::vector<std::uint8_t> packed = {0x78, 0x01};
  BitWriter out(packed);
  out.bits(1, 1);  // the last block
  out.bits(1, 2);  // with fixed codes
  constexpr int kHashBits = 15;
  std::vector<std::size_t> latest(std::size_t{1} << kHashBits, bytes.size());  // where four such bytes began
  for (std::size_t at = 0; at < bytes.size();) {
    pace.step();
    std::size_t length = 0, distance = 0;
    if (at + kLeastMatch <= bytes.size()) {
      const std::size_t most = std::min(kMostMatch, bytes.size() - at);
      std::uint32_t four = 0;
      std::memcpy(&four, &bytes[at], sizeof four);
      std::size_t& before = latest[four * 2654435761u >> (32 - kHashBits)];
      if (before < at && at - before <= kWindow) {
        distance = at - before;
        length = common(&bytes[before], &bytes[at], most);
      }
      before = at;
      // The byte before over and over: as long, it has the shorter code.
      const std::size_t run = at > 0 ? common(&bytes[at - 1], &bytes[at], most) : 0;
      if (run >= length) length = run, distance = 1;
    }
    if (length >= kLeastMatch) {
      put_match(out, length, distance);
      at += length;
    } else {
      put_symbol(out, bytes[at++]);
    }
  }
  put_symbol(out, 256);
  out.flush();
  const std::uint32_t adler = adler_of(bytes, pace);
  for (int shift = 24; shift >= 0; shift -= 8) packed.push_back(static_cast<std::uint8_t>(adler >> shift));
  return packed;
}

}  // namespace warplens::scene
