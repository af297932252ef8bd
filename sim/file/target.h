// What a file's name leads to, links followed by hand: the file that is written, never the link.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "sim/file/whole_file.h"

namespace warplens::file {

struct Target {
  std::filesystem::path folder, name;  // of the file itself
  bool exists = false;
  struct stat status {};  // of what is there
  int descriptor = -1;  // an open file of this program's own, as /dev/stdout is one; not negative: only this
  Trouble trouble = Trouble::None;

  std::filesystem::path path() const { return folder / name; }
};

Target find_target(const std::filesystem::path& file);

// None where nothing is there, or a file; otherwise what it is in place of one.
Trouble special_trouble(const Target& target);

// What an error number of the system means for a file that is written.
Trouble trouble_of(int error);

// In words: the file, what is wrong, what to do. `error` is the system's, or 0.
Message words_of(const std::filesystem::path& file, Trouble trouble, int error, bool exists);

}  // namespace warplens::file
