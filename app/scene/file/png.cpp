#include "app/scene/file/png.h"

#include <array>
#include <cstdlib>
#include <string_view>

#include "app/scene/file/deflate.h"
#include "sim/file/whole_file.h"

namespace warplens::scene {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::array<std::uint32_t, 256> kCrcs = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    table[i] = i;
    for (int bit = 0; bit < 8; ++bit) table[i] = table[i] >> 1 ^ ((table[i] & 1u) != 0 ? 0xedb88320u : 0);
  }
  return table;
}();

void put_number(Bytes& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(value >> shift));
}

void put_chunk(Bytes& out, std::string_view name, const Bytes& content, Pace& pace) {
  put_number(out, static_cast<std::uint32_t>(content.size()));
  std::uint32_t crc = ~0u;
  const auto put = [&](std::uint8_t byte) {
    out.push_back(byte);
    crc = crc >> 8 ^ kCrcs[(crc ^ byte) & 0xff];
  };
  for (const char c : name) put(static_cast<std::uint8_t>(c));
  for (std::size_t i = 0; i < content.size(); ++i) {
    if (i % 256 == 0) pace.step();
    put(content[i]);
  }
  put_number(out, ~crc);
}

// Each row as differences from what is left of it or above it, whichever are the smaller ones.
Bytes filtered(const Image& image, Pace& pace) {
  const std::size_t row = 4 * static_cast<std::size_t>(image.width);
  Bytes out, left(row), above(row);
  out.reserve((row + 1) * static_cast<std::size_t>(image.height));
  for (int y = 0; y < image.height; ++y) {
    pace.step(row / 512 + 1);
    const std::uint8_t* at = &image.rgba[row * static_cast<std::size_t>(y)];
    std::uint64_t sum_left = 0, sum_above = 0;
    for (std::size_t i = 0; i < row; ++i) {
      left[i] = static_cast<std::uint8_t>(at[i] - (i < 4 ? 0 : at[i - 4]));
      above[i] = static_cast<std::uint8_t>(at[i] - (y == 0 ? 0 : *(at + i - row)));
      sum_left += static_cast<std::uint64_t>(std::abs(static_cast<std::int8_t>(left[i])));
      sum_above += static_cast<std::uint64_t>(std::abs(static_cast<std::int8_t>(above[i])));
    }
    const bool by_left = sum_left < sum_above;
    out.push_back(by_left ? 1 : 2);
    out.insert(out.end(), by_left ? left.begin() : above.begin(), by_left ? left.end() : above.end());
  }
  return out;
}

}  // namespace

Bytes png_bytes(const Image& image, Budget& budget) {
  const auto expected = 4 * static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
  if (image.width < 1 || image.height < 1 || image.rgba.size() != expected) return {};
  Pace pace(budget, Stage::Drawing);
  Bytes out = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'}, header;
  put_number(header, static_cast<std::uint32_t>(image.width));
  put_number(header, static_cast<std::uint32_t>(image.height));
  header.insert(header.end(), {8, 6, 0, 0, 0});  // 8 bits of each, RGBA; packed, filtered, not interlaced
  put_chunk(out, "IHDR", header, pace);
  put_chunk(out, "IDAT", zlib_packed(filtered(image, pace), budget), pace);
  put_chunk(out, "IEND", {}, pace);
  return out;
}

bool write_png(const std::filesystem::path& path, const Image& image, std::string* error, Budget& budget) {
  const Bytes bytes = png_bytes(image, budget);
  if (bytes.empty()) {
    *error = path.string() + ": the picture is empty or incomplete";
    return false;
  }
  const std::string_view content(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const file::Written written = file::write_whole(path, content, {.to_pipes = true});
  if (!written) *error = written.words;
  return static_cast<bool>(written);
}

}  // namespace warplens::scene
