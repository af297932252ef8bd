#include "sim/text/scan.h"

#include <algorithm>

namespace warplens::text {

bool is_identifier(std::string_view text) {
  return !text.empty() && !is_digit(text[0]) && std::all_of(text.begin(), text.end(), is_word);
}

bool names_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
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

}  // namespace warplens::text
