#include "sim/lower/memory/texture.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/lower/host_words.h"
#include "sim/lower/ir/flow.h"
#include "sim/text/scan.h"

namespace warplens::sim::lower {

Value to_one(Builder& b, Value part, ScalarType from) {
  constexpr ScalarType kFloat = ScalarType::F32;
  const double most = size_of(from) == 1 ? (is_signed(from) ? 127 : 255) : (is_signed(from) ? 32767 : 65535);
  const Value quotient = b.op(Opcode::Div, kFloat, b.convert(part, from, kFloat), b.number(kFloat, most));
  return is_signed(from) ? b.op(Opcode::Max, kFloat, quotient, b.number(kFloat, -1)) : quotient;
}

void TextureAccess::sample(const std::vector<Value>& coordinates, const std::vector<Value>& whole,
                           const Result& target) {
  const Value either = b_.op(Opcode::Or, kInt, numbers_.filter, numbers_.normalized);
  const Value plain = b_.op(Opcode::Eq, kInt, either, number(0));
  where(b_, plain, text_.range, [&] { point(whole, target); });
  where(b_, no(plain), text_.range, [&] {
    std::vector<Value> scaled;
    for (std::size_t k = 0; k < coordinates.size(); ++k) scaled.push_back(in_texels(coordinates[k], k));
    const Value is_point = is(numbers_.filter, kPointFilter);
    where(b_, is_point, text_.range, [&] { point(floors_of(scaled), target); });
    // Integers are not weighed: such a texture cannot be bound on a GPU either.
    if (scalar_of(first_leaf(target.type)) != kFloat) return b_.plain(Opcode::Assert, is_point);
    where(b_, no(is_point), text_.range, [&] { linear(scaled, target); });
  });
}

Address TextureAccess::element_at(Value bytes, const std::vector<Value>& others) {
  Address address{texture_.base, {}, 0};
  if (!others.empty()) {
    Value row = others.back();
    for (std::size_t k = others.size() - 1; k > 0; --k)
      row = sum(b_.op(Opcode::Mul, kInt, row, numbers_.extents[k]), others[k - 1]);
    const Value first = b_.op(Opcode::Mul, kInt, row, numbers_.extents[0]);
    b_.add_index(address, first, kInt, size_of(texture_.element), false);
  }
  b_.add_index(address, bytes, kInt, 1, false);
  return address;
}

Value TextureAccess::is_inside(Value bytes, const std::vector<Value>& others) {
  const auto size = static_cast<std::uint64_t>(size_of(texture_.element));
  Value inside = within(bytes, b_.op(Opcode::Mul, kInt, numbers_.extents[0], number(size)));
  for (std::size_t k = 0; k < others.size(); ++k)
    inside = both(inside, within(others[k], numbers_.extents[k + 1]));
  return inside;
}

Value TextureAccess::clamped(Value index, std::size_t dimension, std::uint64_t bytes) {
  const Value end = b_.op(Opcode::Mul, kInt, numbers_.extents[dimension], number(bytes));
  const Value last = b_.op(Opcode::Sub, kInt, end, number(bytes));
  return b_.op(Opcode::Max, kInt, number(0), b_.op(Opcode::Min, kInt, index, last));
}

Value TextureAccess::within(Value index, Value extent) {
  return both(b_.op(Opcode::Ge, kInt, index, number(0)), b_.op(Opcode::Lt, kInt, index, extent));
}

// A coordinate in texels. A normalized one is brought to 0 to 1 first, where the texture repeats.
Value TextureAccess::in_texels(Value x, std::size_t dimension) {
  const Value below = floor(x), fraction = b_.op(Opcode::Sub, kFloat, x, below);
  const Value parity = b_.op(Opcode::And, kInt, b_.convert(below, kFloat, kInt), number(1));
  const Value back = b_.op(Opcode::Sub, kFloat, real(1), fraction);
  const Value mirrored = choose(b_.op(Opcode::Ne, kInt, parity, number(0)), kFloat, back, fraction);
  const Value repeated = choose(wraps(), kFloat, fraction, choose(mirrors(), kFloat, mirrored, x));
  const Value length = b_.convert(numbers_.extents[dimension], kInt, kFloat);
  return choose(is_normalized(), kFloat, b_.op(Opcode::Mul, kFloat, repeated, length), x);
}

std::vector<Value> TextureAccess::floors_of(const std::vector<Value>& coordinates) {
  std::vector<Value> floors;
  for (const Value x : coordinates) floors.push_back(b_.convert(floor(x), kFloat, kInt));
  return floors;
}

// A texel's number in its dimension: outside of the texture that of the edge, or of the other side.
Value TextureAccess::addressed(Value index, std::size_t dimension) {
  const Value extent = numbers_.extents[dimension];
  const Value rest = b_.op(Opcode::Rem, kInt, index, b_.op(Opcode::Max, kInt, extent, number(1)));
  const Value is_before = b_.op(Opcode::Lt, kInt, rest, number(0));
  const Value around = sum(rest, choose(is_before, kInt, extent, number(0)));
  return choose(wraps(), kInt, around, clamped(index, dimension, 1));
}

Address TextureAccess::address_of(const std::vector<Value>& indices) {
  Value index = addressed(indices.back(), indices.size() - 1);
  for (std::size_t k = indices.size() - 1; k-- > 0;)
    index = sum(b_.op(Opcode::Mul, kInt, index, numbers_.extents[k]), addressed(indices[k], k));
  Address address{texture_.base, {}, 0};
  b_.add_index(address, index, kInt, size_of(texture_.element), false);
  return address;
}

std::vector<Value> TextureAccess::read(const std::vector<Value>& indices) {
  const ScalarType type = scalar_of(first_leaf(texture_.element));
  const auto count = static_cast<int>(size_of(texture_.element) / sim::size_of(type));
  std::vector<Value> parts = count == 1 ? std::vector<Value>{b_.ir.temp(type)}
                                        : b_.ir.group(ValueInfo::Kind::Temp, type, count, b_.region);
  b_.load(address_of(indices), text_, type, parts);
  for (Value& part : parts)
    if (texture_.normalizes) part = to_one(b_, part, type);
  return parts;
}

// Not beyond a border, where zeros are read.
Value TextureAccess::has_texel(const std::vector<Value>& indices) {
  Value in = within(indices[0], numbers_.extents[0]);
  for (std::size_t k = 1; k < indices.size(); ++k) in = both(in, within(indices[k], numbers_.extents[k]));
  return b_.op(Opcode::Or, kBool, no(is(numbers_.address, kBorderMode)), in);
}

void TextureAccess::point(const std::vector<Value>& indices, const Result& target) {
  const ScalarType type = scalar_of(first_leaf(target.type));
  where(b_, has_texel(indices), text_.range, [&] {
    const std::vector<Value> parts = read(indices);
    for (std::size_t i = 0; i < parts.size(); ++i) b_.move(target.parts[i], type, parts[i]);
  });
}

// The weighted sum of the two, four or eight texels around.
void TextureAccess::linear(const std::vector<Value>& coordinates, const Result& target) {
  constexpr double kSteps = 256;
  std::vector<Value> below, fractions;
  for (const Value x : coordinates) {
    const Value middle = b_.op(Opcode::Sub, kFloat, x, real(0.5)), first = floor(middle);
    const Value fraction = b_.op(Opcode::Sub, kFloat, middle, first);
    const Value steps =
        b_.op(Opcode::Add, kFloat, b_.op(Opcode::Mul, kFloat, fraction, real(kSteps)), real(0.5));
    below.push_back(b_.convert(first, kFloat, kInt));
    fractions.push_back(b_.op(Opcode::Mul, kFloat, floor(steps), real(1 / kSteps)));
  }
  for (std::size_t corner = 0; corner < std::size_t{1} << coordinates.size(); ++corner) {
    std::vector<Value> indices;
    Value weight = real(1);
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
      const bool next = (corner >> k & 1) != 0;
      indices.push_back(next ? sum(below[k], number(1)) : below[k]);
      const Value part = next ? fractions[k] : b_.op(Opcode::Sub, kFloat, real(1), fractions[k]);
      weight = b_.op(Opcode::Mul, kFloat, weight, part);
    }
    add_corner(indices, weight, target);
  }
}

