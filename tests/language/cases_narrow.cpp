// Products of bytes and tf32 with nvcuda::wmma, and sums of pairs: what comes out, and the requests that
// nvcc's machine code makes.
#include "tests/language/language_case.h"

namespace warplens::language {
namespace {

// ---- tf32

float ten_bits(float x) {
  return __builtin_bit_cast(float, (__builtin_bit_cast(unsigned, x) + 0x1000u) & 0xffffe000u);
}
// Four bytes a lane for each register, four of them for a and for b.
const Register kFloats[] = {
    {LAUNCH("2,2 32 a=@768:random b=@768:random c=@1024 n=32 k=24", wmma_narrow, tf32_product),
     computed([](const float* a, const float* b, float* c) {
       for (int i = 0; i < 32 * 32; ++i) {
         c[i] = 0;
         for (int j = 0; j < 24; ++j) c[i] += ten_bits(a[i / 32 * 24 + j]) * ten_bits(b[j * 32 + i % 32]);
       }
     }),
     {.totals = {{"global load requests", 4 * 3 * 8}, {"global store requests", 4 * 4}}}},
    // Not rounded by the kernel: the lower bits are left out.
    {LAUNCH("1 32 a=@128:random b=@128:random c=@256", wmma_narrow, tf32_shared),
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

// ---- bytes

struct ByteShape {
  int m, n;
  bool a_rows, b_rows, c_rows;
  int lda, ldb, ldc;
};
int byte_place(int row, int column, bool rows, int length) {
  return rows ? row * length + column : column * length + row;
}
template <class T>
void multiply_bytes_twice(const ByteShape& s, const T* a, const T* b, int* c) {
  for (int row = 0; row < s.m; ++row) {
    for (int column = 0; column < s.n; ++column) {
      int& sum = c[byte_place(row, column, s.c_rows, s.ldc)];
      for (int i = 0; i < 16; ++i)
        sum += 2 * a[byte_place(row, i, s.a_rows, s.lda)] * b[byte_place(i, column, s.b_rows, s.ldb)];
    }
  }
}
template <class T>
Host bytes_twice(const ByteShape& shape) {
  return computed([shape](const T* a, const T* b, int* c) { multiply_bytes_twice<T>(shape, a, b, c); });
}
constexpr const char* kBytes = "1 32 a=@1024:random b=@1024:random c=@1024:iota";

// 64 requests fill the tiles. Where bytes lie side by side as they are summed over, an ldmatrix of two
// matrices brings 16 rows, and four bytes a lane come from global memory; else they come one by one.
const Register kByteCases[] = {
    {LAUNCH(kBytes, wmma_narrow, square_bytes),
     bytes_twice<signed char>({16, 16, true, false, true, 48, 32, 20}),
     {.totals = {{"global load requests", 64 + 2 + 2 + 4},
                 {"global store requests", 4},
                 {"shared load requests", 2}}}},
    {LAUNCH(kBytes, wmma_narrow, square_turned),
     bytes_twice<unsigned char>({16, 16, false, true, false, 32, 48, 20}),
     {.totals = {{"global load requests", 64 + 8 + 8 + 8},
                 {"global store requests", 8},
                 {"shared load requests", 16}}}},
    {LAUNCH(kBytes, wmma_narrow, tall_bytes),
     bytes_twice<unsigned char>({32, 8, true, false, true, 32, 16, 12}),
     {.totals = {{"global load requests", 64 + 4 + 1 + 4}, {"shared load requests", 3}}}},
    {LAUNCH(kBytes, wmma_narrow, flat_bytes),
     bytes_twice<signed char>({8, 32, true, false, false, 16, 32, 12}),
     {.totals = {{"global load requests", 64 + 1 + 4 + 4},
                 {"global store requests", 4},
                 {"shared load requests", 3}}}},
    {LAUNCH(kBytes, wmma_narrow, flat_turned),
     bytes_twice<unsigned char>({8, 32, false, true, true, 16, 48, 36}),
     {.totals = {{"global load requests", 64 + 20 + 8},
                 {"global store requests", 8},
                 {"shared load requests", 20}}}}};

// ---- pairs

// In the order of the threads, each sum rounded.
const Register kPairs[] = {
    {LAUNCH("2 64 in=@100:random bins=@8 before=@2:random n=100", packed_atomics, add_halves),
     computed([](const float* in, half* bins, half* before) {
       for (int i = 0; i < 200; ++i) {
         half& sum = bins[i / 2 % 8 * 2 + i % 2];
         sum = __float2half(__half2float(sum) + __half2float(__float2half(in[i])));
       }
       before[0] = before[2], before[1] = before[3];
       before[2] = __float2half(__half2float(before[2]) + 1.0f);
       before[3] = __float2half(__half2float(before[3]) + 0.5f);
     }),
     {.totals = {{"global reduction requests", 4}, {"global atomic requests", 1}}}},
    {LAUNCH("1 32 in=@32:random sums=@1", packed_atomics, add_brains),
     computed([](const float* in, unsigned short* sums) {
       const auto bits = [](float x) {
         const unsigned whole = __builtin_bit_cast(unsigned, x);
         return (whole + 0x7fff + (whole >> 16 & 1)) >> 16;
       };
       const auto value = [](unsigned x) { return __builtin_bit_cast(float, x << 16); };
       unsigned low = 0, high = 0;
       for (int i = 0; i < 32; ++i) {
         low = bits(value(low) + value(bits(in[i])));
         high = bits(value(high) + 1.0f);
       }
       sums[0] = static_cast<unsigned short>(low);
       sums[1] = static_cast<unsigned short>(high);
     })}};

}  // namespace
}  // namespace warplens::language
