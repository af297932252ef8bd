// Tensor copies. The host has none: what must come out is worked out here, element by element.
#include "tests/language/language_case.h"

namespace warplens::language {
namespace {

constexpr int kColumns = 32, kRows = 8;

struct Tensor {
  const int* data;
  int width, height;
  int at(int x, int y) const { return x < 0 || y < 0 || x >= width || y >= height ? 0 : data[y * width + x]; }
};

// Rows of 128 bytes: byte a of the box lies at a ^ (a / 128 % 8) * 16.
void swizzled_boxes(const int* in, int* out) {
  const Tensor tensor{in, 40, 20};
  for (int block = 0; block < 6; ++block) {
    for (int row = 0; row < kRows; ++row) {
      for (int column = 0; column < kColumns; ++column) {
        const int chunk = column / 4 ^ row % 8;
        out[block * kRows * kColumns + row * kColumns + chunk * 4 + column % 4] =
            tensor.at(block % 2 * kColumns - 8 + column, block / 2 * kRows - 2 + row);
      }
    }
  }
}
std::vector<NamedArgument> map(std::uint64_t elements, Fill fill, int width, int height, int box_width,
                               int box_height, int swizzle) {
  return {buffer("map", elements, fill),        number("map.width", width),
          number("map.height", height),         number("map.box_width", box_width),
          number("map.box_height", box_height), number("map.swizzle", swizzle)};
}
std::vector<NamedArgument> with(std::vector<NamedArgument> list, std::vector<NamedArgument> more) {
  list.insert(list.end(), more.begin(), more.end());
  return list;
}
// What is copied is no access of a warp's: the loads of the tile are all that is counted.
const Register boxes({.launch = {"tensor_maps.cu", "read_boxes", {2, 3}, {64}},
                      .arguments = with(map(40 * 20, R, 40, 20, 32, 8, 128), {buffer("out", 6 * 256)}),
                      .host = HOST(),
                      .after = HOST(swizzled_boxes(h["map"], h["out"])),
                      .totals = {{"global load requests", 0},
                                 {"shared store requests", 0},
                                 {"shared load requests", 6 * 4 * 2},
                                 {"global store requests", 6 * 4 * 2}},
                      .warnings = 1});

// A row a thread, of a tensor whose rows are 48 numbers apart.
const Register of_many({.launch = {"tensor_maps.cu", "rows_of_many", {1}, {64}},
                        .arguments = with(map(48 * 40, R, 32, 40, 32, 1, 0),
                                          {number("map.pitch", 48 * 4), buffer("out", 16 * 32),
                                           number("first", 3)}),
                        .host = HOST(),
                        .after =
                            [](HostBuffers& h) {
                              const int* in = h["map"];
                              int* out = h["out"];
                              for (int i = 0; i < 16 * 32; ++i) out[i] = in[(i / 32 + 3) * 48 + i % 32];
                            },
                        .warnings = 1});

const Register gathered({.launch = {"tensor_maps.cu", "gather_by_box", {4}, {256}},
                         .arguments = with(map(32 * 32, R, 32, 32, 32, 8, 0),
                                           {buffer("table", 1024, R), buffer("out", 1024)}),
                         .host = HOST(),
                         .after =
                             [](HostBuffers& h) {
                               const int *in = h["map"], *table = h["table"];
                               int* out = h["out"];
                               for (int i = 0; i < 1024; ++i) out[i] = table[in[i]];
                             },
                         .totals = {{"global load requests", 4 * 8}},
                         .warnings = 1});

const Register slices({.launch = {"tensor_maps.cu", "read_slices", {1}, {32}, 192},
                       .arguments = {buffer("map", 12 * 5 * 3, R), number("map.width", 10),
                                     number("map.height", 5), number("map.depth", 3), number("map.pitch", 48),
                                     number("map.box_width", 8), number("map.box_height", 3),
                                     number("map.box_depth", 2), number("map.swizzle", 0), buffer("out", 48),
                                     number("x", 4), number("y", 3), number("z", 1)},
                       .host = HOST(),
                       .after =
                           [](HostBuffers& h) {
                             const int* in = h["map"];
                             int* out = h["out"];
                             for (int i = 0; i < 48; ++i) {
                               const int x = 4 + i % 8, y = 3 + i / 8 % 3, z = 1 + i / 24;
                               out[i] = x < 10 && y < 5 && z < 3 ? in[(z * 5 + y) * 12 + x] : 0;
                             }
                           },
                       .warnings = 1});

const Register line({.launch = {"tensor_maps.cu", "read_line", {1}, {64}},
                     .arguments = {buffer("map", 100, R), number("map.width", 100),
                                   number("map.box_width", 64), number("map.swizzle", 0), buffer("out", 64),
                                   number("x", 60)},
                     .host = HOST(),
                     .after =
                         [](HostBuffers& h) {
                           const int* in = h["map"];
                           int* out = h["out"];
                           for (int i = 0; i < 64; ++i) out[i] = i + 60 < 100 ? in[i + 60] : 0;
                         },
                     .warnings = 1});

void written(int* data, bool adds) {
  for (int block = 0; block < 2; ++block) {
    for (int i = 0; i < kRows * kColumns; ++i) {
      const int x = block * 24 + i % kColumns, y = 4 + i / kColumns, value = 1000 * (block + 1) + i;
      if (x < 44 && y < 10) data[y * 44 + x] = adds ? data[y * 44 + x] + value : value;
    }
  }
}
const Register stored({.launch = {"tensor_maps.cu", "write_boxes", {2}, {64}},
                       .arguments = with(map(44 * 10, R, 44, 10, 32, 8, 0), {number("adds", 0)}),
                       .host = HOST(),
                       .after = HOST(written(h["map"], false)),
                       .warnings = 1});
const Register added({.launch = {"tensor_maps.cu", "write_boxes", {2}, {64}},
                      .arguments = with(map(44 * 10, R, 44, 10, 32, 8, 0), {number("adds", 1)}),
                      .host = HOST(),
                      .after = HOST(written(h["map"], true)),
                      .warnings = 1});

// ---- wgmma

void multiplied(const half* a, const half* b, float* c, bool transposed) {
  for (int row = 0; row < 128; ++row) {
    for (int column = 0; column < 64; ++column) {
      float sum = 0;
      for (int i = 0; i < 192; ++i)
        sum += __half2float(a[row * 192 + i]) *
               __half2float(transposed ? b[i * 64 + column] : b[column * 192 + i]);
      c[row * 64 + column] = sum;
    }
  }
}
const Register along_k(
    {.launch = {"warpgroup_product.cu", "product<0>", {1, 2}, {256}},
     .arguments = {buffer("a", 128 * 192, R), number("a.width", 192), number("a.height", 128),
                   number("a.box_width", 64), number("a.box_height", 64), buffer("b", 64 * 192, R),
                   number("b.width", 192), number("b.height", 64), number("b.box_width", 64),
                   number("b.box_height", 64), buffer("c", 128 * 64), number("n", 64), number("k", 192)},
     .host = HOST(),
     .after = HOST(multiplied(h["a"], h["b"], h["c"], false)),
     .totals = {{"shared load requests", 0}, {"global store requests", 2 * 4 * 32}},
     .warnings = 2});
const Register along_n(
    {.launch = {"warpgroup_product.cu", "product<1>", {1, 2}, {256}},
     .arguments = {buffer("a", 128 * 192, R), number("a.width", 192), number("a.height", 128),
                   number("a.box_width", 64), number("a.box_height", 64), buffer("b", 192 * 64, R),
                   number("b.width", 64), number("b.height", 192), number("b.box_width", 64),
                   number("b.box_height", 64), buffer("c", 128 * 64), number("n", 64), number("k", 192)},
     .host = HOST(),
     .after = HOST(multiplied(h["a"], h["b"], h["c"], true)),
     .warnings = 2});

// ---- descriptors, as the PTX ISA tells where elements lie; 133 of such kinds were held against an H200

struct Described {
  std::int64_t start, leading, stride;  // bytes
  int swizzle;                          // of so many bytes; 0: none
  int base = 0;
  std::int64_t bits() const {
    const std::int64_t mode = swizzle == 128 ? 1 : swizzle == 64 ? 2 : swizzle == 32 ? 3 : 0;
    return start / 16 | leading / 16 << 16 | stride / 16 << 32 | static_cast<std::int64_t>(base) << 49 |
           mode << 62;
  }
  // The half at row or column `outer`, of the sum's element k.
  std::int64_t index(int outer, int k, bool along_outer) const {
    const int width = swizzle == 0 ? 16 : swizzle, in_row = width / 2;
    std::int64_t at = start;
    if (!along_outer && swizzle == 0)
      at += outer % 8 * 16 + outer / 8 * stride + k % 8 * 2 + k / 8 * leading;
    else if (!along_outer)
      at += outer % 8 * width + outer / 8 * stride + k * 2;
    else if (swizzle == 0)
      at += outer % 8 * 2 + outer / 8 * stride + k % 8 * 16 + k / 8 * leading;
    else
      at += outer % in_row * 2 + outer / in_row * leading + k % 8 * width + k / 8 * stride;
    const std::int64_t flips = swizzle == 0 ? 0 : (at / 128 - base) & (swizzle / 16 - 1);
    return (at ^ flips * 16) / 2;
  }
};
void described(const half* in, float* out, const Described& a, const Described& b, int orders) {
  for (int thread = 0; thread < 128; ++thread) {
    for (int r = 0; r < 8; ++r) {
      const int row = thread / 32 * 16 + thread % 32 / 4 + r / 2 % 2 * 8,
                column = r / 4 * 8 + thread % 4 * 2 + r % 2;
      float sum = 0;
      for (int k = 0; k < 16; ++k)
        sum += -__half2float(in[a.index(row, k, (orders & 1) != 0)]) *
               __half2float(in[b.index(column, k, orders > 1)]);
      out[128 * r + thread] = sum;
    }
  }
}
const auto described_cases = [] {
  struct Pair {
    int orders;
    Described a, b;
  };
  const Pair pairs[] = {
      {0, {0, 128, 256, 0}, {20480, 1040, 2304, 0}},    {0, {64, 16, 1024, 128}, {16384, 16, 512, 64}},
      {1, {0, 1024, 128, 0}, {16384, 16, 256, 32}},     {1, {0, 1280, 2176, 32}, {16384, 16, 2048, 128}},
      {2, {1536, 16, 512, 64}, {18432, 896, 384, 0}},   {2, {384, 16, 1024, 128, 3}, {16384, 1152, 640, 32}},
      {3, {0, 2048, 1024, 128}, {16384, 640, 2432, 0}}, {3, {0, 2560, 512, 64}, {20480, 768, 1920, 32}}};
  for (const Pair& p : pairs) {
    cases().push_back(
        {.launch = {"warpgroup_product.cu", "described<" + std::to_string(p.orders) + ">", {1}, {128}},
         .arguments = {buffer("in", 16384, R), buffer("out", 1024), number("a", p.a.bits()),
                       number("b", p.b.bits())},
         .host = HOST(),
         .after = [p](HostBuffers& h) { described(h["in"], h["out"], p.a, p.b, p.orders); },
         .warnings = 1});
  }
  return 0;
}();

}  // namespace
}  // namespace warplens::language
