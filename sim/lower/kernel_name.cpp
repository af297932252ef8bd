#include "sim/lower/kernel_name.h"

#include <algorithm>
#include <map>

#include "sim/text/scan.h"

namespace warplens::sim {
namespace {

std::string list_of(const std::vector<std::string>& arguments) {
  return arguments.empty() ? "" : "<" + text::joined(arguments) + ">";
}

}  // namespace

std::string KernelName::with_arguments() const {
  return qualified() + list_of(arguments);
}

KernelName read_kernel_name(std::string_view text) {
  constexpr std::string_view kNameless = "(anonymous namespace)::";
  std::string words(text::trimmed(text));
  for (std::size_t at; (at = words.find(kNameless)) != std::string::npos;) words.erase(at, kNameless.size());
  KernelName read;
  // The name begins behind the last :: outside of brackets, its scope behind the result's type.
  std::size_t scope = 0, name = 0, end = words.size(), open = std::string::npos;
  int depth = 0;
  for (std::size_t i = 0; i < end; ++i) {
    const char c = words[i];
    if (depth == 0 && c == '<') open = i;
    if (depth == 0 && c == '(') end = i;
    depth += c == '<' ? 1 : c == '>' ? -1 : 0;
    if (depth == 0 && c == ' ' && words.find_first_not_of(' ', i) != words.find_first_of("<(", i))
      scope = name = i + 1;
    if (depth == 0 && words.compare(i, 2, "::") == 0) name = i + 2, ++i;
  }
  if (open < name) open = std::string::npos;
  read.signature = words.substr(end);
  read.scope = words.substr(scope, name - scope);
  if (read.scope.ends_with("::")) read.scope.resize(read.scope.size() - 2);
  if (read.scope.starts_with("::")) read.scope.erase(0, 2);
  read.name = text::without_spaces(words.substr(name, std::min(open, end) - name));
  if (open == std::string::npos) return read;
  const std::size_t close = words.rfind('>', end);
  if (close > open && close != std::string::npos)
    read.arguments = text::split_list(std::string_view(words).substr(open + 1, close - open - 1), "([{<");
  return read;
}

std::vector<std::string> told_apart(const std::vector<KernelName>& kernels) {
  std::vector<std::string> names;
  for (const KernelName& kernel : kernels) names.push_back(kernel.name + list_of(kernel.arguments));
  const auto lengthen = [&](auto longer) {
    std::map<std::string, int> uses;
    for (const std::string& name : names) ++uses[name];
    for (std::size_t i = 0; i < names.size(); ++i)
      if (uses[names[i]] > 1) names[i] = longer(kernels[i]);
  };
  lengthen([](const KernelName& kernel) { return kernel.with_arguments(); });
  lengthen([](const KernelName& kernel) { return kernel.with_arguments() + kernel.signature; });
  return names;
}

std::string plain_argument(std::string_view text) {
  text = text::trimmed(text);
  if (text.starts_with("(bool)")) return text.ends_with('1') ? "true" : "false";
  if (text.starts_with('(') && text.find(')') + 1 < text.size())
    text = text::trimmed(text.substr(text.find(')') + 1));
  if (!text.empty() && text::is_digit(text[text[0] == '-' && text.size() > 1 ? 1 : 0]))
    while (text.size() > 1 && std::string_view("uUlL").find(text.back()) != std::string_view::npos)
      text.remove_suffix(1);
  return std::string(text);
}

bool is_same_argument(const std::string& one, const std::string& other) {
  const auto compared = [](const std::string& argument) {
    const std::string plain = text::without_spaces(plain_argument(argument));
    return plain == "true" ? "1" : plain == "false" ? "0" : plain;
  };
  return compared(one) == compared(other);
}

bool is_meant(const KernelName& has, const KernelName& wanted, bool exactly) {
  const bool in_scope = has.scope == wanted.scope ||
                        (!exactly && (wanted.scope.empty() || has.scope.ends_with("::" + wanted.scope)));
  if (!in_scope || has.name != wanted.name) return false;
  if (!wanted.signature.empty() &&
      text::without_spaces(wanted.signature) != text::without_spaces(has.signature))
    return false;
  if (has.arguments.empty()) return true;
  const std::size_t given = wanted.arguments.size();
  return (exactly ? has.arguments.size() == given : has.arguments.size() >= given) &&
         std::equal(wanted.arguments.begin(), wanted.arguments.end(), has.arguments.begin(),
                    is_same_argument);
}

std::vector<std::size_t> meant(const std::vector<KernelName>& kernels, const KernelName& wanted) {
  std::vector<std::size_t> fitting, exact;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (wanted.name.empty() || is_meant(kernels[i], wanted, false)) fitting.push_back(i);
    if (!wanted.name.empty() && is_meant(kernels[i], wanted, true)) exact.push_back(i);
  }
  return exact.size() == 1 ? exact : fitting;
}

}  // namespace warplens::sim
