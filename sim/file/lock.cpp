#include "sim/file/lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace warplens::file {
namespace {

namespace fs = std::filesystem;

// The open file is the one of that name: it may have been removed since it was opened.
bool is_that_file(const Descriptor& open_file, const fs::path& file) {
  struct stat mine {
  }, there{};
  return ::fstat(open_file.get(), &mine) == 0 && ::lstat(file.c_str(), &there) == 0 &&
         mine.st_dev == there.st_dev && mine.st_ino == there.st_ino;
}

}  // namespace

std::optional<Lock> Lock::take(const fs::path& file, double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (true) {
    Descriptor open_file(::open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
    if (!open_file) return std::nullopt;
    if (::flock(open_file.get(), LOCK_EX | LOCK_NB) == 0) {
      if (is_that_file(open_file, file)) return Lock(std::move(open_file));
    } else if (errno != EWOULDBLOCK && errno != EINTR) {
      return std::nullopt;
    }
    if (std::chrono::steady_clock::now() >= end) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

bool Lock::is_held(const fs::path& file) {
  const Descriptor open_file(::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  return open_file && ::flock(open_file.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

}  // namespace warplens::file
