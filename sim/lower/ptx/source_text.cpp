#include <algorithm>

#include "sim/lower/ptx/module.h"
#include "sim/text/scan.h"

namespace warplens::sim::lower::ptx {

namespace {

// Of the entry's first place that was not inlined from elsewhere; -1: nothing is said.
int first_location(const Module& module, const Function& entry) {
  for (const Statement& one : entry.body) {
    int at = one.location;
    while (at >= 0 && module.locations[at].inlined_at >= 0) at = module.locations[at].inlined_at;
    if (at >= 0 && module.locations[at].line > 0) return at;
  }
  return -1;
}

}  // namespace

std::string source_file_of(const Module& module, const Function& entry) {
  const int first = first_location(module, entry);
  if (first < 0) return {};
  const auto file = module.files.find(module.locations[first].file);
  return file == module.files.end() ? std::string() : file->second;
}

SourceText::SourceText(const Module& module, const Function& entry, std::string_view text,
                       const std::string& name)
    : module_(module), text_(text) {
  if (text_.empty()) return;
  lines_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n') lines_.push_back(i + 1);
  const int first = first_location(module, entry);
  if (first >= 0) file_ = module.locations[first].file;
  for (const auto& [number, file] : module.files)
    if (!name.empty() && file == name) file_ = number;
  if (first >= 0) first_line_ = std::max(1, line_of(first));
}

int SourceText::line_of(int location) const {
  while (location >= 0) {
    const Location& at = module_.locations[location];
    if (at.file == file_ && at.line > 0) return at.line;
    location = at.inlined_at;
  }
  return 0;
}

cuda::SourceRange SourceText::range_of(const Statement& statement) const {
  if (text_.empty()) return statement.range;
  int said = line_of(statement.location);
  for (const int call : statement.calls)
    if (said == 0) said = line_of(call);
  const std::size_t line = static_cast<std::size_t>(said > 0 ? said : first_line_);
  if (line > lines_.size()) return {};  // the text is another one than was compiled
  std::size_t begin = lines_[line - 1];
  std::size_t end = line < lines_.size() ? lines_[line] : text_.size();
  while (end > begin && text::is_space(text_[end - 1])) --end;
  while (begin < end && text::is_space(text_[begin])) ++begin;
  const auto place = [&](std::size_t offset) {
    return cuda::SourcePlace{static_cast<int>(offset), static_cast<int>(line),
                             static_cast<int>(offset - lines_[line - 1]) + 1};
  };
  return {place(begin), place(end)};
}

std::string SourceText::text_of(const cuda::SourceRange& range) const {
  constexpr std::size_t kMost = 120;
  const auto begin = static_cast<std::size_t>(range.begin.offset),
             end = static_cast<std::size_t>(range.end.offset);
  std::string_view line = text_.substr(begin, end - begin);
  if (const std::size_t comment = line.find("//"); comment != std::string_view::npos && comment > 0)
    line = text::trimmed(line.substr(0, comment));
  return std::string(line.substr(0, kMost));
}

}  // namespace warplens::sim::lower::ptx
