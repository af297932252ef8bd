#include <algorithm>
#include <cctype>

#include "sim/layout/layout.h"

namespace warplens::layout {

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
