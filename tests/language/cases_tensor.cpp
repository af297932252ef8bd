// Inline PTX, tensor cores and asynchronous copies. The host has no such instructions: what must come out is
// worked out here, from what CUDA's documentation says of each.
#include <cmath>

#include "tests/language/language_case.h"

namespace warplens::language {
namespace {

constexpr int kLanes = 32;

float single(const half* at) {
  return __half2float(*at);
}

// ---- fragments

// Element (row, column) of matrix j, of eight rows of eight.
unsigned element(const unsigned short* in, int j, int row, int column) {
  return in[(8 * j + row) * 8 + column];
}
void fragments(const unsigned short* in, unsigned* out) {
  int r = 0;
  for (const bool transposed : {false, true}) {
    for (const int count : {1, 2, 4}) {
      for (int j = 0; j < count; ++j, ++r) {
        for (int lane = 0; lane < kLanes; ++lane) {
          const int across = lane / 4, along = lane % 4 * 2;
          out[r * kLanes + lane] =
              transposed ? element(in, j, along, across) | element(in, j, along + 1, across) << 16
                         : element(in, j, across, along) | element(in, j, across, along + 1) << 16;
        }
      }
    }
  }
}
const Register kLoaded[] = {
    {LAUNCH("1 32 in=@256:random out=@448", matrix_fragments, load_fragments),
     computed(fragments),
     {.totals = {{"shared load requests", 6}, {"shared load wavefronts", 2 * (1 + 2 + 4)}}}}};

// Register j of every lane holds 64 j + 2 lane and the next: as matrix j its elements in order.
void stored(unsigned short* out) {
  const auto put = [&](int place, int matrix, int from, bool transposed) {
    for (int row = 0; row < 8; ++row)
      for (int column = 0; column < 8; ++column)
        out[place * 256 + (matrix * 8 + row) * 8 + column] =
            static_cast<unsigned short>(64 * from + (transposed ? column * 8 + row : row * 8 + column));
  };
  for (int i = 0; i < 1024; ++i) out[i] = 0;
  for (int j = 0; j < 4; ++j) put(0, j, j, false);
  for (int j = 0; j < 4; ++j) put(1, j, j, true);
  put(2, 0, 1, false);
  for (int j = 0; j < 2; ++j) put(3, j, 2 + j, true);
}
const Register kStored[] = {{LAUNCH("1 32 out=@1024", matrix_fragments, store_fragments), computed(stored)}};

// ---- products

// d (16 x 8) = a (16 x k) b (k x 8) + c, of registers: `a(row, i)`, `b(i, column)`, `put(row, column, sum)`.
// `in_register` values lie side by side.
struct Place {
  int index, lane, part;  // register, lane, which of the register's values
};
Place of_a(int row, int i, int in_register) {
  const int columns = 4 * in_register;
  return {row / 8 + i / columns * 2, row % 8 * 4 + i % columns / in_register, i % in_register};
}
Place of_b(int i, int column, int in_register) {
  const int rows = 4 * in_register;
  return {i / rows, column * 4 + i % rows / in_register, i % in_register};
}
Place of_c(int row, int column) {
  return {row / 8 * 2 + column % 2, row % 8 * 4 + column / 2, 0};
}
int at(const Place& place, int in_register) {
  return (place.index * kLanes + place.lane) * in_register + place.part;
}
template <class T, class A, class B, class C>
void product(int k, int in_register, A a, B b, C c, int rows = 16) {
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < 8; ++column) {
      T& sum = c(of_c(row, column));
      for (int i = 0; i < k; ++i)
        sum +=
            a(at(of_a(row, i, in_register), in_register)) * b(at(of_b(i, column, in_register), in_register));
    }
  }
}

// The result has two halves in a register.
void half_product(const half* a, const half* b, const half* c, half* d) {
  float sums[4 * kLanes];
  const auto pair = [](int register_, int lane) {
    return (register_ / 2 * kLanes + lane) * 2 + register_ % 2;
  };
  for (int r = 0; r < 4; ++r)
    for (int lane = 0; lane < kLanes; ++lane) sums[r * kLanes + lane] = single(c + pair(r, lane));
  product<float>(
      16, 2, [&](int i) { return single(a + i); }, [&](int i) { return single(b + i); },
      [&](const Place& p) -> float& { return sums[p.index * kLanes + p.lane]; });
  for (int r = 0; r < 4; ++r)
    for (int lane = 0; lane < kLanes; ++lane) d[pair(r, lane)] = __float2half(sums[r * kLanes + lane]);
}
const Register kHalves[] = {
    {LAUNCH("1 32 a=@256:random b=@128:random c=@128:random d=@64", mma_types, mma_half),
     computed(half_product)}};

float brain(const unsigned short* at) {
  return __builtin_bit_cast(float, static_cast<unsigned>(*at) << 16);
}
const Register kBrains[] = {{LAUNCH("1 32 a=@128:random b=@64:random d=@128", mma_types, mma_brain),
                             computed([](const unsigned short* a, const unsigned short* b, float* d) {
                               for (int i = 0; i < 128; ++i) d[i] = static_cast<float>(i / kLanes + 1);
                               product<float>(
                                   8, 2, [&](int i) { return brain(a + i); },
                                   [&](int i) { return brain(b + i); },
                                   [&](const Place& p) -> float& { return d[p.index * kLanes + p.lane]; });
                             })}};

