#include "app/storage/packed_text.h"

#include <zlib.h>

#include <array>
#include <cstdint>

namespace warplens::app {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string to_base64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() * 4 + 2) / 3);
  std::uint32_t held = 0;
  int bits = 0;
  for (const char byte : bytes) {
    held = held << 8 | static_cast<unsigned char>(byte);
    for (bits += 8; bits >= 6;) out += kDigits[held >> (bits -= 6) & 63];
  }
  if (bits > 0) out += kDigits[held << (6 - bits) & 63];
  return out;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string out;
  out.reserve(text.size() * 3 / 4);
  std::uint32_t held = 0;
  int bits = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    held = held << 6 | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits >= 8) out += static_cast<char>(held >> (bits -= 8) & 255);
  }
  return out;
}

}  // namespace

std::string pack_text(std::string_view text) {
  uLongf size = compressBound(static_cast<uLong>(text.size()));
  std::string bytes(size, '\0');
  compress2(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
            static_cast<uLong>(text.size()),
            Z_BEST_COMPRESSION);  // fails only without memory: then it is empty
  bytes.resize(size);
  return to_base64(bytes);
}

std::optional<std::string> unpack_text(std::string_view packed, std::size_t most) {
  const auto bytes = from_base64(packed);
  if (!bytes) return std::nullopt;
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return std::nullopt;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes->data()));
  stream.avail_in = static_cast<uInt>(bytes->size());
  std::string out;
  std::array<char, 16384> part{};
  int state = Z_OK;
  while (state == Z_OK && out.size() <= most) {
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = static_cast<uInt>(part.size());
    state = inflate(&stream, Z_NO_FLUSH);
    out.append(part.data(), part.size() - stream.avail_out);
  }
  const bool whole = state == Z_STREAM_END && stream.avail_in == 0;
  inflateEnd(&stream);
  if (!whole || out.size() > most) return std::nullopt;
  return out;
}

}  // namespace warplens::app
