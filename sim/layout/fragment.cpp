#include "sim/layout/fragment.h"

#include <algorithm>

namespace warplens::layout {

namespace {

constexpr int kRows = 16, kColumns = 8;  // of C
constexpr int kHalfRows = 8;             // a register of A and C has those of one half
constexpr int kLanesAlong = 4;

struct InputType {
  const char* name;
  int in_register;
};
constexpr InputType kInputs[] = {{"f16", 2}, {"bf16", 2}, {"tf32", 1}, {"s8", 4}};

std::vector<MmaShape> make_shapes() {
  std::vector<MmaShape> shapes;
  for (const InputType& input : kInputs)
    for (const int steps : {1, 2}) {
      const int k = steps * kLanesAlong * input.in_register;
      shapes.push_back({"m16n8k" + std::to_string(k) + "." + input.name, k, input.in_register});
    }
  return shapes;
}

bool is_of_name(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
}

// "m16n8k16.row.col.f32.f16.f16.f32": the second type is that of A.
std::string shape_at(std::string_view text, std::size_t at) {
  std::vector<std::string> parts(1);
  for (; at < text.size() && (is_of_name(text[at]) || text[at] == '.') && parts.size() < 8; ++at) {
    if (text[at] == '.')
      parts.emplace_back();
    else
      parts.back() += text[at];
  }
  return parts.size() > 4 ? parts[0] + "." + (parts[4] == "u8" ? "s8" : parts[4]) : std::string();
}

}  // namespace

const std::vector<MmaShape>& mma_shapes() {
  static const std::vector<MmaShape> kShapes = make_shapes();
  return kShapes;
}

const MmaShape* find_mma_shape(std::string_view name) {
  for (const MmaShape& shape : mma_shapes())
    if (shape.name == name) return &shape;
  return nullptr;
}

int rows_of(const MmaShape& shape, MatrixOf of) {
  return of == MatrixOf::B ? shape.k : kRows;
}

int columns_of(const MmaShape& shape, MatrixOf of) {
  return of == MatrixOf::A ? shape.k : kColumns;
}

int registers_of(const MmaShape& shape, MatrixOf of) {
  const int steps = shape.k / (kLanesAlong * shape.in_register);
  return of == MatrixOf::C ? 4 : of == MatrixOf::A ? 2 * steps : steps;
}

Holder holder_of(const MmaShape& shape, MatrixOf of, int row, int column) {
  if (of == MatrixOf::C)  // singles or integers: a register each
    return {row % kHalfRows * kLanesAlong + column / 2, row / kHalfRows * 2 + column % 2, 0};
  const int across = of == MatrixOf::A ? row : column, along = of == MatrixOf::A ? column : row;
  const int step = kLanesAlong * shape.in_register;
  const int lane = across % kHalfRows * kLanesAlong + along % step / shape.in_register;
  const int block = along / step;
  return {lane, of == MatrixOf::A ? across / kHalfRows + 2 * block : block, along % shape.in_register};
}

std::vector<MmaShape> mma_shapes_in(std::string_view text) {
  constexpr std::string_view kBegins = "m16n8k";
  std::vector<MmaShape> shapes;
  for (std::size_t at = text.find(kBegins); at != std::string_view::npos; at = text.find(kBegins, at + 1)) {
    const MmaShape* found = find_mma_shape(shape_at(text, at));
    if (found == nullptr) continue;
    const auto same = [&](const MmaShape& known) { return known.name == found->name; };
    if (std::none_of(shapes.begin(), shapes.end(), same)) shapes.push_back(*found);
  }
  return shapes;
}

}  // namespace warplens::layout
