#include "sim/layout/fragment.h"

#include <algorithm>

namespace warplens::layout {

namespace {

constexpr int kWarpRows = 16, kTileColumns = 8;  // of C
constexpr int kHalfRows = 8;                     // a register of A and C has those of one half
constexpr int kLanesAlong = 4;

struct InputType {
  const char* name;
  int in_register;
};
constexpr InputType kInputs[] = {{"f16", 2}, {"bf16", 2}, {"tf32", 1}, {"s8", 4}, {"e4m3", 4}};
constexpr std::string_view kEightBits = "e4m3";

std::vector<MmaShape> make_shapes() {
  std::vector<MmaShape> shapes;
  for (const InputType& input : kInputs)
    for (const int steps : {1, 2}) {
      if (steps == 1 && input.name == kEightBits) continue;
      const int k = steps * kLanesAlong * input.in_register;
      shapes.push_back({"m16n8k" + std::to_string(k) + "." + input.name, k, input.in_register});
    }
  return shapes;
}

std::vector<MmaShape> make_warpgroup_shapes() {
  constexpr int kWarpgroupRows = 64, kMostColumns = 256;
  std::vector<MmaShape> shapes;
  for (const InputType& input : kInputs)
    for (int n = kTileColumns; n <= kMostColumns; n += kTileColumns) {
      const int k = 2 * kLanesAlong * input.in_register;
      shapes.push_back({"m64n" + std::to_string(n) + "k" + std::to_string(k) + "." + input.name, k,
                        input.in_register, kWarpgroupRows, n});
    }
  return shapes;
}

bool is_of_name(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
}

// "m16n8k16.row.col.f32.f16.f16.f32", "m64n64k16.f32.f16.f16": the second type is that of A.
std::string shape_at(std::string_view text, std::size_t at) {
  std::vector<std::string> parts(1);
  for (; at < text.size() && (is_of_name(text[at]) || text[at] == '.') && parts.size() < 8; ++at) {
    if (text[at] == '.')
      parts.emplace_back();
    else
      parts.back() += text[at];
  }
  const std::size_t type = parts[0].starts_with("m64") ? 2 : 4;
  if (parts.size() <= type) return {};
  const std::string& of_a = parts[type];
  return parts[0] + "." + (of_a == "u8" ? "s8" : of_a == "e5m2" ? std::string(kEightBits) : of_a);
}

}  // namespace

const std::vector<MmaShape>& mma_shapes() {
  static const std::vector<MmaShape> kShapes = make_shapes();
  return kShapes;
}

const std::vector<MmaShape>& warpgroup_shapes() {
  static const std::vector<MmaShape> kShapes = make_warpgroup_shapes();
  return kShapes;
}

const MmaShape* find_mma_shape(std::string_view name) {
  for (const std::vector<MmaShape>* shapes : {&mma_shapes(), &warpgroup_shapes()})
    for (const MmaShape& shape : *shapes)
      if (shape.name == name) return &shape;
  return nullptr;
}

int rows_of(const MmaShape& shape, MatrixOf of) {
  return of == MatrixOf::B ? shape.k : shape.rows;
}

int columns_of(const MmaShape& shape, MatrixOf of) {
  return of == MatrixOf::A ? shape.k : shape.columns;
}

int registers_of(const MmaShape& shape, MatrixOf of) {
  const int steps = shape.k / (kLanesAlong * shape.in_register);
  if (of == MatrixOf::C) return 4 * shape.columns / kTileColumns;
  return of == MatrixOf::A ? 2 * steps : shape.is_warpgroups() ? 0 : steps;
}

Holder holder_of(const MmaShape& shape, MatrixOf of, int row, int column) {
  if (of == MatrixOf::B && shape.is_warpgroups()) return {-1, 0, 0};
  const int warp = of == MatrixOf::B ? 0 : row / kWarpRows, half = row % kWarpRows / kHalfRows;
  if (of == MatrixOf::C) {  // singles or integers: a register each
    const int tile = column / kTileColumns, within = column % kTileColumns;
    return {row % kHalfRows * kLanesAlong + within / 2, 4 * tile + 2 * half + within % 2, 0, warp};
  }
  const int across = of == MatrixOf::A ? row : column, along = of == MatrixOf::A ? column : row;
  const int step = kLanesAlong * shape.in_register;
  const int lane = across % kHalfRows * kLanesAlong + along % step / shape.in_register;
  const int block = along / step;
  return {lane, of == MatrixOf::A ? half + 2 * block : block, along % shape.in_register, warp};
}

std::vector<MmaShape> mma_shapes_in(std::string_view text) {
  std::vector<MmaShape> shapes;
  for (std::size_t at = text.find('m'); at != std::string_view::npos; at = text.find('m', at + 1)) {
    if (!text.substr(at).starts_with("m16n8k") && !text.substr(at).starts_with("m64n")) continue;
    const MmaShape* found = find_mma_shape(shape_at(text, at));
    if (found != nullptr && std::ranges::find(shapes, found->name, &MmaShape::name) == shapes.end())
      shapes.push_back(*found);
  }
  const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
  if (!shapes.empty() || !has("wmma::fragment")) return shapes;
  shapes.push_back(*find_mma_shape(has("::tf32")          ? "m16n8k8.tf32"
                                   : has("__nv_bfloat16") ? "m16n8k16.bf16"
                                   : has("half")          ? "m16n8k16.f16"
                                                          : "m16n8k16.s8"));
  shapes.back().of_wmma = true;
  return shapes;
}

}  // namespace warplens::layout
