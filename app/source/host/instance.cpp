#include "app/source/host/instance.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "sim/lower/lower.h"
#include "sim/text/scan.h"

namespace warplens::app {
namespace {

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
  return at;
}

// Behind the bracket that closes the one at `open`; npos where none does.
std::size_t behind_angle(std::string_view text, std::size_t open) {
  int depth = 0, round = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ';' || c == '{') return std::string_view::npos;
    round += (c == '(') - (c == ')');
    if (round == 0 && c == '<') ++depth;
    if (round == 0 && c == '>' && --depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

// The statement that begins the outermost function whose body is still open at the end: "template <int D>
// void run(float* q)".
std::string_view open_function(std::string_view seen) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i] == '{') open.push_back(i);
    if (seen[i] == '}' && !open.empty()) open.pop_back();
  }
  for (const std::size_t brace : open) {
    std::size_t begin = brace == 0 ? std::string_view::npos : seen.find_last_of(";{}", brace - 1);
    begin = begin == std::string_view::npos ? 0 : begin + 1;
    const std::string_view head = seen.substr(begin, brace - begin);
    if (const std::size_t at = head.find("template"); at != std::string_view::npos) return head.substr(at);
  }
  return {};
}

struct Template {
  std::string name;
  std::vector<std::string> parameters;
};

Template template_of(std::string_view head) {
  Template out;
  const std::size_t open = head.find('<');
  const std::size_t end = open == std::string_view::npos ? open : behind_angle(head, open);
  if (end == std::string_view::npos) return out;
  for (std::string parameter : text::split_list(head.substr(open + 1, end - open - 2))) {
    parameter.resize(std::min(parameter.find('='), parameter.size()));
    while (!parameter.empty() && !text::is_word(parameter.back())) parameter.pop_back();
    std::size_t begin = parameter.size();
    while (begin > 0 && text::is_word(parameter[begin - 1])) --begin;
    out.parameters.push_back(parameter.substr(begin));
  }
  std::size_t last = head.find('(', end);
  if (last == std::string_view::npos) return out;
  while (last > end && std::isspace(static_cast<unsigned char>(head[last - 1]))) --last;
  std::size_t begin = last;
  while (begin > end && text::is_word(head[begin - 1])) --begin;
  out.name = head.substr(begin, last - begin);
  return out;
}

// A number, a truth value or a name that begins no expression: what a template takes as it stands.
bool stands_alone(const std::string& argument) {
  if (sim::evaluate_integer(argument, {}).value || argument == "true" || argument == "false") return true;
  return element_bytes(argument) > 0;
}

}  // namespace

Names instance_around(std::string_view seen, std::string_view text) {
  const Template around = template_of(open_function(seen));
  if (around.name.empty() || around.parameters.empty()) return {};
  for (std::size_t at = text.find(around.name); at != std::string_view::npos;
       at = text.find(around.name, at + 1)) {
    if (at > 0 && text::is_word(text[at - 1])) continue;
    const std::size_t open = skip_space(text, at + around.name.size());
    if (open >= text.size() || text[open] != '<') continue;
    const std::size_t end = behind_angle(text, open);
    if (end == std::string_view::npos) continue;
    const std::size_t call = skip_space(text, end);
    if (call >= text.size() || text[call] != '(') continue;
    const std::vector<std::string> arguments = text::split_list(text.substr(open + 1, end - open - 2));
    if (arguments.size() != around.parameters.size() ||
        !std::all_of(arguments.begin(), arguments.end(), stands_alone))
      continue;
    Names names;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const std::string& argument = arguments[i];
      names[around.parameters[i]] = argument == "true" ? "1" : argument == "false" ? "0" : argument;
    }
    return names;
  }
  return {};
}

}  // namespace warplens::app
