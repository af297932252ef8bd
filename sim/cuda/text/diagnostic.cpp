#include "sim/cuda/text/diagnostic.h"

#include <algorithm>

#include "sim/text/scan.h"

namespace warplens::cuda {

namespace {

constexpr std::size_t kWidth = 160;         // of a source line shown, in bytes
constexpr std::size_t kTab = 4;             // columns for a tab, wherever it stands
constexpr std::size_t kMostMessage = 2000;  // bytes

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return "error";
    case Severity::Warning:
      return "warning";
    case Severity::Note:
      return "note";
  }
  return "error";
}

// The line that holds an offset, without its line end.
std::string_view line_around(std::string_view text, std::size_t offset, std::size_t& begin) {
  offset = std::min(offset, text.size());
  begin = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  begin = begin == std::string_view::npos ? 0 : begin + 1;
  std::size_t end = std::min(text.find('\n', begin), text.size());
  if (end > begin && text[end - 1] == '\r') --end;
  return text.substr(begin, end - begin);
}

// A name in it may be as long as the text: what stands before and after it counts.
std::string shortened(const std::string& message) {
  if (message.size() <= kMostMessage) return message;
  std::size_t head = kMostMessage / 2, tail = message.size() - kMostMessage / 2;
  while (head > 0 && text::continues_character(message[head])) --head;
  while (tail < message.size() && text::continues_character(message[tail])) ++tail;
  return message.substr(0, head) + " ... " + message.substr(tail);
}

// Cuts a long line to a window that shows the caret; moves the carets along.
std::string_view cut(std::string_view line, std::size_t& from, std::size_t& to, bool& front, bool& back) {
  std::size_t first = 0;
  if (line.size() > kWidth && from > kWidth / 2) first = std::min(from - kWidth / 2, line.size() - kWidth);
  while (first > 0 && first < line.size() && text::continues_character(line[first])) --first;
  std::size_t last = std::min(line.size(), first + kWidth);
  while (last < line.size() && text::continues_character(line[last])) ++last;
  front = first > 0;
  back = last < line.size();
  from -= first;
  to = std::clamp(to, first, last) - first;
  return line.substr(first, last - first);
}

}  // namespace

std::string render(const Diagnostic& diagnostic, std::string_view text, std::string_view file_name) {
  const SourcePlace& place = diagnostic.range.begin;
  std::string out(file_name);
  out += ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + ": ";
  out.append(severity_name(diagnostic.severity))
      .append(": ")
      .append(shortened(diagnostic.message))
      .append("\n");

  std::size_t line_begin = 0;
  auto begin = static_cast<std::size_t>(std::max(place.offset, 0));
  auto end = static_cast<std::size_t>(std::max(diagnostic.range.end.offset, 0));
  std::string_view line = line_around(text, begin, line_begin);
  std::size_t from = std::min(begin - std::min(begin, line_begin), line.size());
  std::size_t to = std::min(std::max(end, line_begin) - line_begin, line.size());
  bool front = false, back = false;
  line = cut(line, from, to, front, back);

  std::string shown = front ? "..." : "", carets = front ? "   " : "";
  for (std::size_t i = 0; i < line.size(); ++i) {
    bool control = static_cast<unsigned char>(line[i]) < 0x20;
    std::size_t columns = line[i] == '\t' ? kTab : 1;
    if (control) {
      shown.append(columns, ' ');
    } else {
      shown += line[i];
    }
    if (text::continues_character(line[i])) continue;  // one column for one character
    bool marked = i >= from && i < to;
    carets += i == from ? '^' : marked ? '~' : ' ';
    carets.append(columns - 1, marked ? '~' : ' ');
  }
  if (from >= line.size()) carets += '^';
  carets.erase(carets.find_last_not_of(' ') + 1);
  out += "  " + shown + (back ? "..." : "") + "\n  " + carets + "\n";
  if (!diagnostic.remedy.empty()) out += "  " + diagnostic.remedy.english() + "\n";
  return out;
}

bool has_errors(const std::vector<Diagnostic>& diagnostics) {
  return std::ranges::any_of(diagnostics, [](const Diagnostic& d) { return d.severity == Severity::Error; });
}

}  // namespace warplens::cuda