void TextureAccess::add_corner(const std::vector<Value>& indices, Value weight, const Result& target) {
  where(b_, has_texel(indices), text_.range, [&] {
    const std::vector<Value> parts = read(indices);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Value part = b_.op(Opcode::Mul, kFloat, weight, parts[i]);
      b_.move(target.parts[i], kFloat, b_.op(Opcode::Add, kFloat, target.parts[i], part));
    }
  });
}

// What the host code of a file says of its textures, seen in its words.

namespace {

// `description.readMode = word;`, not `texture<uchar4, 2, word>`.
bool assigns(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t before = at == 0 ? std::string_view::npos : text.find_last_not_of(" \t\n", at - 1);
    if (before != std::string_view::npos && text[before] == '=') return true;
  }
  return false;
}

template <std::size_t kCount>
std::optional<std::int64_t> one_of(std::string_view text,
                                   const std::array<std::pair<std::string_view, int>, kCount>& words) {
  return the_one_named<std::int64_t>(text, words, 0);
}

// `description.normalizedCoords = 1;`, `image.normalized = true;`
std::optional<std::int64_t> normalized(std::string_view text) {
  bool said[2] = {false, false};
  for (const std::string_view word : {"normalizedCoords", "normalized"}) {
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
      std::size_t next = text.find_first_not_of(" \t\n", at + word.size());
      if (next == std::string_view::npos || text[next] != '=') continue;
      next = text.find_first_not_of(" \t\n", next + 1);
      if (next == std::string_view::npos || text[next] == '=') continue;
      const std::string_view value = text.substr(next);
      const bool no = value.starts_with("0") || value.starts_with("false");
      const bool yes = value.starts_with("1") || value.starts_with("true");
      if (!no && !yes) return {};
      said[yes ? 1 : 0] = true;
    }
  }
  if (said[0] && said[1]) return {};
  return said[1] ? 1 : 0;
}

