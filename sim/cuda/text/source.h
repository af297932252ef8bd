// Offsets in a text -> lines and columns, and the list in which diagnostics gather.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/cuda/text/diagnostic.h"

namespace warplens::cuda {

// Where the lines of a text begin. The text itself is not kept.
class LineTable {
 public:
  explicit LineTable(std::string_view text);
  SourcePlace place(int offset) const;

 private:
  std::vector<int> starts_;
};

// Gathers diagnostics by offset. After the 20th error it is full: the caller ends its work.
class DiagnosticSink {
 public:
  static constexpr int kErrorLimit = 20;
  static constexpr std::size_t kWarningLimit = 50;

  explicit DiagnosticSink(std::string_view text) : lines_(text) {}

  void error(int begin, int end, std::string message, std::string remedy = {});
  void warning(int begin, int end, std::string message, std::string remedy = {});
  bool full() const { return errors_ >= kErrorLimit; }
  SourceRange range(int begin, int end) const { return {lines_.place(begin), lines_.place(end)}; }
  const LineTable& lines() const { return lines_; }

  // Diagnostics reported between begin_capture() and end_capture() are set aside: they are what would be
  // wrong with a piece of host code if a kernel needed it.
  struct Captured {
    std::vector<Diagnostic> diagnostics;
    int errors = 0;
  };
  Captured begin_capture();
  std::vector<Diagnostic> end_capture(Captured outer);
  void append(const std::vector<Diagnostic>& diagnostics);

  std::vector<Diagnostic> take();  // in the order of the text, each said once

 private:
  void add(Diagnostic diagnostic);

  LineTable lines_;
  std::vector<Diagnostic> diagnostics_;
  int errors_ = 0;
};

}  // namespace warplens::cuda
