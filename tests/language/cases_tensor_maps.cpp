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
// What is copied is no access of a warp's: the loads of the tile are all that is counted.
const Register kMaps[] = {
    {LAUNCH("2,3 64 map=@800:random map.width=40 map.height=20 map.box_width=32 map.box_height=8 "
            "map.swizzle=128 out=@1536",
            tensor_maps, read_boxes),
     computed(HOST(swizzled_boxes(h["map"], h["out"]))),
     {.totals = {{"global load requests", 0},
                 {"shared store requests", 0},
                 {"shared load requests", 6 * 4 * 2},
                 {"global store requests", 6 * 4 * 2}},
      .warnings = 1}},
    // A row a thread, of a tensor whose rows are 48 numbers apart.
    {LAUNCH("1 64 map=@1920:random map.width=32 map.height=40 map.box_width=32 map.box_height=1 "
            "map.swizzle=0 map.pitch=192 out=@512 first=3",
            tensor_maps, rows_of_many),
     computed([](const int* in, int, int, int, int, int, int, int* out) {
       for (int i = 0; i < 16 * 32; ++i) out[i] = in[(i / 32 + 3) * 48 + i % 32];
     }),
     {.warnings = 1}},
    {LAUNCH("4 256 map=@1024:random map.width=32 map.height=32 map.box_width=32 map.box_height=8 "
            "map.swizzle=0 table=@1024:random out=@1024",
            tensor_maps, gather_by_box),
     computed([](const int* in, int, int, int, int, int, const int* table, int* out) {
       for (int i = 0; i < 1024; ++i) out[i] = table[in[i]];
     }),
     {.totals = {{"global load requests", 4 * 8}}, .warnings = 1}},
    {LAUNCH("1 32 +192 map=@180:random map.width=10 map.height=5 map.depth=3 map.pitch=48 map.box_width=8 "
            "map.box_height=3 map.box_depth=2 map.swizzle=0 out=@48 x=4 y=3 z=1",
            tensor_maps, read_slices),
     computed([](const int* in, int, int, int, int, int, int, int, int, int* out) {
       for (int i = 0; i < 48; ++i) {
         const int x = 4 + i % 8, y = 3 + i / 8 % 3, z = 1 + i / 24;
         out[i] = x < 10 && y < 5 && z < 3 ? in[(z * 5 + y) * 12 + x] : 0;
       }
     }),
     {.warnings = 1}},
    {LAUNCH("1 64 map=@100:random map.width=100 map.box_width=64 map.swizzle=0 out=@64 x=60", tensor_maps,
            read_line),
     computed([](const int* in, int, int, int, int* out) {
       for (int i = 0; i < 64; ++i) out[i] = i + 60 < 100 ? in[i + 60] : 0;
     }),
     {.warnings = 1}}};

void written(int* data, bool adds) {
  for (int block = 0; block < 2; ++block) {
    for (int i = 0; i < kRows * kColumns; ++i) {
      const int x = block * 24 + i % kColumns, y = 4 + i / kColumns, value = 1000 * (block + 1) + i;
      if (x < 44 && y < 10) data[y * 44 + x] = adds ? data[y * 44 + x] + value : value;
    }
  }
}
const Register kWritten[] = {{LAUNCH("2 64 map=@440:random map.width=44 map.height=10 map.box_width=32 "
                                     "map.box_height=8 map.swizzle=0 adds=0",
                                     tensor_maps, write_boxes),
                              computed([](int* data) { written(data, false); }),
                              {.warnings = 1}},
                             {LAUNCH("2 64 map=@440:random map.width=44 map.height=10 map.box_width=32 "
                                     "map.box_height=8 map.swizzle=0 adds=1",
                                     tensor_maps, write_boxes),
                              computed([](int* data) { written(data, true); }),
                              {.warnings = 1}}};

// ---- descriptors of wgmma, as the PTX ISA tells where elements lie; 133 of such kinds were held against an
// H200

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
    Register("warpgroup_product.cu", "described<" + std::to_string(p.orders) + ">",
             "1 128 in=@16384:random out=@1024 a=" + std::to_string(p.a.bits()) +
                 " b=" + std::to_string(p.b.bits()),
             computed([p](const half* in, float* out) { described(in, out, p.a, p.b, p.orders); }),
             {.warnings = 1});
  }
  return 0;
}();

}  // namespace
}  // namespace warplens::language
