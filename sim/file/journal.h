// A file that grows line by line while long work goes on, so that an interruption loses one line at most.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sim/file/temporary.h"

namespace warplens::file {

class Journal {
 public:
  // Goes on where the file ends; follows no link. What went wrong stands in trouble().
  explicit Journal(std::filesystem::path file);
  // The line and its end, on the disk; where it need not be `durable`, with the system, which a killed program leaves
  // behind and a loss of power does not. False: see trouble().
  bool append(std::string_view line, bool durable = true);
  const Message& trouble() const { return trouble_; }

 private:
  std::filesystem::path path_;
  Descriptor file_;
  Message trouble_;
};

}  // namespace warplens::file
