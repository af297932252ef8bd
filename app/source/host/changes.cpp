#include "app/source/host/changes.h"

#include <algorithm>
#include <set>

#include "sim/text/scan.h"

namespace warplens::app {
namespace {

constexpr std::size_t kReach = 400;  // words of a statement

using NameSet = std::set<std::string, std::less<>>;

// The bracket around the i-th word; kNoWord: none in reach.
std::size_t bracket_around(const Words& words, std::size_t i) {
  int depth = 0;
  for (std::size_t k = i; k-- > 0 && i - k < kReach;) {
    depth -= nesting(words[k]);
    if (depth < 0) return k;
    if (words[k] == ";" && depth == 0) return kNoWord;
  }
  return kNoWord;
}

// Whether a call only reads what the address at i points to.
bool only_reads(const Words& words, std::size_t i, bool allocates) {
  const std::size_t open = bracket_around(words, i);
  if (open == kNoWord || open == 0) return false;
  if (words[open] == "{") return true;  // void* args[] = {&a, &n}
  const std::string_view function = words[open - 1];
  if (function.starts_with("cudaMalloc")) return !allocates;
  if (function.find("printf") != std::string_view::npos) return true;
  const bool copies = function.starts_with("cudaMemcpy") || function == "memcpy";
  return copies && std::find(words.begin() + static_cast<std::ptrdiff_t>(open),
                             words.begin() + static_cast<std::ptrdiff_t>(i),
                             ",") != words.begin() + static_cast<std::ptrdiff_t>(i);
}

bool takes_address(const Words& words, std::size_t i) {
  if (i == 0 || i + 1 >= words.size() || words[i] != "&" || !is_name(words[i + 1])) return false;
  static const NameSet kBefore{"(", ",", "=", "{", "return"};
  if (kBefore.contains(words[i - 1])) return true;
  return i >= 2 && words[i - 1] == ")" && words[i - 2] == "*";  // (void**)&n
}

// `std::cin >> n >> m;`: the second > of a pair is the i-th word.
bool extracts(const Words& words, std::size_t i) {
  if (i < 2 || i + 1 >= words.size() || words[i] != ">" || words[i - 1] != ">" || !is_name(words[i + 1]))
    return false;
  const std::size_t begin = statement_begin(words, i);
  if (begin == kNoWord) return false;
  std::size_t stream = begin;
  while (words[stream] == "\n") ++stream;
  if (stream + 3 < i && words[stream] == "std") stream += 3;
  return is_name(words[stream]) && words[stream + 1] == ">" && words[stream + 2] == ">";
}

NameSet declared_in(const Words& words) {
  NameSet declared;
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    if (!is_name(words[i]) || std::string_view("=;,({[:").find(words[i + 1]) == std::string_view::npos)
      continue;
    if (!is_name(words[i - 1]) && words[i - 1] != "," && words[i - 1] != "*" && words[i - 1] != "&") continue;
    const std::size_t begin = statement_begin(words, i);
    if (begin != kNoWord && begin < i && declares(words, begin)) declared.emplace(words[i]);
  }
  return declared;
}

// Whether the statement [begin, end) says the same behind the block: none of its names are the block's own.
bool holds_outside(const Words& words, std::size_t begin, std::size_t end, const NameSet& declared) {
  for (std::size_t i = begin; i < end; ++i)
    if (declared.contains(words[i]) || words[i] == "{") return false;
  return true;
}

}  // namespace

std::size_t statement_begin(const Words& words, std::size_t i) {
  int depth = 0;
  for (std::size_t k = i; k > 0; --k) {
    if (i - k > kReach) return kNoWord;
    const std::string_view word = words[k - 1];
    if (depth == 0 && (word == ";" || word == "{" || word == "}")) return k;
    if (depth == 0 && (word == "(" || word == "[")) return k;
    depth -= nesting(word);
  }
  return 0;
}

bool declares(const Words& words, std::size_t begin) {
  static const NameSet kNoTypes{"return", "else", "if",    "for", "while",  "do",    "switch",
                                "case",   "goto", "throw", "new", "delete", "using", "sizeof"};
  std::size_t i = begin;
  while (i < words.size() && words[i] == "\n") ++i;
  if (i + 1 >= words.size() || !is_name(words[i]) || kNoTypes.contains(words[i])) return false;
  std::size_t next = i + 1;
  while (next + 2 < words.size() && words[next] == ":" && words[next + 1] == ":") next += 3;
  while (next < words.size() && (words[next] == "*" || words[next] == "&")) ++next;
  return next < words.size() && is_name(words[next]);
}

std::size_t assigned_name(const Words& words, std::size_t i) {
  if (i == 0 || words[i] != "=" || (i + 1 < words.size() && words[i + 1] == "=")) return kNoWord;
  static const NameSet kOperators{"+", "-", "*", "/", "%", "&", "|", "^"};
  std::size_t at = i - 1;
  const std::string_view last = words[at];
  if (kOperators.contains(last) && at >= 1)
    at -= 1;
  else if ((last == "<" || last == ">") && at >= 2 && words[at - 1] == last)
    at -= 2;
  return is_name(words[at]) ? at : kNoWord;
}

