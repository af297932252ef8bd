// nvcuda::wmma: what comes out, and the requests that nvcc's machine code makes.
#include "tests/language/language_case.h"

namespace warplens::language {
namespace {

constexpr int kDepth = 16;

float single(const half* at) {
  return __half2float(*at);
}
float single(const __nv_bfloat16* at) {
  return __bfloat162float(*at);
}
template <class T>
T single(const T* at) {
  return *at;
}
void put(half* at, float value) {
  *at = __float2half(value);
}
template <class T>
void put(T* at, T value) {
  *at = value;
}

struct Shape {
  int m, n;
  bool a_rows, b_rows, c_rows;
  int lda, ldb, ldc;
};
int place(int row, int column, bool rows, int length) {
  return rows ? row * length + column : column * length + row;
}
// Twice c += a b, each time rounded to what c holds.
template <class A, class T>
Host twice(const Shape& s) {
  return computed([s](const A* a, const A* b, T* c) {
    for (int row = 0; row < s.m; ++row) {
      for (int column = 0; column < s.n; ++column) {
        T* sum = c + place(row, column, s.c_rows, s.ldc);
        for (int time = 0; time < 2; ++time) {
          auto total = single(sum);
          for (int i = 0; i < kDepth; ++i)
            total +=
                single(a + place(row, i, s.a_rows, s.lda)) * single(b + place(i, column, s.b_rows, s.ldb));
          put(sum, total);
        }
      }
    }
  });
}
constexpr const char* kTiles = "1 32 a=@1024:random b=@1024:random c=@1024:random";

// 64 requests fill the tiles. From global memory come 4 bytes a lane for every matrix of 8 x 8; the result is
// loaded and stored in pairs of floats or halves where a lane's two lie side by side.
const Register kCases[] = {
    {LAUNCH(kTiles, wmma_tiles, square_rows),
     twice<half, float>({16, 16, true, true, true, 24, 24, 20}),
     {.totals = {{"global load requests", 64 + 4 + 4 + 4},
                 {"global store requests", 4},
                 {"shared load requests", 2},
                 {"shared load wavefronts", 8}}}},
    // Rows of 32 bytes: those of a matrix meet in pairs.
    {LAUNCH(kTiles, wmma_tiles, square_columns),
     twice<half, float>({16, 16, false, false, false, 24, 16, 20}),
     {.totals = {{"global load requests", 64 + 4 + 4 + 8},
                 {"global store requests", 8},
                 {"shared load wavefronts", 4 + 8}}}},
    {LAUNCH(kTiles, wmma_tiles, square_halves),
     twice<half, half>({16, 16, false, true, true, 16, 24, 24}),
     {.totals = {{"global load requests", 64 + 4 + 4 + 4}, {"global store requests", 4}}}},
    {LAUNCH(kTiles, wmma_tiles, square_half_columns),
     twice<half, half>({16, 16, true, false, false, 16, 24, 24}),
     {.totals = {{"global store requests", 4}}}},
    {LAUNCH(kTiles, wmma_tiles, square_brains),
     twice<__nv_bfloat16, float>({16, 16, false, false, true, 24, 16, 20})},
    {LAUNCH(kTiles, wmma_tiles, tall),
     twice<half, float>({32, 8, true, true, true, 24, 8, 12}),
     {.totals = {{"shared load requests", 3}, {"global store requests", 4}}}},
    {LAUNCH(kTiles, wmma_tiles, tall_columns),
     twice<half, float>({32, 8, false, false, false, 40, 24, 36}),
     {.totals = {{"global store requests", 8}}}},
    {LAUNCH(kTiles, wmma_tiles, flat),
     twice<half, float>({8, 32, true, true, true, 24, 40, 36}),
     {.totals = {{"shared load requests", 3}, {"global store requests", 8}}}},
    {LAUNCH(kTiles, wmma_tiles, flat_columns),
     twice<half, half>({8, 32, false, false, false, 16, 24, 16}),
     {.totals = {{"global store requests", 4}}}},
    {LAUNCH("1,2 64 a=@1024:random b=@1024:random c=@1024:random m=32 n=32 k=32 alpha=0.5 beta=2", wmma_tiles,
            wmma_simple),
     computed([](const half* a, const half* b, float* c) {
       for (int row = 0; row < 32; ++row) {
         for (int column = 0; column < 32; ++column) {
           float sum = 0;
           for (int i = 0; i < 32; ++i) sum += single(a + row * 32 + i) * single(b + column * 32 + i);
           c[row * 32 + column] = 0.5f * sum + 2.0f * c[row * 32 + column];
         }
       }
     }),
     {.totals = {{"global load requests", 4 * (2 * 8 + 4)}, {"global store requests", 4 * 4}}}},
    // Of the pointer only the values of a variable are known: counted on an H100 as one LDSM.x4 of 4
    // wavefronts.
    {LAUNCH("1 32 +1024 in=@512:random out=@32", wmma_pointers, row_at_run_time),
     {},
     {.totals = {{"shared load requests", 1}, {"shared load wavefronts", 4}}}},
    {LAUNCH("1 32 +1024 in=@512:random out=@32 n=7", wmma_pointers, moves_on),
     {},
     {.totals = {{"shared load requests", 3}}}},
    {LAUNCH("1 32 +1024 in=@512:random out=@32 n=7", wmma_pointers, either),
     {},
     {.totals = {{"shared load requests", 4}}}}};

constexpr const char* kBytes = "1 32 a=@1024:random b=@1024:random c=@1024:iota";

// 64 requests fill the tiles. Where bytes lie side by side as they are summed over, an ldmatrix of two
// matrices brings 16 rows, and four bytes a lane come from global memory; else they come one by one.
const Register kByteCases[] = {
    {LAUNCH(kBytes, wmma_tiles, square_bytes),
     twice<signed char, int>({16, 16, true, false, true, 48, 32, 20}),
     {.totals = {{"global load requests", 64 + 2 + 2 + 4},
                 {"global store requests", 4},
                 {"shared load requests", 2}}}},
    {LAUNCH(kBytes, wmma_tiles, square_turned),
     twice<unsigned char, int>({16, 16, false, true, false, 32, 48, 20}),
     {.totals = {{"global load requests", 64 + 8 + 8 + 8},
                 {"global store requests", 8},
                 {"shared load requests", 16}}}},
    {LAUNCH(kBytes, wmma_tiles, tall_bytes),
     twice<unsigned char, int>({32, 8, true, false, true, 32, 16, 12}),
     {.totals = {{"global load requests", 64 + 4 + 1 + 4}, {"shared load requests", 3}}}},
    {LAUNCH(kBytes, wmma_tiles, flat_bytes),
     twice<signed char, int>({8, 32, true, false, false, 16, 32, 12}),
     {.totals = {{"global load requests", 64 + 1 + 4 + 4},
                 {"global store requests", 4},
                 {"shared load requests", 3}}}},
    {LAUNCH(kBytes, wmma_tiles, flat_turned),
     twice<unsigned char, int>({8, 32, false, true, true, 16, 48, 36}),
     {.totals = {{"global load requests", 64 + 20 + 8},
                 {"global store requests", 8},
                 {"shared load requests", 20}}}}};

float ten_bits(float x) {
  return __builtin_bit_cast(float, (__builtin_bit_cast(unsigned, x) + 0x1000u) & 0xffffe000u);
}
// Four bytes a lane for each register, four of them for a and for b.
const Register kFloats[] = {
    {LAUNCH("2,2 32 a=@768:random b=@768:random c=@1024 n=32 k=24", wmma_tiles, tf32_product),
     computed([](const float* a, const float* b, float* c) {
       for (int i = 0; i < 32 * 32; ++i) {
         c[i] = 0;
         for (int j = 0; j < 24; ++j) c[i] += ten_bits(a[i / 32 * 24 + j]) * ten_bits(b[j * 32 + i % 32]);
       }
     }),
     {.totals = {{"global load requests", 4 * 3 * 8}, {"global store requests", 4 * 4}}}},
    // Not rounded by the kernel: the lower bits are left out.
    {LAUNCH("1 32 a=@128:random b=@128:random c=@256", wmma_tiles, tf32_shared),
     computed([](const float* a, const float* b, float* c) {
       const auto cut = [](float x) {
         return __builtin_bit_cast(float, __builtin_bit_cast(unsigned, x) & 0xffffe000u);
       };
       for (int row = 0; row < 16; ++row) {
         for (int column = 0; column < 16; ++column) {
           float& sum = c[column * 16 + row];
           sum = 1;
           for (int i = 0; i < 8; ++i) sum += cut(a[row * 8 + i]) * cut(b[column * 8 + i]);
         }
       }
     }),
     {.totals = {{"shared load requests", 8}, {"global store requests", 8}}}}};

}  // namespace
}  // namespace warplens::language
