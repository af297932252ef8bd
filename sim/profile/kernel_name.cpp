#include "sim/profile/kernel_name.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "sim/text/scan.h"

namespace warplens::profile {

namespace {

std::string demangled(std::string_view printed) {
  if (!printed.starts_with("_Z")) return std::string(printed);
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(std::string(printed).c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? std::string(text.get()) : std::string(printed);
}

// Places of a text outside of angle brackets and parentheses.
std::size_t find_outside(std::string_view text, char wanted, std::size_t from = 0) {
  int depth = 0;
  for (std::size_t at = from; at < text.size(); ++at) {
    if (depth == 0 && text[at] == wanted) return at;
    if (text[at] == '<' || text[at] == '(') ++depth;
    if ((text[at] == '>' || text[at] == ')') && depth > 0) --depth;
  }
  return std::string_view::npos;
}

// "(int)32" -> "32", "32u" -> "32", "(bool)1" -> "true".
std::string plain_argument(std::string_view text) {
  text = text::trimmed(text);
  if (text.starts_with("(bool)")) return text.ends_with('1') ? "true" : "false";
  if (text.starts_with('('))
    if (const std::size_t end = text.find(')'); end != std::string_view::npos)
      text = text::trimmed(text.substr(end + 1));
  if (!text.empty() && text[0] >= '0' && text[0] <= '9')
    while (!text.empty() &&
           (text.back() == 'u' || text.back() == 'l' || text.back() == 'U' || text.back() == 'L'))
      text.remove_suffix(1);
  return std::string(text);
}

std::vector<std::string> arguments_in(std::string_view list) {
  std::vector<std::string> arguments;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(find_outside(list, ',', at), list.size());
    arguments.push_back(plain_argument(list.substr(at, end - at)));
    at = end + 1;
  }
  return arguments;
}

}  // namespace

KernelName read_kernel_name(std::string_view printed) {
  const std::string whole = demangled(text::trimmed(printed));
  std::string_view text = whole;
  // Behind the template arguments alone: those may hold parentheses.
  const std::size_t angle = text.find('<');
  const std::size_t round = find_outside(text, '(');
  std::string_view name = text.substr(0, std::min({angle, round, text.size()}));
  KernelName kernel;
  if (angle != std::string_view::npos && angle < round) {
    const std::size_t end = text.rfind('>', round == std::string_view::npos ? text.size() : round);
    if (end != std::string_view::npos && end > angle)
      kernel.template_arguments = arguments_in(text.substr(angle + 1, end - angle - 1));
  }
  name = text::trimmed(name);
  if (const std::size_t blank = name.rfind(' '); blank != std::string_view::npos)
    name.remove_prefix(blank + 1);  // what it returns
  kernel.name = std::string(name);
  return kernel;
}

bool names_kernel(const KernelName& printed, std::string_view wanted) {
  const KernelName other = read_kernel_name(wanted);
  const std::string &a = printed.name, &b = other.name;
  if (a.empty() || b.empty()) return false;
  return a == b || a.ends_with("::" + b) || b.ends_with("::" + a);
}

}  // namespace warplens::profile