// "uchar4" of `8, 8, 8, 8, cudaChannelFormatKindUnsigned`; empty for what is not written in numbers.
std::string format_of_bits(std::string_view arguments) {
  std::vector<std::string> parts;
  while (!arguments.empty()) {
    const std::size_t comma = std::min(arguments.find(','), arguments.size());
    parts.emplace_back(text::trimmed(arguments.substr(0, comma)));
    arguments.remove_prefix(std::min(comma + 1, arguments.size()));
  }
  if (parts.size() != 5) return {};
  const std::string bits = parts[0];
  const auto count = std::count(parts.begin(), parts.begin() + 4, bits);
  const bool others_none = std::count(parts.begin(), parts.begin() + 4, "0") == 4 - count;
  if (bits == "0" || !others_none) return {};
  const std::string word = bits == "8" ? "char" : bits == "16" ? "short" : bits == "32" ? "int" : "";
  const std::string number = std::to_string(count);
  if (parts[4] == "cudaChannelFormatKindFloat") return bits == "32" ? "float" + number : "";
  if (word.empty()) return {};
  if (parts[4] == "cudaChannelFormatKindUnsigned") return "u" + word + number;
  return parts[4] == "cudaChannelFormatKindSigned" ? word + number : "";
}

std::vector<std::string> formats_in(std::string_view text) {
  constexpr std::string_view kMaker = "cudaCreateChannelDesc";
  std::vector<std::string> formats;
  for (std::size_t at = text.find(kMaker); at != std::string_view::npos; at = text.find(kMaker, at + 1)) {
    const std::string_view rest = text.substr(at + kMaker.size());
    const bool of_type = rest.starts_with("<");
    if (!of_type && !rest.starts_with("(")) continue;  // a longer name
    const std::size_t end = rest.find(of_type ? '>' : ')');
    if (end == std::string_view::npos) continue;
    const std::string_view inside = rest.substr(1, end - 1);
    formats.push_back(of_type ? std::string(text::trimmed(inside)) : format_of_bits(inside));
  }
  return formats;
}

}  // namespace

TextureSettings texture_settings(std::string_view text) {
  TextureSettings found;
  found.filter =
      one_of<2>(text, {{{"cudaFilterModePoint", kPointFilter}, {"cudaFilterModeLinear", kLinearFilter}}});
  found.address = one_of<4>(text, {{{"cudaAddressModeWrap", kWrapMode},
                                    {"cudaAddressModeClamp", kClampMode},
                                    {"cudaAddressModeMirror", kMirrorMode},
                                    {"cudaAddressModeBorder", kBorderMode}}});
  found.normalized = normalized(text);
  found.reads_normalized = assigns(text, "cudaReadModeNormalizedFloat");
  found.formats = formats_in(text);
  return found;
}

}  // namespace warplens::sim::lower