std::string member_name(const Words& words, std::size_t i) {
  if (i == 0) return std::string(words[i]);
  if (words[i - 1] == ".") {
    const bool is_simple =
        i >= 2 && is_name(words[i - 2]) && (i < 3 || (words[i - 3] != "." && words[i - 3] != ">"));
    return is_simple ? std::string(words[i - 2]) + "." + std::string(words[i]) : std::string();
  }
  if (words[i - 1] == ">" && i >= 2 && words[i - 2] == "-") return {};
  return std::string(words[i]);
}

std::vector<std::string> handed_over(const Words& words, std::size_t i, bool allocates) {
  std::vector<std::string> names;
  if (takes_address(words, i) && !only_reads(words, i, allocates)) names.emplace_back(words[i + 1]);
  if (extracts(words, i)) names.emplace_back(words[i + 1]);
  const bool hands_all = words[i] == "swap" || words[i] == "exchange" || words[i] == "tie";
  if (hands_all && i + 1 < words.size() && words[i + 1] == "(") {
    const std::size_t close = closing(words, i + 1);
    for (std::size_t k = i + 2; k < close; ++k)
      if (is_name(words[k])) names.emplace_back(words[k]);
  }
  return names;
}

std::set<std::string> changed_in_functions(const Words& words) {
  std::set<std::string> changed;
  const auto note = [&](const std::string& name) {
    changed.insert(name);
    changed.insert(name.substr(0, name.find('.')));  // grid, of grid.x
  };
  int depth = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    depth += nesting(words[i]);
    if (depth == 0) continue;
    if (const std::size_t at = assigned_name(words, i); at != kNoWord) {
      const std::size_t begin = statement_begin(words, at);
      const bool is_declared = begin != kNoWord && begin < at && declares(words, begin) && at + 1 == i;
      if (!is_declared) note(member_name(words, at));
    }
    if (is_count(words, i)) {
      if (i > 0 && is_name(words[i - 1])) note(member_name(words, i - 1));
      if (i + 2 < words.size() && is_name(words[i + 2])) note(std::string(words[i + 2]));
    }
    for (const std::string& name : handed_over(words, i, false)) note(name);
  }
  return changed;
}

References reference_parameters(const Words& words) {
  References references;
  for (std::size_t k = 1; k + 2 < words.size(); ++k) {
    const bool is_parameter = words[k] == "&" && is_name(words[k + 1]) && words[k - 1] != "&" &&
                              (words[k + 2] == "," || words[k + 2] == ")" || words[k + 2] == "=");
    const std::size_t open = is_parameter ? bracket_around(words, k) : kNoWord;
    if (open == kNoWord || open < 2 || words[open] != "(" || !is_name(words[open - 1])) continue;
    const std::string_view before = words[open - 2];  // the type that is returned
    if ((!is_name(before) && before != "*" && before != "&" && before != ">") || before == "return") continue;
    const std::string before_this = join(words, open + 1, k) + " ";
    const std::vector<std::string> parts = text::split_list(before_this);
    if (parts.empty() || parts.back().find("const") != std::string::npos) continue;
    references[std::string(words[open - 1])].insert(parts.size() - 1);
  }
  return references;
}

std::string left_behind(const Words& block, bool is_bare) {
  const NameSet declared = declared_in(block);
  std::string left;
  NameSet lost;
  const auto lose = [&](const std::string& name) {
    if (name.empty() || declared.contains(name.substr(0, name.find('.')))) return;
    if (is_bare || lost.insert(name).second) left += name + "*=?;";
  };
  int depth = 0;
  for (std::size_t i = 0; i < block.size(); ++i) {
    depth += nesting(block[i]);
    if (const std::size_t at = assigned_name(block, i); at != kNoWord) {
      const std::string name = member_name(block, at);
      const std::size_t begin = at - (name.find('.') == std::string::npos ? 0 : 2);
      const std::size_t end = static_cast<std::size_t>(
          std::find(block.begin() + static_cast<std::ptrdiff_t>(i), block.end(), ";") - block.begin());
      const bool is_sure =
          is_bare && depth == 0 && !name.empty() && statement_begin(block, at) <= begin &&
          (begin == 0 || block[begin - 1] == ";" || block[begin - 1] == "}" || block[begin - 1] == "\n");
      if (is_sure && holds_outside(block, begin, end, declared))
        left += join(block, begin, end) + ";";
      else
        lose(name);
    }
    if (is_count(block, i)) {
      if (i > 0 && is_name(block[i - 1])) lose(member_name(block, i - 1));
      if (i + 2 < block.size() && is_name(block[i + 2])) lose(std::string(block[i + 2]));
    }
    for (const std::string& name : handed_over(block, i, true)) lose(name);
  }
  return left;
}

}  // namespace warplens::app
