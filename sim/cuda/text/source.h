// Offsets in a text -> lines and columns, and the list in which diagnostics gather.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/cuda/text/diagnostic.h"

namespace warplens::cuda {

// Where the lines of a text begin. The text itself is not kept.
//
// The text of headers may follow behind it: what stands there keeps its offset, and has the line and column
// of the #include that brought it, as what a macro makes has the place of the macro's use.
class LineTable {
 public:
  LineTable() : starts_{0} {}
  explicit LineTable(std::string_view text);
  SourcePlace place(int offset) const;

  // A header's text lies in [begin, begin + its length), included from `from`, an offset. Headers are added
  // in the order of their offsets; the first #include of one gives its place.
  void add_header(int begin, std::string_view text, std::string name);
  void set_included(std::size_t header, int from);
  // "common.h, line 12", or empty where the offset lies in no header.
  Message in_header(int offset) const;
  struct HeaderPlace {
    std::string name;  // empty: in no header
    int line = 0;
  };
  HeaderPlace header_place(int offset) const;
  // The same range, or that of the #include which brought it, where it begins in a header: a place in the
  // text itself.
  SourceRange in_text(const SourceRange& range) const;

 private:
  struct Header {
    int begin = 0, from = -1;
    std::string name;
    std::vector<int> starts;
  };
  const Header* header_at(int offset) const;

  std::vector<int> starts_;
  std::vector<Header> headers_;
};

// Gathers diagnostics by offset. After the 20th error it is full: the caller ends its work.
class DiagnosticSink {
 public:
  static constexpr int kErrorLimit = 20;
  static constexpr std::size_t kWarningLimit = 50;

  explicit DiagnosticSink(std::string_view text) : lines_(text) {}

  void error(int begin, int end, Message message, Message remedy = {});
  void warning(int begin, int end, Message message, Message remedy = {});
  bool full() const { return errors_ >= kErrorLimit; }
  SourceRange range(int begin, int end) const { return {lines_.place(begin), lines_.place(end)}; }
  LineTable& lines() { return lines_; }

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
  Message said_where(int begin, Message message) const;

  LineTable lines_;
  std::vector<Diagnostic> diagnostics_;
  int errors_ = 0;
};

}  // namespace warplens::cuda
