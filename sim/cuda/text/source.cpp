#include "sim/cuda/text/source.h"

#include <algorithm>
#include <utility>

namespace warplens::cuda {

LineTable::LineTable(std::string_view text) : starts_{0} {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') starts_.push_back(static_cast<int>(i) + 1);
  }
}

void LineTable::add_header(int begin, std::string_view text, std::string name) {
  headers_.push_back({begin, -1, std::move(name), LineTable(text).starts_});
}

void LineTable::set_included(std::size_t header, int from) {
  if (header >= headers_.size() || headers_[header].from >= 0) return;
  const Header* outer = header_at(from);
  headers_[header].from = outer ? outer->from : from;
}

const LineTable::Header* LineTable::header_at(int offset) const {
  auto after = std::upper_bound(headers_.begin(), headers_.end(), offset,
                                [](int at, const Header& header) { return at < header.begin; });
  return after == headers_.begin() ? nullptr : &*std::prev(after);
}

LineTable::HeaderPlace LineTable::header_place(int offset) const {
  const Header* header = header_at(offset);
  if (!header) return {};
  auto after = std::upper_bound(header->starts.begin(), header->starts.end(), offset - header->begin);
  return {header->name, static_cast<int>(after - header->starts.begin())};
}

Message LineTable::in_header(int offset) const {
  const HeaderPlace place = header_place(offset);
  return place.name.empty() ? Message() : Message("{}, line {}", place.name, place.line);
}

SourceRange LineTable::in_text(const SourceRange& range) const {
  const Header* header = header_at(range.begin.offset);
  if (!header) return range;
  const SourcePlace include = place(std::max(0, header->from));
  return {include, include};
}

SourcePlace LineTable::place(int offset) const {
  if (const Header* header = header_at(offset)) {
    SourcePlace included = place(std::max(0, header->from));
    included.offset = offset;
    return included;
  }
  auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  int line = static_cast<int>(after - starts_.begin());
  return {offset, line, offset - starts_[line - 1] + 1};
}

void DiagnosticSink::add(Diagnostic diagnostic) {
  if (full() || (diagnostic.severity != Severity::Error && diagnostics_.size() >= kWarningLimit)) return;
  if (diagnostic.severity == Severity::Error) ++errors_;
  diagnostics_.push_back(std::move(diagnostic));
}

void DiagnosticSink::error(int begin, int end, Message message, Message remedy) {
  add({Severity::Error, range(begin, end), said_where(begin, std::move(message)), std::move(remedy)});
}

void DiagnosticSink::warning(int begin, int end, Message message, Message remedy) {
  add({Severity::Warning, range(begin, end), said_where(begin, std::move(message)), std::move(remedy)});
}

Message DiagnosticSink::said_where(int begin, Message message) const {
  const Message header = lines_.in_header(begin);
  return header.empty() ? message : Message("{}: {}", header, message);
}

DiagnosticSink::Captured DiagnosticSink::begin_capture() {
  return {std::exchange(diagnostics_, {}), std::exchange(errors_, 0)};
}

std::vector<Diagnostic> DiagnosticSink::end_capture(Captured outer) {
  errors_ = outer.errors;
  return std::exchange(diagnostics_, std::move(outer.diagnostics));
}

void DiagnosticSink::append(const std::vector<Diagnostic>& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics) add(diagnostic);
}

std::vector<Diagnostic> DiagnosticSink::take() {
  auto before = [](const Diagnostic& a, const Diagnostic& b) {
    return a.range.begin.offset < b.range.begin.offset;
  };
  auto same = [](const Diagnostic& a, const Diagnostic& b) {
    return a.range.begin.offset == b.range.begin.offset && a.message == b.message;
  };
  std::ranges::stable_sort(diagnostics_, before);
  diagnostics_.erase(std::unique(diagnostics_.begin(), diagnostics_.end(), same), diagnostics_.end());
  if (full() && !diagnostics_.empty()) {
    SourceRange last = diagnostics_.back().range;
    diagnostics_.push_back({Severity::Note, last, Message("stopped here: too many errors"), {}});
  }
  errors_ = 0;
  return std::exchange(diagnostics_, {});
}

}  // namespace warplens::cuda
