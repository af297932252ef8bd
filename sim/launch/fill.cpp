#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "sim/launch/launch.h"
#include "sim/scalar/bits.h"

namespace warplens::sim {

namespace {

// The finaliser of SplitMix64 over the element's index: the same on every machine, and for any order of
// reading.
std::uint64_t scramble(std::uint64_t index) {
  std::uint64_t z = (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// So many values Zipf has at most: with more, the rare ones together would be most of the data, and no bin of
// a histogram fuller than the others.
constexpr std::uint64_t kMostRanks = 1024;

// Prime, so that rows of any usual length begin with different values: a product whose rows or columns are
// exchanged is another one.
constexpr std::uint64_t kSmallOnes = 7;

// Rank k of `ranks`, 1 to 2^31, with a probability in proportion to 1 / (k + 1), in integers alone: every
// machine draws the same. An octave [2^o, 2^(o+1)) of k + 1 is chosen, each as likely, a place in it, each as
// likely, and kept with probability 2^o / (k + 1); else all is drawn again.
std::uint64_t zipf_rank(std::uint64_t index, std::uint64_t ranks) {
  const auto octaves = static_cast<std::uint64_t>(std::bit_width(ranks));
  std::uint64_t random = scramble(index);
  for (int tries = 0; tries < 64; ++tries) {
    const std::uint64_t octave = ((random >> 32) * octaves) >> 32, first = std::uint64_t{1} << octave;
    const std::uint64_t place = first + (random & (first - 1));
    random = scramble(random);
    const bool kept = ((random >> 32) * place) >> 32 < first;
    random = scramble(random);
    if (kept && place <= ranks) return place - 1;
  }
  return 0;
}

// What an element of the type can hold, no more than `elements`; not so much that a signed one is negative.
std::uint64_t values_below(ScalarType type, std::uint64_t elements) {
  const std::uint64_t bound = elements != 0 ? elements : 65536;
  if (is_floating(type)) return bound;
  const int value_bits = 8 * size_of(type) - (is_signed(type) ? 1 : 0);
  return std::min(bound, value_bits < 64 ? std::uint64_t{1} << value_bits : ~std::uint64_t{0});
}

std::uint64_t integer_bits(ScalarType type, std::uint64_t value) {
  const int bytes = size_of(type);
  if (type == ScalarType::Bool) return value & 1;
  return bytes == 8 ? value : value & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

// Numbers below 2^(2 * half) in another order, and back: rounds that each mix one half into the other.
constexpr int kRounds = 4;
std::uint64_t mixed(std::uint64_t half_value, int round, std::uint64_t mask) {
  return scramble(half_value * kRounds + static_cast<std::uint64_t>(round)) & mask;
}
std::uint64_t shuffled(std::uint64_t value, int half) {
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  std::uint64_t left = value >> half, right = value & mask;
  for (int round = 0; round < kRounds; ++round) left = std::exchange(right, left ^ mixed(right, round, mask));
  return left << half | right;
}
std::uint64_t unshuffled(std::uint64_t value, int half) {
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  std::uint64_t left = value >> half, right = value & mask;
  for (int round = kRounds - 1; round >= 0; --round)
    right = std::exchange(left, right ^ mixed(left, round, mask));
  return left << half | right;
}

// A permutation of [0, count): what leaves it is shuffled again until it is back.
class Order {
 public:
  explicit Order(std::uint64_t count)
      : count_(count), half_(std::max(1, (static_cast<int>(std::bit_width(count - 1)) + 1) / 2)) {}
  std::uint64_t operator()(std::uint64_t place) const {
    do place = shuffled(place, half_);
    while (place >= count_);
    return place;
  }
  std::uint64_t place_of(std::uint64_t value) const {
    do value = unshuffled(value, half_);
    while (value >= count_);
    return value;
  }

 private:
  std::uint64_t count_;
  int half_;
};

std::uint64_t ordered_value(Fill fill, std::uint64_t index, std::uint64_t elements) {
  constexpr std::uint64_t kOfEndless = 65536;
  const std::uint64_t count = elements != 0 ? elements : kOfEndless;
  const std::uint64_t first = index / count * count, within = index % count;
  const Order order(count);
  return first + (fill == Fill::Permutation ? order(within) : order((order.place_of(within) + 1) % count));
}

// What a kernel's first access to each page waits for: floats, counted or random, all at once.
bool fill_floats(Fill fill, std::uint64_t index, std::byte* out, std::uint64_t count) {
  constexpr auto kMostInt = std::uint64_t{1} << 31;  // an int converts in one instruction, to the same float
  if (index + count > kMostInt) return false;
  const auto first = static_cast<std::uint32_t>(index);
  for (std::uint32_t i = 0; i < count; ++i) {
    const float value =
        fill == Fill::Iota
            ? static_cast<float>(static_cast<std::int32_t>(first + i))
            : static_cast<float>(static_cast<std::int32_t>(scramble(index + i) >> 52)) * 0x1p-12f;
    std::memcpy(out + std::size_t{4} * i, &value, sizeof value);
  }
  return true;
}

std::uint64_t float_bits(ScalarType type, double value) {
  return memory_bits(type, bits_of(type, value));
}

std::uint64_t random_between(const FillRange& range, ScalarType type, std::uint64_t index) {
  const std::uint64_t random = scramble(index);
  if (is_floating(type)) {
    const double part = static_cast<double>(random >> 32) / 0x1p32;
    return float_bits(type, range[0] + part * (range[1] - range[0]));
  }
  const auto least = static_cast<std::int64_t>(range[0]), most = static_cast<std::int64_t>(range[1]);
  const auto values = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least) + 1;
  const std::uint64_t by = values == 0 ? random : random % values;
  return integer_bits(type, static_cast<std::uint64_t>(least) + by);
}

// Each integer lies anywhere from its even place to the next one's: a row that begins there has from none to
// twice as many elements as the mean.
std::uint64_t ascending_value(const std::optional<FillRange>& range, ScalarType type, std::uint64_t index,
                              std::uint64_t elements) {
  const std::uint64_t last = elements > 1 ? elements - 1 : elements == 0 ? 65535 : 1;
  const std::uint64_t at = std::min(index, last);
  const FillRange ends = range.value_or(FillRange{0, static_cast<double>(last)});
  if (is_floating(type))
    return float_bits(type,
                      ends[0] + (ends[1] - ends[0]) * (static_cast<double>(at) / static_cast<double>(last)));
  const auto least = static_cast<std::int64_t>(ends[0]);
  const auto span = static_cast<unsigned __int128>(static_cast<std::int64_t>(ends[1]) - least);
  const auto place = [&](std::uint64_t i) { return static_cast<std::uint64_t>(span * i / last); };
  const std::uint64_t from = place(at);
  const bool at_an_end = at == 0 || at == last;
  const std::uint64_t by = at_an_end ? 0 : scramble(at) % (place(at + 1) - from + 1);
  return integer_bits(type, static_cast<std::uint64_t>(least) + from + by);
}

}  // namespace

std::uint64_t fill_element(Fill fill, ScalarType type, std::uint64_t index, std::uint64_t elements,
                           const std::optional<FillRange>& range) {
  if (fill == Fill::Zero) return 0;
  if (fill == Fill::Ascending) return ascending_value(range, type, index, elements);
  if (fill == Fill::Random && range) return random_between(*range, type, index);
  if (fill == Fill::Small) {
    const std::uint64_t value = index % kSmallOnes;
    return is_floating(type) ? float_bits(type, static_cast<double>(value)) : integer_bits(type, value);
  }
  if (fill == Fill::Iota) {
    // An index converts to float once: through double it would round twice from 2^53 on.
    if (type == ScalarType::F32) return std::bit_cast<std::uint32_t>(static_cast<float>(index));
    return is_floating(type) ? float_bits(type, static_cast<double>(index)) : integer_bits(type, index);
  }
  const std::uint64_t below = values_below(type, elements);
  if (fill == Fill::Zipf) {
    const std::uint64_t rank = zipf_rank(index, std::min(below, kMostRanks));
    return is_floating(type) ? float_bits(type, static_cast<double>(rank)) : integer_bits(type, rank);
  }
  const std::uint64_t random = scramble(index);
  if (fill == Fill::Letters || fill == Fill::Permutation || fill == Fill::List) {
    const std::uint64_t value =
        fill == Fill::Letters ? 'a' + random % 26 : ordered_value(fill, index, elements);
    return is_floating(type) ? float_bits(type, static_cast<double>(value)) : integer_bits(type, value);
  }
  if (is_floating(type)) return float_bits(type, static_cast<double>(random >> 52) * 0x1p-12);
  return integer_bits(type, random % below);
}

void fill_bytes(Fill fill, ScalarType type, std::uint64_t elements, const std::optional<FillRange>& range,
                std::uint64_t first, std::byte* out, std::uint64_t count) {
  if (fill == Fill::Zero) {
    std::memset(out, 0, count);
    return;
  }
  const auto size = static_cast<std::uint64_t>(size_of(type));
  const bool quick = type == ScalarType::F32 && !range && (fill == Fill::Iota || fill == Fill::Random);
  if (quick && fill_floats(fill, first / size, out, count / size)) return;
  for (std::uint64_t at = 0; at + size <= count; at += size) {
    const std::uint64_t bits = fill_element(fill, type, (first + at) / size, elements, range);
    std::memcpy(out + at, &bits, size);
  }
}

}  // namespace warplens::sim
