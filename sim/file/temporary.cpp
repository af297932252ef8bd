#include "sim/file/temporary.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "sim/base/numbers.h"

namespace warplens::file {
namespace {

namespace fs = std::filesystem;
constexpr const char* kPrefix = ".warplens-new-";

// The names in a folder that are names of temporary files.
std::vector<std::string> temporary_names(int folder) {
  std::vector<std::string> names;
  Descriptor again(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!again) return names;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(again.get()), &::closedir);
  if (!entries) return names;
  again.release();
  while (const dirent* entry = ::readdir(entries.get())) {
    if (std::strncmp(entry->d_name, kPrefix, std::strlen(kPrefix)) == 0) names.emplace_back(entry->d_name);
  }
  return names;
}

// Whether it bears that name still: a sweeper may have come between its making and its being held.
bool is_there(int folder, const std::string& name, const struct stat& status) {
  struct stat now {};
  return ::fstatat(folder, name.c_str(), &now, AT_SYMLINK_NOFOLLOW) == 0 && now.st_dev == status.st_dev &&
         now.st_ino == status.st_ino;
}

void remove_folder(int parent, const std::string& name) {
  const std::string path = "/proc/self/fd/" + std::to_string(parent) + "/" + name;
  std::error_code ignored;
  fs::remove_all(path, ignored);  // follows no link
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

int Descriptor::release() {
  return std::exchange(number_, -1);
}

int write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) {  // another program made the pipe that was handed over so
      pollfd waiting{descriptor, POLLOUT, 0};
      ::poll(&waiting, 1, -1);
      continue;
    }
    if (written < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

std::string random_digits() {
  std::uint64_t bits = 0;
  if (::getrandom(&bits, sizeof bits, 0) != sizeof bits)
    bits = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()) ^
           static_cast<std::uint64_t>(::getpid()) << 40;
  return hexadecimal(bits, 16);
}

std::string temporary_name() {
  return kPrefix + random_digits();
}

bool hold(int descriptor) {
  // A file system without locks holds nothing, and nothing is swept there either.
  return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

void sweep(int folder) {
  for (const std::string& name : temporary_names(folder)) {
    const Descriptor found(::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status {};
    if (!found || ::fstat(found.get(), &status) != 0 || status.st_uid != ::geteuid()) continue;
    if (::flock(found.get(), LOCK_EX | LOCK_NB) != 0 || !is_there(folder, name, status)) continue;
    if (S_ISREG(status.st_mode)) ::unlinkat(folder, name.c_str(), 0);
    if (S_ISDIR(status.st_mode)) remove_folder(folder, name);
  }
}

DraftFolder::DraftFolder(fs::path to) : to_(std::move(to)) {
  const fs::path parent = to_.has_parent_path() ? to_.parent_path() : ".";
  const Descriptor folder(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder) sweep(folder.get());
  constexpr int kMostTries = 8;
  for (int tries = 0; tries < kMostTries; ++tries) {
    path_ = parent / temporary_name();
    kept_ = ::mkdir(path_.c_str(), 0777) != 0;
    if (kept_) trouble_ = Message("{}: the folder cannot be made: {}", to_.string(), system_words(errno));
    held_ = Descriptor(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat status {};
    const bool is_held = held_ && hold(held_.get()) && ::fstat(held_.get(), &status) == 0;
    if (kept_ || (is_held && folder && is_there(folder.get(), path_.filename().string(), status))) return;
  }
}

DraftFolder::~DraftFolder() {
  std::error_code ignored;
  if (!kept_) fs::remove_all(path_, ignored);
}

Message DraftFolder::keep() {
  if (held_) ::fsync(held_.get());
  kept_ = ::rename(path_.c_str(), to_.c_str()) == 0;
  if (!kept_) trouble_ = Message("{}: the folder cannot be made: {}", to_.string(), system_words(errno));
  return trouble_;
}

std::optional<Lock> Lock::take(const fs::path& file, double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (true) {
    Descriptor open_file(::open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
    if (!open_file) return std::nullopt;
    struct stat status {};
    if (::flock(open_file.get(), LOCK_EX | LOCK_NB) == 0) {
      if (::fstat(open_file.get(), &status) == 0 && is_there(AT_FDCWD, file, status))
        return Lock(std::move(open_file));
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
