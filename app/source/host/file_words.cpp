// What a whole file says beside the text that a launch sees.
#include <algorithm>
#include <set>

#include "app/source/host/changes.h"
#include "app/source/host/values.h"
#include "sim/text/scan.h"

namespace warplens::app {
namespace {

// Whether what stands before the i-th word, `const size_t` of a parameter or `inline int` of a function, is
// an integer's type that nothing is lost in.
bool is_wide_integer(const Words& words, std::size_t i) {
  static const std::set<std::string_view> kWide{"int",     "unsigned", "long",     "size_t", "int32_t",
                                                "int64_t", "uint32_t", "uint64_t", "T",      "auto"};
  while (i > 0 && (words[i - 1] == "\n" || words[i - 1] == "const" || words[i - 1] == "&")) --i;
  return i > 0 && kWide.contains(words[i - 1]);
}

// Whether the expression has no other names than these, and functions'.
bool is_over(const std::string& expression, const std::vector<std::string>& names) {
  const Words words = words_of(expression);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_call = i + 1 < words.size() && words[i + 1] == "(";
    if (is_name(words[i]) && !is_call && std::find(names.begin(), names.end(), words[i]) == names.end())
      return false;
  }
  return true;
}

}  // namespace

FileWords words_of_file(std::string_view text) {
  const Words words = words_of(text);
  FileWords file{changed_in_functions(words), {}};
  // `int blocks_of(int n) { return (n + 255) / 256; }`
  for (std::size_t i = 1; i + 5 < words.size(); ++i) {
    if (words[i] != "(" || !is_name(words[i - 1])) continue;
    std::size_t open = closing(words, i) + 1;
    while (open < words.size() &&
           (words[open] == "\n" || words[open] == "const" || words[open] == "noexcept"))
      ++open;
    if (open >= words.size() || words[open] != "{") continue;
    Macro function;
    bool is_of_integers = is_wide_integer(words, i - 1);
    for (const std::string& parameter : text::split_list(join(words, i + 1, closing(words, i)))) {
      const std::string declared = parameter.substr(0, parameter.find_first_of("=["));
      const Words parts = words_of(declared);
      function.parameters.emplace_back(parts.empty() ? std::string_view() : parts.back());
      is_of_integers = is_of_integers && !parts.empty() && is_wide_integer(parts, parts.size() - 1);
    }
    std::size_t first = open + 1;
    while (first < words.size() && words[first] == "\n") ++first;
    const auto end = std::find(words.begin() + static_cast<std::ptrdiff_t>(std::min(first, words.size())),
                               words.end(), ";") -
                     words.begin();
    std::size_t behind = static_cast<std::size_t>(end) + 1;
    while (behind < words.size() && words[behind] == "\n") ++behind;
    const bool only_returns =
        first < words.size() && words[first] == "return" && behind == closing(words, open);
    // Of another one nothing is known, whatever its name says: not what it converts to what, nor which n it
    // means.
    const std::string body =
        only_returns ? join(words, first + 1, static_cast<std::size_t>(end)) : std::string();
    const bool is_known =
        only_returns && is_of_integers && !has_floating_numbers(body) && is_over(body, function.parameters);
    function.body = is_known ? body : "?";
    function.is_function = true;
    file.functions[std::string(words[i - 1])] = std::move(function);
  }
  return file;
}

}  // namespace warplens::app
