#include "sim/text/read_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace warplens::text {

namespace {

Message what_else(mode_t mode) {
  if (S_ISDIR(mode)) return Message("is a folder, not a file");
  if (S_ISFIFO(mode)) return Message("is a pipe, not a file");
  if (S_ISSOCK(mode)) return Message("is a socket, not a file");
  if (S_ISCHR(mode) || S_ISBLK(mode)) return Message("is a device, not a file");
  return S_ISREG(mode) ? Message() : Message("is not a regular file");
}

Message too_large(const Message& name, std::size_t most) {
  return Message("{}: larger than {} bytes, the most that is read", name, most);
}

}  // namespace

bool read_descriptor(int descriptor, const Message& name, std::size_t most, std::string* text, Message* error,
                     const std::function<bool()>& stopped) {
  constexpr int kBetweenLooks = 50;  // ms
  text->clear();
  std::array<char, 65536> chunk;
  while (true) {
    if (stopped) {
      if (stopped()) {
        *error = Message("{}: not read to its end", name);
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
      *error = Message("{}: cannot be read: {}", name, system_words(errno));
      return false;
    }
    if (text->size() + static_cast<std::size_t>(got) > most) {
      *error = too_large(name, most);
      return false;
    }
    text->append(chunk.data(), static_cast<std::size_t>(got));
  }
}

bool read_file(const std::filesystem::path& file, std::size_t most, std::string* text, Message* error) {
  const std::string name = file.string();
  struct stat status {};
  const auto fail = [&](const Message& words) {
    *error = Message("{}: {}", name, words);
    return false;
  };
  // Looked at before it is opened, since opening a device may already do something; and again afterwards.
  if (::stat(name.c_str(), &status) != 0) return fail(Message("cannot be opened: {}", system_words(errno)));
  if (const Message else_it = what_else(status.st_mode); !else_it.empty()) return fail(else_it);
  const int descriptor = ::open(name.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return fail(Message("cannot be opened: {}", system_words(errno)));
  bool done = false;
  if (::fstat(descriptor, &status) != 0) {
    fail(Message("cannot be read: {}", system_words(errno)));
  } else if (const Message else_it = what_else(status.st_mode); !else_it.empty()) {
    fail(else_it);
  } else if (status.st_size > 0 && static_cast<std::size_t>(status.st_size) > most) {
    *error = too_large(Message::verbatim(name), most);
  } else {
    done = read_descriptor(descriptor, Message::verbatim(name), most, text, error);
  }
  ::close(descriptor);
  return done;
}

std::string fonts_folder() {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);  // empty in a browser
  const fs::path carried = program.parent_path().parent_path() / "share" / "warplens" / "fonts";
  return program.has_parent_path() && fs::is_directory(carried, failed) ? carried.string() + "/"
                                                                        : "/usr/share/fonts/";
}

}  // namespace warplens::text
