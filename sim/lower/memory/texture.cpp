#include <algorithm>
#include <array>
#include <utility>

#include "sim/lower/builtins/functions.h"
#include "sim/text/scan.h"

namespace warplens::sim::lower {

// What the host code of a file says of its textures, seen in its words.

namespace {

// `description.readMode = word;`, not `texture<uchar4, 2, word>`.
bool assigns(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t before = at == 0 ? std::string_view::npos : text.find_last_not_of(" \t\n", at - 1);
    if (before != std::string_view::npos && text[before] == '=') return true;
  }
  return false;
}

template <std::size_t kCount>
std::optional<std::int64_t> one_of(std::string_view text,
                                   const std::array<std::pair<std::string_view, int>, kCount>& words) {
  return the_one_named<std::int64_t>(text, words, 0);
}

// `description.normalizedCoords = 1;`, `image.normalized = true;`
std::optional<std::int64_t> normalized(std::string_view text) {
  bool said[2] = {false, false};
  for (const std::string_view word : {"normalizedCoords", "normalized"}) {
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
      std::size_t next = text.find_first_not_of(" \t\n", at + word.size());
      if (next == std::string_view::npos || text[next] != '=') continue;
      next = text.find_first_not_of(" \t\n", next + 1);
      if (next == std::string_view::npos || text[next] == '=') continue;
      const std::string_view value = text.substr(next);
      const bool no = value.starts_with("0") || value.starts_with("false");
      const bool yes = value.starts_with("1") || value.starts_with("true");
      if (!no && !yes) return {};
      said[yes ? 1 : 0] = true;
    }
  }
  if (said[0] && said[1]) return {};
  return said[1] ? 1 : 0;
}

// "uchar4" of `8, 8, 8, 8, cudaChannelFormatKindUnsigned`; empty for what is not written in numbers.
std::string format_of_bits(std::string_view arguments) {
  std::vector<std::string> parts;
  while (!arguments.empty()) {
    const std::size_t comma = std::min(arguments.find(','), arguments.size());
    parts.emplace_back(text::trimmed(arguments.substr(0, comma)));
    arguments.remove_prefix(std::min(comma + 1, arguments.size()));
  }
  if (parts.size() != 5) return {};
  const std::string bits = parts[0];
  const auto count = std::count(parts.begin(), parts.begin() + 4, bits);
  const bool others_none = std::count(parts.begin(), parts.begin() + 4, "0") == 4 - count;
  if (bits == "0" || !others_none) return {};
  const std::string word = bits == "8" ? "char" : bits == "16" ? "short" : bits == "32" ? "int" : "";
  const std::string number = std::to_string(count);
  if (parts[4] == "cudaChannelFormatKindFloat") return bits == "32" ? "float" + number : "";
  if (word.empty()) return {};
  if (parts[4] == "cudaChannelFormatKindUnsigned") return "u" + word + number;
  return parts[4] == "cudaChannelFormatKindSigned" ? word + number : "";
}

std::vector<std::string> formats_in(std::string_view text) {
  constexpr std::string_view kMaker = "cudaCreateChannelDesc";
  std::vector<std::string> formats;
  for (std::size_t at = text.find(kMaker); at != std::string_view::npos; at = text.find(kMaker, at + 1)) {
    const std::string_view rest = text.substr(at + kMaker.size());
    const bool of_type = rest.starts_with("<");
    if (!of_type && !rest.starts_with("(")) continue;  // a longer name
    const std::size_t end = rest.find(of_type ? '>' : ')');
    if (end == std::string_view::npos) continue;
    const std::string_view inside = rest.substr(1, end - 1);
    formats.push_back(of_type ? std::string(text::trimmed(inside)) : format_of_bits(inside));
  }
  return formats;
}

}  // namespace

TextureSettings texture_settings(std::string_view text) {
  TextureSettings found;
  found.filter = one_of<2>(text, {{{"cudaFilterModePoint", 0}, {"cudaFilterModeLinear", 1}}});
  found.address = one_of<4>(text, {{{"cudaAddressModeWrap", 0},
                                    {"cudaAddressModeClamp", 1},
                                    {"cudaAddressModeMirror", 2},
                                    {"cudaAddressModeBorder", 3}}});
  found.normalized = normalized(text);
  found.reads_normalized = assigns(text, "cudaReadModeNormalizedFloat");
  found.formats = formats_in(text);
  return found;
}

}  // namespace warplens::sim::lower
