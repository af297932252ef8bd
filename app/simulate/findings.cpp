#include "app/simulate/findings.h"

namespace warplens::app {

std::optional<cuda::SourceRange> line_range(std::string_view text, int line) {
  if (line < 1) return std::nullopt;
  std::size_t begin = 0;
  for (int at = 1; at < line; ++at) {
    begin = text.find('\n', begin);
    if (begin == std::string_view::npos) return std::nullopt;
    ++begin;
  }
  const std::string_view chars = text.substr(begin, text.find('\n', begin) - begin);
  const std::size_t first = std::min(chars.find_first_not_of(" \t\r"), chars.size());
  const std::size_t last = chars.find_last_not_of(" \t\r");
  const std::size_t end = last == std::string_view::npos ? first : last + 1;
  const auto place = [&](std::size_t in_line) {
    return cuda::SourcePlace{static_cast<int>(begin + in_line), line, static_cast<int>(in_line) + 1};
  };
  return cuda::SourceRange{place(first), place(end)};
}

}  // namespace warplens::app
