// The text that PTX was compiled from, where its .loc directives lead into it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/lower/ptx/module.h"

namespace warplens::sim::lower::ptx {

class SourceText {
 public:
  // `name` as .file gives it; empty: the file in which the entry begins. An empty text leaves all places in
  // the PTX.
  SourceText(const Module& module, const Function& entry, std::string_view text, const std::string& name);

  bool is_empty() const { return text_.empty(); }
  // The line that the statement comes from, without the space around it; of what was inlined from another
  // file the call. Where nothing is said, the entry's line. Without a text: the statement's own place.
  cuda::SourceRange range_of(const Statement& statement) const;
  std::string text_of(const cuda::SourceRange& range) const;

 private:
  int line_of(int location) const;  // 0: it lies in other files

  const Module& module_;
  std::string_view text_;
  std::vector<std::size_t> lines_;  // where each begins
  int file_ = -1;
  int first_line_ = 1;
};

// The name of the file in which an entry begins, as .file has it; empty: the module says of none.
std::string source_file_of(const Module& module, const Function& entry);

}  // namespace warplens::sim::lower::ptx
