#include "sim/file/journal.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "sim/file/target.h"

namespace warplens::file {

Journal::Journal(std::filesystem::path file)
    : path_(std::move(file)),
      file_(
          ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666)) {
  struct stat status {};
  if (!file_) {
    trouble_ = words_of(path_, trouble_of(errno), errno, false);
  } else if (::fstat(file_.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    trouble_ = Message("{}: is no file; remove it", path_.string());
    file_ = Descriptor();
  }
}

bool Journal::append(std::string_view line, bool durable) {
  if (!file_) return false;
  std::string text(line);
  text += '\n';
  if (const int error = write_all(file_.get(), text); error != 0) {
    trouble_ = words_of(path_, trouble_of(error), error, false);
    return false;
  }
  if (durable) ::fdatasync(file_.get());
  return true;
}

}  // namespace warplens::file