// Ten bits behind the point; a tie goes away from zero.
float tf32(float x) {
  return __builtin_bit_cast(float, (__builtin_bit_cast(unsigned, x) + 0x1000u) & 0xffffe000u);
}
const Register kOthers[] = {
    {LAUNCH("1 32 a=@128:random b=@64:random d=@128", mma_types, mma_tf32),
     computed([](const float* a, const float* b, float* d) {
       for (int i = 0; i < 128; ++i) d[i] = 0;
       product<float>(
           8, 1, [&](int i) { return tf32(a[i]); }, [&](int i) { return tf32(b[i]); },
           [&](const Place& p) -> float& { return d[p.index * kLanes + p.lane]; });
     })},
    {LAUNCH("1 32 a=@512:random b=@256:random d=@128", mma_types, mma_bytes),
     computed([](const signed char* a, const unsigned char* b, int* d) {
       for (int lane = 0; lane < kLanes; ++lane) {
         const int first[] = {lane, 0, -lane, 7};
         for (int r = 0; r < 4; ++r) d[r * kLanes + lane] = first[r];
       }
       const unsigned flips[] = {0x80008000u, 0x00800080u, 0, 0x80808080u};
       product<int>(
           32, 4,
           [&](int i) {
             const unsigned flip = flips[i / 4 / kLanes] >> (8 * (i % 4)) & 0xff;
             return static_cast<int>(static_cast<signed char>(a[i] ^ static_cast<int>(flip)));
           },
           [&](int i) { return static_cast<int>(b[i]); },
           [&](const Place& p) -> int& { return d[p.index * kLanes + p.lane]; });
     })},
    {LAUNCH("1 32 a=@128:random b=@128:random d=@64", mma_types, mma_eight_rows),
     computed([](const unsigned char* a, const unsigned char* b, int* d) {
       for (int lane = 0; lane < kLanes; ++lane) d[lane] = lane, d[kLanes + lane] = -lane;
       product<int>(
           16, 4, [&](int i) { return static_cast<int>(a[i]); },
           [&](int i) {
             const unsigned flip = 0x80800080u >> (8 * (i % 4)) & 0xff;
             return static_cast<int>(static_cast<signed char>(b[i] ^ flip));
           },
           [&](const Place& p) -> int& { return d[p.index * kLanes + p.lane]; }, 8);
     })}};

// ---- other PTX

const Register kPtx[] = {
    {LAUNCH("2 64 in=@512:random out=@256 n=100", ptx_idioms, ptx_loads),
     computed([](const float* in, float* out) {
       for (int i = 0; i < 128; ++i) {
         out[2 * i] = std::fmaf(in[4 * i], in[4 * i + 1], in[4 * i + 2] + in[4 * i + 3]);
         out[2 * i + 1] = i < 100 ? in[i] : 0.0f;
       }
     }),
     {.totals = {{"global load requests", 4 + 4},
                 {"global load sectors", 4 * 16 + 3 * 4 + 1},
                 {"global store sectors", 4 * 8}}}},
    {LAUNCH("1 32 in=@64:random out=@129", ptx_idioms, ptx_integers),
     computed([](const unsigned* in, unsigned* out) {
       for (unsigned i = 0; i < kLanes; ++i) {
         const unsigned x = in[i], y = in[i + kLanes], below = (1u << i) - 1;
         const unsigned long long wide = static_cast<unsigned long long>(x) * y + 5;
         const auto high = static_cast<unsigned>(static_cast<unsigned long long>(x) * y >> 32);
         out[i] = (x ^ y ^ below) + i;
         out[32 + i] = high ^ static_cast<unsigned>(wide) ^ static_cast<unsigned>(wide >> 32);
         out[64 + i] = (y & 63) < 32 ? x << (y & 63) : 0;
         out[96 + i] = static_cast<int>(x) > static_cast<int>(y) ? x : y;
       }
       out[128] = kLanes;
     })},
    {LAUNCH("1 32 in=@28:random out=@128 count=26", ptx_idioms, ptx_fill),
     computed([](const float* in, float* out) {
       for (int i = 0; i < 128; ++i) out[i] = i < 26 ? in[i] : 0.0f;
     }),
     {.totals = {{"global async sectors", 4}, {"shared async wavefronts", 4}}}}};

// ---- functions that copy

const Register kCopies[] = {{LAUNCH("1 32 in=@32:random out=@32", pipeline_copies, zeros_behind),
                             computed([](const float* in, float* out) {
                               for (int i = 0; i < 32; ++i)
                                 for (int part = 0; part < 4; ++part)
                                   out[(31 - i) * 4 + part] = i == 31 && part > 1 ? 0.0f : in[i * 4 + part];
                             })}};

}  // namespace
}  // namespace warplens::language
