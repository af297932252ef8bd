// Hidden files and folders in which something new is made, and what killed programs left of them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/message.h"

namespace warplens::file {

// An open file; closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor& operator=(Descriptor&& other) noexcept;

  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  int release();

 private:
  int number_;
};

// All of it, whatever interrupts; waits where a pipe is full. 0, or the error's number.
int write_all(int descriptor, std::string_view content);

// 16 hexadecimal digits that cannot be guessed.
std::string random_digits();

// ".warplens-new-" and such digits.
std::string temporary_name();

// Held while the file or folder is in use; no other process takes it for a leftover. False: another holds it.
bool hold(int descriptor);

// Removes what killed programs of this user left in the folder: what bears a temporary name and no
// lock.
void sweep(int folder);

// A folder in which others are made ready, beside the place where it goes: there as a whole or not at all.
class DraftFolder {
 public:
  explicit DraftFolder(std::filesystem::path to);
  ~DraftFolder();
  DraftFolder(const DraftFolder&) = delete;
  DraftFolder& operator=(const DraftFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // What went wrong, in words; or empty.
  const Message& trouble() const { return trouble_; }
  // To its place, where nothing may be yet. What went wrong, in words; or empty.
  Message keep();

 private:
  std::filesystem::path to_, path_;
  Message trouble_;
  Descriptor held_;
  bool kept_ = false;
};

// Locks between programs. One ends with the program that holds it, however that ends: no number of a process,
// no date and no restart of the machine has a say.
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
