#include "app/measure/sha256.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace warplens::measure {
namespace {

// The standard defines its constants as the first 32 bits of the fractional parts of the square and cube
// roots of the first primes. Long double holds enough digits to compute them, which is easier to check than a
// table.
std::uint32_t fraction_bits(long double root) {
  return static_cast<std::uint32_t>((root - std::floor(root)) * 4294967296.0L);
}

struct Constants {
  std::array<std::uint32_t, 8> start{};
  std::array<std::uint32_t, 64> round{};
  Constants() {
    int found = 0;
    for (int candidate = 2; found < 64; ++candidate) {
      bool prime = true;
      for (int d = 2; d * d <= candidate; ++d) prime = prime && candidate % d != 0;
      if (!prime) continue;
      if (found < 8) start[found] = fraction_bits(std::sqrt(static_cast<long double>(candidate)));
      round[found++] = fraction_bits(std::cbrt(static_cast<long double>(candidate)));
    }
  }
};

void absorb(std::array<std::uint32_t, 8>& state, const unsigned char* block, const Constants& constants) {
  std::array<std::uint32_t, 64> w{};
  for (int i = 0; i < 16; ++i)
    w[i] = std::uint32_t{block[4 * i]} << 24 | std::uint32_t{block[4 * i + 1]} << 16 |
           std::uint32_t{block[4 * i + 2]} << 8 | block[4 * i + 3];
  for (int i = 16; i < 64; ++i) {
    const std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
    const std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (int i = 0; i < 64; ++i) {
    const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + constants.round[i] + w[i];
    const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const std::array<std::uint32_t, 8> mixed{a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; ++i) state[i] += mixed[i];
}

}  // namespace

std::string sha256(std::string_view bytes) {
  static const Constants constants;
  std::string padded(bytes);
  padded += '\x80';
  while (padded.size() % 64 != 56) padded += '\0';
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) padded += static_cast<char>(bits >> shift & 0xff);

  std::array<std::uint32_t, 8> state = constants.start;
  for (std::size_t at = 0; at < padded.size(); at += 64)
    absorb(state, reinterpret_cast<const unsigned char*>(padded.data()) + at, constants);

  std::string hex;
  for (const std::uint32_t word : state)
    for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[word >> shift & 0xf];
  return hex;
}

}  // namespace warplens::measure
