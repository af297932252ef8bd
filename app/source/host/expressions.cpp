// Expressions of host code: what names, macros and conversions make of them.
#include <algorithm>
#include <cctype>
#include <set>

#include "app/source/host/values.h"
#include "sim/lower/lower.h"
#include "sim/text/scan.h"

namespace warplens::app {
namespace {

// The field's usual names for a quotient that is rounded up.
bool rounds_up(std::string_view name) {
  static const std::set<std::string, std::less<>> kNames{"ceildiv", "divup", "cdiv",      "idivup",
                                                         "divceil", "updiv", "divroundup"};
  std::string plain;
  for (const char c : name) {
    if (c != '_') plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return kNames.contains(plain);
}

int bytes_of(std::string_view type) {
  static const std::map<std::string, int, std::less<>> kBytes{
      {"char", 1},     {"bool", 1},     {"short", 2},    {"int", 4},         {"float", 4},
      {"unsigned", 4}, {"half", 2},     {"__half", 2},   {"nv_bfloat16", 2}, {"__nv_bfloat16", 2},
      {"double", 8},   {"long", 8},     {"size_t", 8},   {"float2", 8},      {"int2", 8},
      {"int4", 16},    {"float4", 16},  {"uint8_t", 1},  {"int8_t", 1},      {"uint16_t", 2},
      {"int16_t", 2},  {"uint64_t", 8}, {"int64_t", 8},  {"uint2", 8},       {"uint4", 16},
      {"uchar4", 4},   {"char4", 4},    {"float3", 12},  {"int3", 12},       {"uchar3", 3},
      {"half2", 4},    {"__half2", 4},  {"uint32_t", 4}, {"int32_t", 4},     {"double2", 16}};
  const auto found = kBytes.find(type);
  return found == kBytes.end() ? 0 : found->second;
}

// A macro's own name means nothing in its body: that ends the recursion.
std::string expanded(const Macros::value_type& macro, const std::vector<std::string>& arguments,
                     const Names& names, Macros macros) {
  Names given;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    given[macro.second.parameters[i]] =
        macro.second.is_function && !is_plain(arguments[i]) ? "(" + whole(arguments[i]) + ")" : arguments[i];
  const std::string body = put_in(macro.second.body, given);
  macros.erase(macro.first);
  return put_in(body, names, macros);
}

}  // namespace

std::string put_in(std::string_view expression, const HostValues& values) {
  return put_in(expression, values.names, values.macros);
}

std::string put_in(std::string_view expression, const Names& names, const Macros& macros) {
  const Words words = words_of(expression);
  std::string out;
  const auto add = [&](std::string_view piece) {
    if (!out.empty() && !piece.empty() && text::is_word(out.back()) && text::is_word(piece.front()))
      out += ' ';
    out += piece;
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view w = words[i];
    const bool is_call = i + 1 < words.size() && words[i + 1] == "(";
    if (w == "\n") continue;
    if (w == "sizeof" && is_call) {
      const std::size_t close = closing(words, i + 1);
      const int bytes = bytes_of(join(words, i + 2, close));
      if (bytes > 0) {
        add(std::to_string(bytes));
        i = close;
        continue;
      }
    }
    if (const auto macro = macros.find(std::string(w)); is_call && macro != macros.end()) {
      const std::size_t close = closing(words, i + 1);
      const std::vector<std::string> arguments = text::split_list(join(words, i + 2, close));
      if (arguments.size() == macro->second.parameters.size()) {
        add("(" + expanded(*macro, arguments, names, macros) + ")");
        i = close;
        continue;
      }
    }
    if (is_call && rounds_up(w)) {
      const std::size_t close = closing(words, i + 1);
      const auto parts = text::split_list(join(words, i + 2, close));
      if (parts.size() == 2) {
        const std::string a = put_in(parts[0], names), b = put_in(parts[1], names);
        add("((" + a + " + " + b + " - 1) / (" + b + "))");
        i = close;
        continue;
      }
    }
    std::string name(w);
    if (i + 2 < words.size() && words[i + 1] == "." &&
        names.contains(name + "." + std::string(words[i + 2]))) {
      name += "." + std::string(words[i + 2]);
      i += 2;
    }
    const auto known = names.find(name);
    add(known != names.end() && !is_call ? std::string_view(known->second) : w);
  }
  return out;
}

int element_bytes(std::string_view type) {
  if (std::count(type.begin(), type.end(), '*') > 1 || type.find('[') != std::string_view::npos) return 0;
  int bytes = 0;  // "unsigned char": the last word says it, but for "long int"
  for (const std::string_view word : words_of(type)) {
    if (word == "long") return bytes_of(word);
    if (const int known = bytes_of(word); known > 0) bytes = known;
  }
  return bytes;
}

std::string elements_in(const std::string& bytes, int element_bytes) {
  std::string product = bytes;
  while (is_enclosed(product)) product = product.substr(1, product.size() - 2);
  // A quotient stays, since it says where the number is from.
  const bool is_quotient = product.find('/') != std::string::npos;
  if (const auto number = sim::evaluate_integer(product, {}).value;
      number && !is_quotient && *number % element_bytes == 0)
    return std::to_string(*number / element_bytes);
  // Factors outside of brackets; nothing else may stand between them.
  const std::string size = std::to_string(element_bytes);
  std::vector<std::string> factors(1);
  int depth = 0;
  for (const char c : product) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (depth == 0 && c == '*') {
      factors.emplace_back();
      continue;
    }
    if (depth == 0 && std::string_view("+-/%<>?&|^").find(c) != std::string_view::npos)
      return "(" + product + ") / " + size;
    if (!std::isspace(static_cast<unsigned char>(c))) factors.back() += c;
  }
  const auto found = std::find(factors.begin(), factors.end(), size);
  if (found == factors.end() || factors.size() < 2) return "(" + product + ") / " + size;
  factors.erase(found);
  std::string rest;
  for (const std::string& factor : factors) rest += (rest.empty() ? "" : " * ") + factor;
  while (is_enclosed(rest)) rest = rest.substr(1, rest.size() - 2);
  return rest;
}

std::array<std::string, 3> extents_of(std::string_view expression, const HostValues& values) {
  const Words words = words_of(expression);
  if (words.size() == 1) {
    if (const auto known = values.dim3.find(std::string(words[0])); known != values.dim3.end())
      return known->second;
  }
  std::vector<std::string> parts{std::string(expression)};
  if (words.size() > 1 && words[0] == "{") parts = text::split_list(join(words, 1, closing(words, 0)));
  if (words.size() > 2 && words[0] == "dim3" && (words[1] == "(" || words[1] == "{"))
    parts = text::split_list(join(words, 2, closing(words, 1)));
  std::array<std::string, 3> extents{"1", "1", "1"};
  for (std::size_t i = 0; i < parts.size() && i < 3; ++i) {
    if (!parts[i].empty()) extents[i] = whole(put_in(parts[i], values));
  }
  return extents;
}

bool has_floating_numbers(const std::string& expression) {
  static const std::set<std::string_view> kNames{"float", "double", "ceil",  "ceilf",  "floor", "floorf",
                                                 "sqrt",  "sqrtf",  "round", "roundf", "log2",  "log2f"};
  const Words words = words_of(expression);
  return std::any_of(words.begin(), words.end(), [](std::string_view word) {
    const bool is_hex = word.starts_with("0x") || word.starts_with("0X");
    const bool is_number = std::isdigit(static_cast<unsigned char>(word[0])) || word.size() > 1;
    return kNames.contains(word) ||
           (!is_name(word) && !is_hex && is_number && word.find_first_of(".eEfF") != std::string_view::npos);
  });
}

std::string whole(const std::string& expression) {
  if (!has_floating_numbers(expression)) return expression;
  const Words words = words_of(expression);
  const auto is_call_at = [&](std::size_t open) {
    return words.size() > open && words[open] == "(" && closing(words, open) + 1 == words.size();
  };
  const bool rounds =
      words[0] == "ceil" || words[0] == "ceilf" || words[0] == "floor" || words[0] == "floorf";
  const bool is_cast = words[0] == "(" && words.size() > 3 && words[1] == "int" && words[2] == ")";
  if ((rounds && is_call_at(1)) || (is_cast && is_call_at(3))) return expression;
  return "(int)(" + expression + ")";
}

}  // namespace warplens::app
