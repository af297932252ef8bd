#include "sim/cuda/text/source.h"

#include <algorithm>
#include <utility>

namespace warplens::cuda {

LineTable::LineTable(std::string_view text) : starts_{0} {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') starts_.push_back(static_cast<int>(i) + 1);
  }
}

SourcePlace LineTable::place(int offset) const {
  auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  int line = static_cast<int>(after - starts_.begin());
  return {offset, line, offset - starts_[line - 1] + 1};
}

void DiagnosticSink::add(Diagnostic diagnostic) {
  if (full() || (diagnostic.severity != Severity::Error && diagnostics_.size() >= kWarningLimit)) return;
  if (diagnostic.severity == Severity::Error) ++errors_;
  diagnostics_.push_back(std::move(diagnostic));
}

void DiagnosticSink::error(int begin, int end, std::string message, std::string remedy) {
  add({Severity::Error, range(begin, end), std::move(message), std::move(remedy)});
}

void DiagnosticSink::warning(int begin, int end, std::string message, std::string remedy) {
  add({Severity::Warning, range(begin, end), std::move(message), std::move(remedy)});
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
  std::stable_sort(diagnostics_.begin(), diagnostics_.end(), before);
  diagnostics_.erase(std::unique(diagnostics_.begin(), diagnostics_.end(), same), diagnostics_.end());
  if (full() && !diagnostics_.empty()) {
    SourceRange last = diagnostics_.back().range;
    diagnostics_.push_back({Severity::Note, last, "stopped here: too many errors", ""});
  }
  return std::move(diagnostics_);
}

}  // namespace warplens::cuda
