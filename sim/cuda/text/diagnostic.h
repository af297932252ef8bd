// Places in a kernel's text, and messages about them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/message.h"

namespace warplens::cuda {

// Lines and columns count from 1, columns in bytes. Offsets count from 0.
struct SourcePlace {
  int offset = 0;
  int line = 1;
  int column = 1;
};

// Half-open: [begin, end).
struct SourceRange {
  SourcePlace begin, end;
};

enum class Severity { Error, Warning, Note };

struct Diagnostic {
  Severity severity = Severity::Error;
  SourceRange range;
  Message message;  // what is wrong, in words, without file, line or caret
  Message remedy;   // what to do about it, or empty
};

// "transpose.cu:12:9: error: ...", the line, a caret under the range, and the remedy; ends with a newline.
std::string render(const Diagnostic& diagnostic, std::string_view text, std::string_view file_name);

bool has_errors(const std::vector<Diagnostic>& diagnostics);

}  // namespace warplens::cuda
