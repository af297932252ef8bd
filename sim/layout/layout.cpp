#include "sim/layout/layout.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdlib>

namespace warplens::layout {

namespace {

constexpr int kMostBits = 30;
constexpr int kChunkBits = 4, kRowsApart = 3;  // of TMA: chunks of 16 bytes, rows of 128

int bits_of(int element_bytes) {
  return std::bit_width(static_cast<unsigned>(element_bytes)) - 1;
}

}  // namespace

std::int64_t Swizzle::operator()(std::int64_t index) const {
  const std::int64_t mask = (std::int64_t{1} << bits) - 1;
  const std::int64_t from = mask << (base + std::max(shift, 0)), flipping = index & from;
  return index ^ (shift >= 0 ? flipping >> shift : flipping << -shift);
}

Swizzle Swizzle::of_elements(int element_bytes) const {
  return of_bytes ? Swizzle{bits, base - bits_of(element_bytes), shift, false} : *this;
}

bool Swizzle::fits(int element_bytes) const {
  const auto flipped = base - std::min(shift, 0), flipping = base + std::max(shift, 0);
  return !of_bytes || std::min(flipped, flipping) >= bits_of(element_bytes);
}

bool is_swizzle(int bits, int base, int shift) {
  const auto in_range = [](int value, int least) { return value >= least && value <= kMostBits; };
  return in_range(bits, 0) && in_range(base, 0) && in_range(shift, -kMostBits) && bits <= std::abs(shift) &&
         bits + base + std::abs(shift) <= kMostBits;
}

Swizzle tma_swizzle(int row_bytes) {
  const int bits = row_bytes == 32 ? 1 : row_bytes == 64 ? 2 : row_bytes == 128 ? 3 : 0;
  return {bits, kChunkBits, kRowsApart, true};
}

namespace {

// `coordinate` in the mode: "row % 8 * 4 + row / 8 * 64"; empty: it is always 0.
std::string mode_text(const Mode& mode, const std::string& coordinate) {
  std::string text;
  std::int64_t before = 1;
  for (std::size_t i = 0; i < mode.size(); ++i) {
    const Factor& factor = mode[i];
    // The last one of a mode takes what is left.
    const bool is_last = std::all_of(mode.begin() + static_cast<std::ptrdiff_t>(i) + 1, mode.end(),
                                     [](const Factor& later) { return later.extent == 1; });
    std::string part = coordinate;
    if (before > 1) part += " / " + std::to_string(before);
    if (!is_last) part += " % " + std::to_string(factor.extent);
    if (factor.stride != 1) part += " * " + std::to_string(factor.stride);
    if (factor.extent > 1 && factor.stride != 0) text += (text.empty() ? "" : " + ") + part;
    before *= factor.extent;
  }
  return text;
}

}  // namespace

std::int64_t size_of(const Mode& mode) {
  std::int64_t size = 1;
  for (const Factor& factor : mode) size *= factor.extent;
  return size;
}

std::int64_t offset_of(const Mode& mode, std::int64_t coordinate) {
  std::int64_t offset = 0;
  for (const Factor& factor : mode) {
    offset += coordinate % factor.extent * factor.stride;
    coordinate /= factor.extent;
  }
  return offset;
}

Mode Layout::column_mode() const {
  Mode columns;
  for (std::size_t i = 1; i < modes.size(); ++i)
    columns.insert(columns.end(), modes[i].begin(), modes[i].end());
  return columns;
}

std::int64_t Layout::at(std::int64_t row, std::int64_t column, int element_bytes) const {
  std::int64_t offset = offset_of(modes.front(), row);
  for (std::size_t i = 1; i < modes.size(); ++i) {
    const std::int64_t size = size_of(modes[i]);
    offset += offset_of(modes[i], column % size);
    column /= size;
  }
  return swizzle.of_elements(element_bytes)(offset);
}

std::string index_text(const Layout& layout, int element_bytes) {
  const std::string row = mode_text(layout.modes.front(), "row"),
                    column = mode_text(layout.column_mode(), "column");
  std::string index = row + (row.empty() || column.empty() ? "" : " + ") + column;
  if (index.empty()) index = "0";
  const Swizzle swizzle = layout.swizzle.of_elements(element_bytes);
  if (swizzle.bits == 0) return index;
  const std::string mask = std::to_string((std::int64_t{1} << swizzle.bits) - 1);
  const int from = swizzle.base + std::max(swizzle.shift, 0), to = swizzle.base - std::min(swizzle.shift, 0);
  std::string flipping = "(" + index + ") / " + std::to_string(std::int64_t{1} << from) + " & " + mask;
  if (to > 0) flipping = "(" + flipping + ") * " + std::to_string(std::int64_t{1} << to);
  return "(" + index + ") ^ (" + flipping + ")";
}

// The text of a layout: CuTe's shapes, strides and swizzles as they are printed and written.

namespace {

constexpr int kMostDepth = 16;
constexpr std::size_t kMostText = 4096;

// A number, or a tuple of them.
struct Tuple {
  std::int64_t number = 0;
  std::vector<Tuple> parts;
  bool is_tuple = false;
};

class LayoutParser {
 public:
  explicit LayoutParser(std::string_view text) : text_(text) {}

  ParsedLayout parse() {
    Layout layout;
    if (text_.size() > kMostText)
      fail(Message("the layout is longer than {} characters", kMostText));
    else if (read_swizzle(&layout.swizzle))
      read_shape(&layout);
    skip();
    if (error_.empty() && at_ < text_.size()) fail(Message("nothing is expected behind the layout"));
    if (!error_.empty()) return {std::nullopt, error_, at_};
    return {std::move(layout), {}, 0};
  }

