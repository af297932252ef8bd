// CUDA's libraries as today's courses use them. The host has none of them: what must come out is worked out
// here.
#include <algorithm>

#include "tests/language/language_case.h"

namespace warplens::language {
namespace {

// The number of that place of Philox4x32-10 (Random123), of key 0x0123456789abcdef and counters with 7 in the
// third word.
unsigned drawn(unsigned place) {
  std::uint32_t c[4] = {place / 4, 0, 7, 0}, key[2] = {0x89abcdef, 0x01234567};
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t x = 0xd2511f53ull * c[0], y = 0xcd9e8d57ull * c[2];
    const std::uint32_t next[4] = {std::uint32_t(y >> 32) ^ c[1] ^ key[0], std::uint32_t(y),
                                   std::uint32_t(x >> 32) ^ c[3] ^ key[1], std::uint32_t(x)};
    std::ranges::copy(next, c);
    key[0] += 0x9e3779b9, key[1] += 0xbb67ae85;
  }
  return c[place % 4];
}

const Register kCases[] = {
    {LAUNCH("3 64 in.ptr=@192:random in.count=192 out.ptr=@150 out.count=150", course_library, split_sums),
     computed([](const float* in, int, float* out) {
       for (int i = 0; i < 150; ++i) {
         float left = 0, right = 0;
         for (int k = i / 64 * 64; k < i; ++k) left += in[k];
         for (int k = i + 1; k < (i / 64 + 1) * 64; ++k) right += in[k];
         out[i] = left - right + in[i / 64 * 64 + 63];
       }
     }),
     {.totals = {{"shared store requests", 6}}, .tolerance = 1e-5}},
    // Of 600 cells 416 turn once more than the others; each turn stores.
    {LAUNCH("4 64 in.ptr=@600:random in.ext.e0=20 in.ext.e1=30 in.ext.e2=0 out=@600", course_library, heat),
     computed([](const float* in, int, int, int, float* out) {
       for (int i = 0; i < 600; ++i) {
         const int row = i / 30, column = i % 30;
         const bool is_edge = row == 0 || column == 0 || row == 19 || column == 29;
         out[i] = is_edge ? in[i] : in[i - 1] + in[i + 1] + in[i - 30] + in[i + 30];
       }
     }),
     {.totals = {{"global store requests", 19}}, .tolerance = 1e-5}},
    // A warp reads two rows of sixteen columns: a sector a column.
    {LAUNCH("1 128 in=@128:iota out=@128", course_library, by_columns),
     computed([](const float* in, float* out) {
       for (int i = 0; i < 128; ++i) out[i] = in[i % 16 * 8 + i / 16] + 8 + 64;
     }),
     {.totals = {{"global load requests", 4},
                 {"global load sectors", 4 * 16},
                 {"global store sectors", 4 * 4}}}},
    {LAUNCH("1 32 in=@32:iota out=@32", course_library, wide_index),
     computed([](const float* in, float* out) {
       for (int i = 0; i < 32; ++i) out[i] = in[i % 8 * 4 + i / 8] + in[0];
     })},
    // As nvcc makes them, which keeps the old value of each: atomics, not reductions.
    {LAUNCH("3 64 values.ptr=@192:iota values.count=192 bins.ptr=@8 bins.count=8", course_library,
            count_bins),
     computed([](const int* values, int, int* bins) {
       for (int i = 0; i < 192; ++i) ++bins[values[i] % 8];
     }),
     {.totals = {{"shared atomic requests", 6},
                 {"global atomic requests", 3},
                 {"global reduction requests", 0}}}},
    {LAUNCH("1 64 word=@1 most=@1 sum=@1", course_library, references),
     computed([](HostBuffers& h) {
       *static_cast<int*>(h["word"]) = 200 - (100 - 1);
       *static_cast<unsigned*>(h["most"]) = 21;
       *static_cast<float*>(h["sum"]) = 32;
     }),
     {.totals = {{"global atomic requests", 2 + 2 + 3},
                 {"global load requests", 1},
                 {"global store requests", 1}}}},
    {LAUNCH("1 96 pairs=@96:random out=@96", course_library, bindings), computed([](float* pairs, int* out) {
       for (int i = 0; i < 96; ++i) {
         float &low = pairs[2 * i], &high = pairs[2 * i + 1];
         if (low > high) std::swap(low, high);
         out[i] = i / 10 * 100 + (i % 10 == 0 ? 7 : 0) + (low + 1 > high) + 14 + i % 10;
       }
     })},
    {LAUNCH("2 64 +256 in=@128:iota out=@2", course_library, reduced<int>),
     computed([](const int* in, int* out) {
       for (int i = 0; i < 128; ++i) out[i / 64] += in[i] * (64 - i % 64);
     }),
     {.warnings = 2}},
    {LAUNCH("1 32 out=@161 uniform=@32", course_library, philox),
     computed([](unsigned* out, float* uniform) {
       for (int i = 0; i < 160; ++i) out[i] = drawn(i);
       out[160] = 64;
       for (int i = 0; i < 32; ++i) uniform[i] = (drawn(5 * i + 8) + 0.5f) * 2.3283064e-10f;
     }),
     {.tolerance = 1e-6}},
    {LAUNCH("2 64 +256 in=@128:iota out=@128", course_library, by_hip), computed([](const int* in, int* out) {
       for (int i = 0; i < 128; ++i) out[i] = in[i / 64 * 64 + 63 - i % 64] * 2;
     })},
    {LAUNCH("1 64 in=@64:iota out=@64 words=@64", course_library, rounded),
     computed([](const unsigned* in, float* out, unsigned* words) {
       for (unsigned i = 0; i < 64; ++i) {
         const unsigned x = in[i] * 2654435761u, by = std::min(i + 20, 32u);
         const auto both = [&](unsigned high) { return std::uint64_t{high} << 32 | x; };
         words[i] = unsigned(both(3 * i) << ((i + 9) & 31) >> 32) ^ unsigned(both(5 * i) >> by);
         words[i] += (i < 40 ? 40 - i : i - 40) + x;
         const float a = 1 + i / 3.0f, b = 1 / (3.0f + i);
         const float unit = std::ldexp(1.0f, std::ilogb(a) - 3), whole = std::nearbyint(a / unit) * unit;
         const double sum = double{a} + b;
         const bool is_exact = sum == double(float(sum));
         out[i] = whole + (is_exact ? 0 : std::ldexp(1.0f, std::ilogb(sum) - 23)) * (1 << 20) + a * 2;
       }
     })},
    {LAUNCH("2 128 in=@128:iota out=@128", course_library, by_pairs),
     computed(
         [](const int* in, int* out) {
           for (int i = 0; i < 128; ++i) out[i] = in[i ^ 63] + (i < 64 ? 0 : in[(i - 64) ^ 63]);
         }),
     {.totals = {{"shared store requests", 2 * (4 + 2)}, {"shared load requests", 2 * (4 + 2)}}}},
    {LAUNCH("1 64 in=@128:iota bins=@8", course_library, histogram),
     computed(
         [](const int* in, int* bins) {
           for (int i = 0; i < 64; ++i) ++bins[in[i] % 8], ++bins[in[i + 64] % 3];
         }),
     {.totals = {{"shared store requests", 1}, {"shared atomic requests", 4}}}}};

}  // namespace
}  // namespace warplens::language
