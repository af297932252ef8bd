#include "app/measure/whole_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "app/measure/child_process.h"

namespace warplens::measure {
namespace {

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = write(fd, text.data(), text.size());
    if (wrote < 0 && errno != EINTR) return false;
    if (wrote > 0) text.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return true;
}

}  // namespace

bool write_whole_file(const std::filesystem::path& file, std::string_view text, std::string& error) {
  const std::string beside = file.string() + ".new-" + std::to_string(getpid());
  Descriptor out(open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  bool done = out.get() >= 0 && write_all(out.get(), text) && fsync(out.get()) == 0;
  done = done && rename(beside.c_str(), file.c_str()) == 0;
  if (done) return true;
  error = file.string() + " could not be written: " + std::strerror(errno);
  unlink(beside.c_str());
  return false;
}

bool read_whole_file(const std::filesystem::path& file, std::size_t most, std::string& text,
                     std::string& error) {
  std::error_code failed;
  const auto size = std::filesystem::file_size(file, failed);
  std::ifstream in(file, std::ios::binary);
  if (failed || !in) {
    error = file.string() + " could not be read" + (failed ? ": " + failed.message() : "");
    return false;
  }
  if (size > most) {
    error = file.string() + " has " + std::to_string(size) + " bytes; at most " + std::to_string(most) +
            " are read";
    return false;
  }
  text.resize(size);
  in.read(text.data(), static_cast<std::streamsize>(size));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return true;
}

}  // namespace warplens::measure