 private:
  bool fail(const Message& message) {
    if (error_.empty()) error_ = message;
    return false;
  }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool take(std::string_view word) {
    skip();
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  bool need(std::string_view word) { return take(word) || fail(Message("'{}' is expected here", word)); }

  // "8", "_8", "Int<8>{}" or "-3" where it may be negative.
  bool read_number(std::int64_t* number, bool negative = false) {
    skip();
    const bool wrapped = take("Int<") || take("C<");
    if (!wrapped) take("_");
    const bool minus = negative && take("-");
    const std::size_t first = at_;
    std::int64_t value = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      value = value * 10 + (text_[at_] - '0');
      if (value > kMostSpan) return fail(Message("a number is larger than {}", kMostSpan));
    }
    if (at_ == first) return fail(Message("a number is expected here"));
    *number = minus ? -value : value;
    if (wrapped && !need(">")) return false;
    if (wrapped) take("{}");
    return true;
  }

  // The functions before the shape: a swizzle, what CuTe prints of a pointer, an offset of 0.
  bool read_swizzle(Swizzle* swizzle) {
    bool given = false;
    for (const int row_bytes : {128, 64, 32}) {
      if (given || !take("SW" + std::to_string(row_bytes))) continue;
      take("_");
      *swizzle = tma_swizzle(row_bytes);
      given = true;
    }
    if (!given && (take("Swizzle<") || take("Sw<"))) {
      std::int64_t bits = 0, base = 0, shift = 0;
      if (!read_number(&bits) || !need(",") || !read_number(&base) || !need(",") ||
          !read_number(&shift, true) || !need(">"))
        return false;
      take("{}");
      const auto number = [](std::int64_t value) { return static_cast<int>(value); };
      *swizzle = {number(bits), number(base), number(shift), false};
      if (!is_swizzle(swizzle->bits, swizzle->base, swizzle->shift))
        return fail(Message("Swizzle<B, M, S> needs 0 <= B <= |S| and 0 <= M, and at most 30 bits in all"));
      given = true;
    }
    return !given || read_composed(swizzle);
  }

  // "o", and between two of them "smem_ptr[16b](unset)" (the swizzle is of bytes) and "_0".
  bool read_composed(Swizzle* swizzle) {
    if (!take("o") && !take("∘")) return fail(Message("'o' and a shape are expected behind the swizzle"));
    if (take("smem_ptr")) {
      swizzle->of_bytes = true;
      while (at_ < text_.size() && text_[at_] != 'o') ++at_;
      return read_composed(swizzle);
    }
    const std::size_t before = at_;
    if (take("_0") || take("0")) {
      skip();
      if (text_.substr(at_, 1) == "o") return read_composed(swizzle);
    }
    at_ = before;
    return true;
  }

  bool read_tuple(Tuple* tuple, int depth = 0) {
    if (!take("(")) return read_number(&tuple->number);
    if (depth == kMostDepth) return fail(Message("the layout is nested deeper than {} levels", kMostDepth));
    tuple->is_tuple = true;
    do {
      if (!read_tuple(&tuple->parts.emplace_back(), depth + 1)) return false;
    } while (take(","));
    return need(")");
  }

  void read_shape(Layout* layout) {
    Tuple shape, stride;
    if (!read_tuple(&shape)) return;
    const bool strided = take(":");
    const std::size_t strides_at = at_;
    if (strided && !read_tuple(&stride)) return;
    std::int64_t size = 1;
    if (!add_modes(shape, strided ? &stride : nullptr, &size, layout)) at_ = strides_at;
  }

  // Without strides each factor goes on where the ones before end.
  bool add_factors(const Tuple& shape, const Tuple* stride, std::int64_t* size, Mode* mode) {
    if (stride != nullptr &&
        (shape.is_tuple != stride->is_tuple || shape.parts.size() != stride->parts.size()))
      return fail(Message("the strides do not have the form of the shape: one for each of its numbers"));
    for (std::size_t i = 0; i < shape.parts.size(); ++i)
      if (!add_factors(shape.parts[i], stride == nullptr ? nullptr : &stride->parts[i], size, mode))
        return false;
    if (shape.is_tuple) return true;
    if (shape.number < 1) return fail(Message("an extent of a shape is 1 or more"));
    mode->push_back({shape.number, stride == nullptr ? *size : stride->number});
    *size *= shape.number;
    furthest_ += (shape.number - 1) * mode->back().stride;
    if (*size > kMostElements) return fail(Message("a layout has at most {} elements", kMostElements));
    return furthest_ < kMostSpan || fail(Message("an element lies further than {}", kMostSpan));
  }

  bool add_modes(const Tuple& shape, const Tuple* stride, std::int64_t* size, Layout* layout) {
    const bool form = stride == nullptr ||
                      (shape.is_tuple == stride->is_tuple && shape.parts.size() == stride->parts.size());
    if (!shape.is_tuple || !form) return add_factors(shape, stride, size, &layout->modes.emplace_back());
    for (std::size_t i = 0; i < shape.parts.size(); ++i)
      if (!add_factors(shape.parts[i], stride == nullptr ? nullptr : &stride->parts[i], size,
                       &layout->modes.emplace_back()))
        return false;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::int64_t furthest_ = 0;
  Message error_;
};

}  // namespace

ParsedLayout parse_layout(std::string_view text) {
  return LayoutParser(text).parse();
}

bool looks_like_layout(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  for (const std::string_view word : {"Swizzle<", "Sw<", "SW128", "SW64", "SW32"})
    if (text.starts_with(word)) return true;
  // A colon that no `?` asks for.
  return text.starts_with('(') && text.find(':') != std::string_view::npos &&
         text.find('?') == std::string_view::npos;
}

}  // namespace warplens::layout
