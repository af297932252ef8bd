#include "app/language/line_breaks.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "sim/text/utf8.h"

namespace warplens::language {
namespace {

bool is_one_of(std::string_view character, std::initializer_list<std::string_view> all) {
  return std::find(all.begin(), all.end(), character) != all.end();
}

bool closes(std::string_view character) {
  return is_one_of(character, {"。", "，", "、", "；", "：", "？", "！", "）", "》", "」", "』", "】", "”",
                               "’",  "…",  "％", ".",  ",",  ";",  ":",  "?",  "!",  ")",  "]",  "%"});
}

bool opens(std::string_view character) {
  return is_one_of(character, {"（", "《", "「", "『", "【", "“", "‘", "(", "["});
}

// Characters of scripts without spaces, and signs: a line may end on either side. Dashes and quotes go with
// words.
bool stands_alone(std::string_view character) {
  return static_cast<unsigned char>(character[0]) >= 0xe2 && !character.starts_with("\xe2\x80");
}

std::string_view character_at(std::string_view text, std::size_t at) {
  return text.substr(at, character_length(text, at));
}

// One character that stands alone, or all of a word.
std::size_t unit_end(std::string_view text, std::size_t at) {
  const std::size_t first = at + character_length(text, at);
  if (stands_alone(character_at(text, at))) return first;
  std::size_t end = first;
  while (end < text.size() && text[end] != ' ' && !stands_alone(character_at(text, end)))
    end += character_length(text, end);
  return end;
}

// The last character of a piece that is not empty.
std::string_view last_character(std::string_view piece) {
  std::size_t at = piece.size() - 1;
  while (at > 0 && text::continues_character(piece[at])) --at;
  return piece.substr(at);
}

}  // namespace

std::size_t character_length(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && text::continues_character(text[end])) ++end;
  return end - at;
}

std::string_view readable(std::string_view text) {
  constexpr std::size_t kMost = 4000;  // bytes
  if (text.size() <= kMost) return text;
  std::size_t end = kMost;
  while (end > kMost - 4 && text::continues_character(text[end])) --end;
  return text.substr(0, end);
}

std::size_t piece_end(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && text[end] == ' ') ++end;
  if (end >= text.size()) return end;
  end = unit_end(text, end);
  while (end < text.size() && text[end] != ' ') {
    const bool more = closes(character_at(text, end)) || opens(last_character(text.substr(at, end - at)));
    if (!more) break;
    end = closes(character_at(text, end)) ? end + character_length(text, end) : unit_end(text, end);
  }
  return end;
}

std::string shortened(std::string_view text, float room, const Width& width) {
  text = readable(text);
  if (width(text) <= room) return std::string(text);
  for (std::size_t dot = text.rfind(kDot); dot != std::string_view::npos && dot > 0; dot = text.rfind(kDot)) {
    text = text.substr(0, dot);
    if (width(text) <= room) return std::string(text);
  }
  std::string fits;
  for (std::size_t end = 0; end < text.size();) {
    end += character_length(text, end);
    if (text[end - 1] == ' ') continue;
    std::string longer = std::string(text.substr(0, end)) + "…";
    if (width(longer) > room) break;
    fits = std::move(longer);
  }
  return fits;
}

std::vector<std::string> wrapped(std::string_view text, float room, int most, const Width& width) {
  std::vector<std::string> lines;
  const bool cut = readable(text).size() < text.size();
  text = readable(text);
  std::string line;
  const auto end_line = [&] {
    if (!line.empty()) lines.push_back(std::exchange(line, {}));
  };
  for (std::size_t at = 0; at < text.size() && static_cast<int>(lines.size()) < most;) {
    const std::size_t paragraph = std::min(text.find('\n', at), text.size());
    while (at < paragraph) {
      const std::size_t end = piece_end(text.substr(0, paragraph), at);
      std::string_view piece = text.substr(at, end - at);
      const bool last = static_cast<int>(lines.size()) + 1 >= most;
      if (!last && !line.empty() && width(line + std::string(piece)) > room) end_line();
      if (line.empty()) piece.remove_prefix(std::min(piece.find_first_not_of(' '), piece.size()));
      line += piece;
      at = end;
    }
    end_line();
    at = paragraph + 1;
  }
  if (cut && !lines.empty()) lines.back() += " …";
  return lines;
}

}  // namespace warplens::language
