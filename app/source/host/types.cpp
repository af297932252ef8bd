#include "app/source/host/types.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "app/source/host/changes.h"

namespace warplens::app {
namespace {

using WordSet = std::set<std::string_view>;

bool is_qualifier(std::string_view word) {
  static const WordSet kQualifiers{"const",  "volatile",     "static",      "constexpr", "extern",
                                   "inline", "__restrict__", "__restrict",  "restrict",  "struct",
                                   "\n",     "thread_local", "__managed__", "__device__"};
  return kQualifiers.contains(word);
}

bool is_part_of_basic_type(std::string_view word) {
  static const WordSet kParts{"unsigned", "signed", "long",   "short", "int",
                              "char",     "float",  "double", "bool"};
  return kParts.contains(word);
}

// The type at i, without its stars; i is behind it then.
std::string base_at(const Words& words, std::size_t& i) {
  while (i < words.size() && is_qualifier(words[i])) ++i;
  std::string base;
  while (i < words.size() && (is_part_of_basic_type(words[i]) || is_qualifier(words[i]))) {
    if (!is_qualifier(words[i])) base += (base.empty() ? "" : " ") + std::string(words[i]);
    ++i;
  }
  if (!base.empty()) return base;
  while (i + 2 < words.size() && is_name(words[i]) && words[i + 1] == ":" && words[i + 2] == ":") i += 3;
  if (i < words.size() && is_name(words[i]) && words[i] != "auto") base = words[i++];
  return base;
}

// Stars, and what may stand between them; -1: something else does.
int stars_between(const Words& words, std::size_t begin, std::size_t end) {
  int stars = 0;
  for (std::size_t i = begin; i < end; ++i) {
    if (words[i] == "*")
      ++stars;
    else if (!is_qualifier(words[i]) && words[i] != "&")
      return -1;
  }
  return stars;
}

HostType type_in(const Words& words, std::size_t begin, std::size_t end) {
  const std::string base = base_at(words, begin);
  const int stars = begin <= end ? stars_between(words, begin, end) : -1;
  return stars < 0 ? HostType{} : HostType{base, stars};
}

// `double *a, *b;`, `const float* a` among a function's parameters: the type of the name at i.
HostType declaration_at(const Words& words, std::size_t i) {
  std::size_t begin = statement_begin(words, i);
  if (begin == kNoWord || begin == i || words[i - 1] == ".") return {};
  const bool is_parameter = begin > 0 && words[begin - 1] == "(";
  std::size_t from = i;  // behind the comma before the name
  int depth = 0;
  while (from > begin) {
    const std::string_view w = words[from - 1];
    depth -= nesting(w);
    if (depth == 0 && w == ",") break;
    --from;
  }
  if (from == begin || is_parameter) return declares(words, from) ? type_in(words, from, i) : HostType{};
  if (!declares(words, begin)) return {};
  const std::string base = base_at(words, begin);
  const int stars = stars_between(words, from, i);
  return stars < 0 ? HostType{} : HostType{base, stars};
}

HostType declared_type(std::string_view name, const Words& seen) {
  for (std::size_t i = seen.size(); i-- > 1;) {
    if (seen[i] != name || i + 1 >= seen.size()) continue;
    static const WordSet kBehind{";", ",", "=", ")", "(", "{", "["};
    if (!kBehind.contains(seen[i + 1])) continue;
    HostType type = declaration_at(seen, i);
    if (type.base.empty()) continue;
    if (seen[i + 1] == "[") ++type.pointers;
    return type;
  }
  return {};
}

HostType literal_type(const std::string& text) {
  const bool is_number = std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '.';
  if (!is_number) return {};
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  if (text.find_first_not_of("0123456789abcdefABCDEFxX") == std::string::npos &&
      (is_hex || !text.ends_with("f")) && (is_hex || text.find_first_of("eE") == std::string::npos))
    return {"int", 0};
  const bool is_floating = !is_hex && text.find_first_of(".eE") != std::string::npos;
  if (!is_floating) return {};
  return {text.ends_with("f") || text.ends_with("F") ? "float" : "double", 0};
}

}  // namespace

HostType host_type(const std::string& text) {
  const Words words = words_of(text);
  return type_in(words, 0, words.size());
}

HostType argument_type(const std::string& argument, const Words& seen) {
  std::string text = argument;
  while (is_enclosed(text)) text = text.substr(1, text.size() - 2);
  const Words words = words_of(text);
  if (words.empty()) return {};
  if (words[0] == "(") {  // (float4*)a
    const std::size_t close = closing(words, 0);
    return close + 1 < words.size() ? type_in(words, 1, close) : HostType{};
  }
  if (words[0].ends_with("_cast") && words.size() > 2 && words[1] == "<") {
    const auto end = std::find(words.begin(), words.end(), ">");
    return type_in(words, 2, static_cast<std::size_t>(end - words.begin()));
  }
  if (words.size() == 1 && !is_name(words[0])) return literal_type(text);
  const std::size_t at = words[0] == "&" ? 1 : 0;
  if (at >= words.size() || !is_name(words[at])) return {};
  const std::string_view next = at + 1 < words.size() ? words[at + 1] : std::string_view();
  HostType type = declared_type(words[at], seen);
  if (at == 1 && next.empty()) ++type.pointers;
  const bool is_element = at == 1 && next == "[" && closing(words, at + 1) + 1 == words.size();
  const bool is_moved = at == 0 && type.pointers > 0 && (next == "+" || next == "-");
  return next.empty() || is_element || is_moved ? type : HostType{};
}

}  // namespace warplens::app
