#include "sim/text/scan.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace warplens::text {

char32_t next_code_point(std::string_view text, std::size_t* at) {
  constexpr char32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
  const auto lead = static_cast<unsigned char>(text[(*at)++]);
  if (lead < 0x80) return lead;
  const std::size_t more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
  if (more == 0 || lead > 0xf4 || *at + more > text.size()) return kReplacement;
  char32_t code = lead & (0x3fu >> more);
  for (std::size_t i = 0; i < more; ++i) {
    const auto byte = static_cast<unsigned char>(text[*at + i]);
    if ((byte & 0xc0u) != 0x80u) return kReplacement;
    code = code << 6 | (byte & 0x3fu);
  }
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < kLeast[more] || code > 0x10ffff || surrogate) return kReplacement;
  *at += more;
  return code;
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    if (next_code_point(text, &at) == kReplacement && at == begin + 1) return false;
  }
  return true;
}

void append_utf8(char32_t code, std::string* text) {
  const auto byte = [&](char32_t bits) { *text += static_cast<char>(bits); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) {
    byte(0xc0 | code >> 6);
  } else {
    if (code < 0x10000) {
      byte(0xe0 | code >> 12);
    } else {
      byte(0xf0 | code >> 18);
      byte(0x80 | (code >> 12 & 0x3f));
    }
    byte(0x80 | (code >> 6 & 0x3f));
  }
  byte(0x80 | (code & 0x3f));
}

bool is_identifier(std::string_view text) {
  return !text.empty() && !is_digit(text[0]) && std::ranges::all_of(text, is_word);
}

bool names_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const char before = at == 0 ? ' ' : text[at - 1];
    if (!is_word(before) && before != '.' && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string_view trimmed(std::string_view text, std::string_view around) {
  const std::size_t begin = text.find_first_not_of(around);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(around) - begin + 1);
}

std::string without_spaces(std::string_view text) {
  std::string out(text);
  std::erase_if(out, is_space);
  return out;
}

std::vector<std::string> split_list(std::string_view text, std::string_view opening) {
  std::vector<std::string> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    constexpr std::string_view kOpening = "([{<", kClosing = ")]}>";
    if (opening.find(text[at]) != std::string_view::npos) ++depth;
    const std::size_t closes = kClosing.find(text[at]);
    if (closes != std::string_view::npos && opening.find(kOpening[closes]) != std::string_view::npos) --depth;
    if (text[at] != ',' || depth > 0) continue;
    parts.emplace_back(trimmed(text.substr(begin, at - begin)));
    begin = at + 1;
  }
  parts.emplace_back(trimmed(text.substr(begin)));
  return parts;
}

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto same = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  };
  std::vector<std::size_t> before, above(b.size() + 1), row(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({above[j] + (same(a[i], b[j]) ? 0 : 1), above[j + 1] + 1, row[j] + 1});
      const bool swapped = i > 0 && j > 0 && same(a[i], b[j - 1]) && same(a[i - 1], b[j]);
      if (swapped) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
    before = std::exchange(above, row);
  }
  return above.back();
}

std::size_t common_beginning(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates,
                         std::size_t most) {
  std::string nearest;
  std::size_t least = most + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > name.size() + least || name.size() > candidate.size() + least) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance > most || distance > least) continue;
    if (distance == least && common_beginning(name, candidate) <= common_beginning(name, nearest)) continue;
    least = distance, nearest = candidate;
  }
  return nearest;
}

}  // namespace warplens::text
