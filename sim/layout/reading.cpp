#include "sim/layout/reading.h"

#include <algorithm>
#include <cctype>

#include "sim/layout/layout.h"
#include "sim/memory/banks.h"

namespace warplens::layout {

namespace {

constexpr std::int64_t kPatchRows = 8, kPatchColumns = 4;
constexpr std::int64_t kMatrixRows = 8, kMatrixRowBytes = 16;

struct Place {
  std::int64_t row = 0, column = 0;
};

// Element `i` of a reading; of Matrices the first one of a row of 16 bytes.
Place place_of(const Layout& layout, int element_bytes, Reading reading, std::int64_t i) {
  const std::int64_t rows = layout.rows(), columns = layout.columns();
  if (reading == Reading::Rows) return {i / columns, i % columns};
  if (reading == Reading::Columns) return {i % rows, i / rows};
  if (reading == Reading::Matrices) {
    const std::int64_t wide = kMatrixRowBytes / element_bytes;
    return {i % rows, i / rows * wide};
  }
  if (reading == Reading::Transposed) {
    const std::int64_t long_side = kMatrixRowBytes / element_bytes;
    return {i / columns * long_side, i % columns};
  }
  const std::int64_t patch = i / memory::kWarpLanes, lane = i % memory::kWarpLanes;
  const std::int64_t down = rows / kPatchRows;
  return {patch % down * kPatchRows + lane / kPatchColumns,
          patch / down * kPatchColumns + lane % kPatchColumns};
}

bool is_of_matrices(Reading reading) {
  return reading == Reading::Matrices || reading == Reading::Transposed;
}

// Whether the 16 bytes from there, along the row or down the column, lie one after another, and begin at a
// multiple of 16.
bool lie_together(const Layout& layout, int element_bytes, const Place& from, bool down) {
  const std::int64_t wide = kMatrixRowBytes / element_bytes;
  const std::int64_t first = layout.at(from.row, from.column, element_bytes);
  for (std::int64_t i = 1; i < wide; ++i)
    if (layout.at(from.row + (down ? i : 0), from.column + (down ? 0 : i), element_bytes) != first + i)
      return false;
  return first * element_bytes % kMatrixRowBytes == 0;
}

Message why_not(const Layout& layout, int element_bytes, Reading reading) {
  const std::int64_t rows = layout.rows(), columns = layout.columns();
  if (!layout.swizzle.fits(element_bytes))
    return Message("the swizzle moves parts of an element of {} bytes", element_bytes);
  if (reading == Reading::Patches && (rows % kPatchRows != 0 || columns % kPatchColumns != 0))
    return Message("parts of 8 rows and 4 columns do not fill the tile");
  if (!is_of_matrices(reading)) return {};
  const bool down = reading == Reading::Transposed;
  if (down && element_bytes != 2) return Message("ldmatrix.trans moves elements of 2 bytes");
  if ((down ? columns : rows) % kMatrixRows != 0 ||
      (down ? rows : columns) * element_bytes % kMatrixRowBytes != 0)
    return Message("matrices of 8 rows of 16 bytes do not fill the tile");
  const std::int64_t reads = rows * columns * element_bytes / kMatrixRowBytes;
  for (std::int64_t i = 0; i < reads; ++i)
    if (const Place from = place_of(layout, element_bytes, reading, i);
        !lie_together(layout, element_bytes, from, down))
      return down ? Message(
                        "the 16 bytes from row {}, column {} down do not lie together, as ldmatrix.trans "
                        "needs them",
                        from.row, from.column)
                  : Message(
                        "the 16 bytes from row {}, column {} on do not lie together, as ldmatrix needs them",
                        from.row, from.column);
  return {};
}

}  // namespace

ReadTile read_tile(const Layout& layout, int element_bytes, Reading reading) {
  ReadTile read;
  read.why = why_not(layout, element_bytes, reading);
  if (!read.why.empty()) return read;
  const bool matrices = is_of_matrices(reading);
  const std::int64_t count =
      layout.rows() * layout.columns() * (matrices ? element_bytes : 1) / (matrices ? kMatrixRowBytes : 1);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto lane = static_cast<std::size_t>(i % memory::kWarpLanes);
    if (lane == 0) {
      memory::WarpAccess& access = read.requests.emplace_back();
      access.space = memory::Space::Shared;
      access.bytes = matrices ? static_cast<int>(kMatrixRowBytes) : element_bytes;
      access.active = 0;
      access.matrix = matrices;
    }
    const Place place = place_of(layout, element_bytes, reading, i);
    memory::WarpAccess& access = read.requests.back();
    access.active |= memory::LaneMask{1} << lane;
    access.addresses[lane] =
        static_cast<memory::Address>(layout.at(place.row, place.column, element_bytes) * element_bytes);
  }
  return read;
}

ReadingCost price(const ReadTile& read) {
  ReadingCost cost;
  for (const memory::WarpAccess& access : read.requests) {
    const memory::BankPlan plan = memory::plan_banks(access);
    ++cost.requests;
    cost.wavefronts += plan.wavefronts;
    cost.ideal += plan.groups;
    cost.degree = std::max(cost.degree, plan.degree);
  }
  return cost;
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
