#include "sim/text/read_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace warplens::text {

namespace {

std::string what_else(mode_t mode) {
  if (S_ISDIR(mode)) return "is a folder, not a file";
  if (S_ISFIFO(mode)) return "is a pipe, not a file";
  if (S_ISSOCK(mode)) return "is a socket, not a file";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "is a device, not a file";
  return S_ISREG(mode) ? "" : "is no regular file";
}

std::string too_large(const std::string& name, std::size_t most) {
  return name + ": larger than " + std::to_string(most) + " bytes, the most that is read";
}

}  // namespace

bool read_descriptor(int descriptor, const std::string& name, std::size_t most, std::string* text,
                     std::string* error, const std::function<bool()>& stopped) {
  constexpr int kBetweenLooks = 50;  // ms
  text->clear();
  std::array<char, 65536> chunk;
  while (true) {
    if (stopped) {
      if (stopped()) {
        *error = name + ": not read to its end";
        return false;
      }
      pollfd waited{descriptor, POLLIN, 0};
      const int ready = ::poll(&waited, 1, kBetweenLooks);
      if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    }
    const ssize_t got = ::read(descriptor, chunk.data(), chunk.size());
    if (got == 0) return true;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      *error = name + ": cannot be read: " + std::strerror(errno);
      return false;
    }
    if (text->size() + static_cast<std::size_t>(got) > most) {
      *error = too_large(name, most);
      return false;
    }
    text->append(chunk.data(), static_cast<std::size_t>(got));
  }
}

bool read_file(const std::filesystem::path& file, std::size_t most, std::string* text, std::string* error) {
  const std::string name = file.string();
  struct stat status {};
  const auto fail = [&](const std::string& words) {
    *error = name + ": " + words;
    return false;
  };
  // Looked at before it is opened, since opening a device may already do something; and again afterwards.
  if (::stat(name.c_str(), &status) != 0)
    return fail(std::string("cannot be opened: ") + std::strerror(errno));
  if (const std::string else_it = what_else(status.st_mode); !else_it.empty()) return fail(else_it);
  const int descriptor = ::open(name.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return fail(std::string("cannot be opened: ") + std::strerror(errno));
  bool done = false;
  if (::fstat(descriptor, &status) != 0) {
    fail(std::string("cannot be read: ") + std::strerror(errno));
  } else if (const std::string else_it = what_else(status.st_mode); !else_it.empty()) {
    fail(else_it);
  } else if (status.st_size > 0 && static_cast<std::size_t>(status.st_size) > most) {
    *error = too_large(name, most);
  } else {
    done = read_descriptor(descriptor, name, most, text, error);
  }
  ::close(descriptor);
  return done;
}

}  // namespace warplens::text
