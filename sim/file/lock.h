// Locks between programs. One ends with the program that holds it, however that ends: no number of a process,
// no date and no restart of the machine has a say.
#pragma once

#include <filesystem>
#include <optional>

#include "sim/file/temporary.h"

namespace warplens::file {

class Lock {
 public:
  // Tries for at most that many seconds; makes the file if there is none. Empty: another program holds it, or
  // the file cannot be made.
  static std::optional<Lock> take(const std::filesystem::path& file, double seconds = 0);
  // A program that runs holds it. A file that is not there is held by none.
  static bool is_held(const std::filesystem::path& file);

 private:
  explicit Lock(Descriptor file) : file_(std::move(file)) {}
  Descriptor file_;
};

}  // namespace warplens::file
