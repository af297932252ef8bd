// Small instructions as inline PTX. The host has none of them: what must come out is worked out here, from
// what the PTX ISA says of each.
#include <bit>
#include <cmath>

#include "tests/language/language_case.h"

namespace warplens::language {
namespace {

constexpr unsigned kLanes = 32;
using Wide = unsigned long long;

unsigned permuted(unsigned a, unsigned b, unsigned selector) {
  unsigned out = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned nibble = selector >> 4 * i & 15;
    unsigned byte = static_cast<unsigned>((Wide{b} << 32 | a) >> 8 * (nibble & 7)) & 255;
    if (nibble & 8) byte = byte & 128 ? 255 : 0;
    out |= byte << 8 * i;
  }
  return out;
}
// Bit by bit, as the ISA describes it.
unsigned field(unsigned a, unsigned at, unsigned length, bool is_signed) {
  unsigned out = 0;
  const unsigned last = std::min(at + length - 1, 31u);
  const unsigned sign = is_signed && length > 0 ? a >> last & 1 : 0;
  for (unsigned i = 0; i < 32; ++i) out |= (i < length && at + i < 32 ? a >> (at + i) & 1 : sign) << i;
  return out;
}
unsigned inserted(unsigned a, unsigned b, unsigned at, unsigned length) {
  for (unsigned i = 0; i < length && at + i < 32; ++i) b = (b & ~(1u << (at + i))) | (a >> i & 1) << (at + i);
  return b;
}
// As the ISA tells it: the first one from the top that differs from the sign.
unsigned highest_bit(Wide x, int bits, bool is_signed, bool from_top) {
  const Wide sign = is_signed ? x >> (bits - 1) & 1 : 0;
  for (int at = bits - 1; at >= 0; --at)
    if ((x >> at & 1) != sign) return static_cast<unsigned>(from_top ? bits - 1 - at : at);
  return 0xffffffffu;
}
void parts_of_words(const unsigned* in, const unsigned* other, unsigned* out, unsigned n) {
  for (unsigned i = 0; i < n; ++i) {
    const unsigned a = i == 0 ? 0 : in[i] * 2654435761u >> (i & 31), b = other[i] * 2246822519u + i;
    const Wide wide = i == 0 ? 0 : (Wide{b} << 32 | a) >> (2 * i & 63);
    const unsigned results[] = {highest_bit(a, 32, false, false), highest_bit(b, 32, true, false),
                                highest_bit(a, 32, false, true), highest_bit(wide, 64, false, false),
                                highest_bit(wide, 64, true, true)};
    for (unsigned k = 0; k < std::size(results); ++k) out[k * n + i] = results[k];
  }
}
void words(const unsigned* in_a, const unsigned* in_b, unsigned* out) {
  for (unsigned i = 0; i < kLanes; ++i) {
    const unsigned x = in_a[i] * 0x9E3779B1u, y = in_b[i] * 0x85EBCA77u + 0x1234567u, by = i + 8;
    int products = static_cast<int>(i), halves = static_cast<int>(i);
    for (unsigned k = 0; k < 4; ++k)
      products += static_cast<signed char>(x >> 8 * k) * static_cast<int>(y >> 8 * k & 255);
    for (unsigned k = 0; k < 2; ++k)
      halves += static_cast<short>(x >> 16 * k) * static_cast<signed char>(y >> (16 + 8 * k));
    const Wide both = Wide{y} << 32 | x;
    const unsigned results[] = {permuted(x, y, 0x7531),
                                permuted(x, y, 0x40c8u + (i & 7)),
                                field(x, i, 7, false),
                                field(x, i, 5, true),
                                inserted(x, y, i, 9),
                                static_cast<unsigned>(both << (by & 31) >> 32),
                                static_cast<unsigned>(both >> std::min(by, 32u)),
                                static_cast<unsigned>(products),
                                static_cast<unsigned>(halves),
                                x ^ y ^ 0xff00ff00u,
                                std::rotl(x, 16),
                                x * y + 7};
    for (unsigned k = 0; k < 12; ++k) out[k * kLanes + i] = results[k];
  }
}
const Register kBits[] = {
    {LAUNCH("1 32 a=@32:random b=@32:iota out=@384", ptx_words, words), computed(words)}};

void lanes(const int* in, unsigned* out) {
  unsigned ballot = 0, sum = 0;
  for (unsigned i = 0; i < kLanes; ++i) {
    ballot |= (in[i] > 500 ? 1u : 0u) << i;
    sum += static_cast<unsigned>(in[i]);
  }
  for (unsigned i = 0; i < kLanes; ++i) {
    unsigned same = 0;
    for (unsigned k = 0; k < kLanes; ++k) same |= ((in[k] & 3) == (in[i] & 3) ? 1u : 0u) << k;
    const unsigned results[] = {8,
                                i == 8 ? 1u : 0u,
                                ballot,
                                1,
                                same,
                                sum,
                                static_cast<unsigned>(in[i ^ 5]),
                                static_cast<unsigned>(in[i % 8 == 0 ? i : i - 1]),
                                ~0u};
    for (unsigned k = 0; k < 9; ++k) out[k * kLanes + i] = results[k];
  }
}
const Register kLanesOfAWarp[] = {{LAUNCH("1 32 in=@1024:random out=@288", ptx_words, lanes),
                                   computed(lanes),
                                   {.totals = {{"global load requests", 1}}}}};

unsigned pair(float low, float high) {
  const half parts[] = {__float2half(low), __float2half(high)};
  unsigned bits;
  std::memcpy(&bits, parts, sizeof bits);
  return bits;
}
void small_floats(unsigned* out) {
  for (unsigned i = 0; i < kLanes; ++i) {
    const float x[] = {static_cast<float>(static_cast<int>(i % 7) - 3), static_cast<float>(i % 5)};
    const float y[] = {x[1] - 2, x[0] + 1};
    // 2 is 0x40 in e5m2, -1 0xbc; the first operand is the upper one.
    const unsigned results[] = {pair(x[0] * y[0] + x[0], x[1] * y[1] + x[1]), pair(x[0] * y[0], x[1] * y[1]),
                                pair(x[0], x[1]) ^ 0x80008000u, pair(x[0], x[1]), 0x40bc};
    for (unsigned k = 0; k < 5; ++k) out[k * kLanes + i] = results[k];
  }
}
const Register kOthers[] = {
    {LAUNCH("1 32 out=@160", ptx_words, small_floats), computed(small_floats)},
    {LAUNCH("1 32 in=@96:random out=@96 times=@1", ptx_words, hints),
     computed([](const float* in, float* out, long long* times) {
       for (unsigned i = 0; i < kLanes; ++i) {
         const float *v = in + 4 * i, *w = in + 4 * (32 + i);
         const float first[] = {v[0], w[1], v[2], w[3]};
         for (unsigned k = 0; k < 4; ++k) out[4 * i + k] = first[k];
         out[4 * (32 + i)] = v[1];
         out[4 * (32 + i) + 1] = w[0];
         for (unsigned k = 0; k < 4; ++k) out[4 * (64 + i) + k] = v[k];
       }
       times[0] = 1000;
     }),
     {.totals = {{"global load requests", 3}, {"global store requests", 4}}, .warnings = 1}},
    {LAUNCH("1 64 in=@60:random other=@60:random out=@300 n=60", ptx_parts, parts),
     computed(parts_of_words)}};

}  // namespace
}  // namespace warplens::language
