#include "app/source/host/tensor_maps.h"

#include <algorithm>
#include <vector>

#include "app/source/host/values.h"
#include "sim/text/scan.h"

namespace warplens::app {
namespace {

constexpr std::string_view kEncode = "EncodeTiled", kSpace = " \t\r\n";

std::string_view stripped(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

// What stands between the bracket at `open` and the one that closes it.
std::string_view enclosed(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '(' || text[i] == '{' || text[i] == '[';
    depth -= text[i] == ')' || text[i] == '}' || text[i] == ']';
    if (depth == 0) return text.substr(open + 1, i - open - 1);
  }
  return {};
}

// The last list that a name is given: `name[] = {a, b}`, `name[2]{a, b}`.
std::vector<std::string> list_of(std::string_view text, std::string_view name) {
  std::vector<std::string> found;
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at > 0 && text::is_word(text[at - 1])) || (end < text.size() && text::is_word(text[end]))) continue;
    std::size_t next = text.find_first_not_of(kSpace, end);
    if (next != std::string_view::npos && text[next] == '[')
      next = text.find_first_not_of(
          kSpace, text.find(']', next) == std::string_view::npos ? end : text.find(']', next) + 1);
    if (next != std::string_view::npos && text[next] == '=') next = text.find_first_not_of(kSpace, next + 1);
    if (next != std::string_view::npos && text[next] == '{')
      found = text::split_list(std::string(enclosed(text, next)));
  }
  return found;
}

// The arguments of the last call that encodes the map.
std::vector<std::string> call_for(std::string_view text, std::string_view variable) {
  std::vector<std::string> found;
  for (std::size_t at = text.find(kEncode); at != std::string_view::npos; at = text.find(kEncode, at + 1)) {
    const std::size_t open = text.find_first_not_of(kSpace, at + kEncode.size());
    if (open == std::string_view::npos || text[open] != '(') continue;
    std::vector<std::string> arguments = text::split_list(std::string(enclosed(text, open)));
    if (!arguments.empty() && stripped(arguments[0]) == "&" + std::string(variable))
      found = std::move(arguments);
  }
  return found;
}

}  // namespace

std::map<std::string, std::string> tensor_map_values(std::string_view text, std::string_view variable) {
  constexpr std::size_t kSize = 4, kPitch = 5, kBox = 6, kSwizzle = 9;
  std::map<std::string, std::string> values;
  const std::vector<std::string> call = call_for(text, variable);
  if (call.size() <= kSwizzle) return values;
  const auto put = [&](std::size_t argument, std::vector<const char*> names) {
    const std::vector<std::string> list = list_of(text, stripped(call[argument]));
    for (std::size_t i = 0; i < list.size() && i < names.size(); ++i) values[names[i]] = list[i];
  };
  put(kSize, {".width", ".height", ".depth"});
  put(kPitch, {".pitch", ".slice"});
  put(kBox, {".box_width", ".box_height", ".box_depth"});
  constexpr std::string_view kName = "CU_TENSOR_MAP_SWIZZLE_";
  const std::string_view swizzle = stripped(call[kSwizzle]);
  if (swizzle.starts_with(kName)) {
    const std::string_view kind = swizzle.substr(kName.size());
    if (kind == "NONE") values[".swizzle"] = "0";
    if (kind == "32B" || kind == "64B" || kind == "128B")
      values[".swizzle"] = kind.substr(0, kind.size() - 1);
  }
  return values;
}

}  // namespace warplens::app
