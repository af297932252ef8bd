// Numbers of eight bits. The host has none: all 256 are listed here by what they stand for, and the nearest
// is looked for among them.
#include <cmath>

#include "tests/language/language_case.h"

namespace warplens::language {
namespace {

struct Format {
  int fraction, bias;      // bits, and what is taken from the exponent
  unsigned first_special;  // infinite, or not a number
};
constexpr Format kE4M3{3, 7, 0x7f}, kE5M2{2, 15, 0x7c};

float value_of(const Format& f, unsigned bits) {
  const unsigned magnitude = bits & 0x7f, whole = 1u << f.fraction;
  if (magnitude >= f.first_special) return magnitude == 0x7c && f.fraction == 2 ? HUGE_VALF : std::nanf("");
  const int exponent = static_cast<int>(magnitude >> f.fraction);
  const float digits = static_cast<float>(magnitude % whole + (exponent > 0 ? whole : 0));
  const float value = std::ldexp(digits, (exponent > 0 ? exponent : 1) - f.bias - f.fraction);
  return bits > 0x7f ? -value : value;
}

// Ties go to the even one.
unsigned nearest(const Format& f, float x) {
  const float magnitude = std::fabs(x);
  unsigned best = 0;
  for (unsigned bits = 1; bits < f.first_special; ++bits) {
    const double is = std::fabs(static_cast<double>(value_of(f, bits)) - static_cast<double>(magnitude));
    const double was = std::fabs(static_cast<double>(value_of(f, best)) - static_cast<double>(magnitude));
    if (is < was || (is == was && bits % 2 == 0)) best = bits;
  }
  return best | (std::signbit(x) ? 0x80u : 0u);
}

const Register quantised({.launch = {"fp8_scales.cu", "quantise", {4}, {64}},
                          .arguments = {buffer("in", 250, R), buffer("out", 250), real("scale", -3.0),
                                        number("n", 250)},
                          .host = HOST(),
                          .after =
                              [](HostBuffers& h) {
                                const float* in = h["in"];
                                unsigned char* out = h["out"];
                                for (int i = 0; i < 250; ++i)
                                  out[i] = static_cast<unsigned char>(nearest(kE4M3, in[i] * -3.0f));
                              },
                          .totals = {{"global store sectors", 8}}});
// Every number there is but those that are none; the buffer counts from 0 on.
const Register dequantised({.launch = {"fp8_scales.cu", "dequantise<__nv_fp8_e5m2>", {4}, {64}},
                            .arguments = {buffer("in", 256, I), buffer("out", 256), real("scale", 0.25),
                                          number("n", 125)},
                            .host = HOST(),
                            .after = [](HostBuffers& h) {
                              float* out = h["out"];
                              for (unsigned i = 0; i < 125; ++i) out[i] = value_of(kE5M2, i) * 0.25f;
                            }});
const Register small({.launch = {"fp8_scales.cu", "dequantise<__nv_fp8_e4m3>", {4}, {64}},
                      .arguments = {buffer("in", 256, I), buffer("out", 256), real("scale", 2),
                                    number("n", 127)},
                      .host = HOST(),
                      .after = [](HostBuffers& h) {
                        float* out = h["out"];
                        for (unsigned i = 0; i < 127; ++i) out[i] = value_of(kE4M3, i) * 2;
                      }});
const Register fours({.launch = {"fp8_scales.cu", "four_at_once", {2}},
                      .arguments = {buffer("in", 64, R), buffer("packed", 64), buffer("back", 64)},
                      .host = HOST(),
                      .after =
                          [](HostBuffers& h) {
                            const float* in = h["in"];
                            unsigned char* packed = h["packed"];
                            float* back = h["back"];
                            for (int i = 0; i < 256; ++i) {
                              packed[i] = static_cast<unsigned char>(nearest(kE5M2, in[i]));
                              back[i] = value_of(kE5M2, packed[i]);
                            }
                          },
                      .totals = {{"global store sectors", 2 * 4 + 2 * 16}}});
// Beyond 448 the greatest number; 57,344 is not reached.
const Register functions({.launch = {"fp8_scales.cu", "by_functions"},
                          .arguments = {buffer("in", 32, R), buffer("bits", 64), buffer("back", 32)},
                          .host = HOST(),
                          .after = [](HostBuffers& h) {
                            const float* in = h["in"];
                            unsigned char* bits = h["bits"];
                            half* back = h["back"];
                            for (int i = 0; i < 32; ++i) {
                              const float x = in[i] * 1000.0f;
                              bits[2 * i] = static_cast<unsigned char>(nearest(kE4M3, x));
                              bits[2 * i + 1] = static_cast<unsigned char>(nearest(kE5M2, x));
                              back[i] = __float2half(value_of(kE4M3, bits[2 * i]));
                            }
                          }});
const Register halves({.launch = {"fp8_scales.cu", "by_halves"},
                       .arguments = {buffer("in", 32, R), buffer("bits", 224), buffer("back", 32)},
                       .host = HOST(),
                       .after = [](HostBuffers& h) {
                         const float* in = h["in"];
                         unsigned char* bits = h["bits"];
                         half2* back = h["back"];
                         for (int i = 0; i < 32; ++i) {
                           const half2 two(__float2half(in[i] * 300.0f), __float2half(in[i] * -0.01f));
                           const auto as = [](const Format& f, half x) {
                             return static_cast<unsigned char>(nearest(f, __half2float(x)));
                           };
                           const unsigned char x = as(kE4M3, two.x), y = as(kE4M3, two.y);
                           bits[i] = as(kE5M2, two.x);
                           bits[32 + 2 * i] = x, bits[33 + 2 * i] = y;
                           bits[96 + 4 * i] = x, bits[97 + 4 * i] = y;
                           bits[98 + 4 * i] = y, bits[99 + 4 * i] = x;
                           back[i] =
                               half2(__float2half(value_of(kE4M3, x)), __float2half(value_of(kE4M3, y)));
                         }
                       }});

}  // namespace
}  // namespace warplens::language
