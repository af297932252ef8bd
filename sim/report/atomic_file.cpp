#include "sim/report/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace warplens::report {

namespace {

// A descriptor and the temporary file behind it: closed, and removed unless it was renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& target) : path_(target.string() + ".XXXXXX") {
    descriptor_ = ::mkstemp(path_.data());
  }
  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (exists_) ::unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  bool is_open() { return exists_ = descriptor_ >= 0; }

  bool write(std::string_view content) {
    while (!content.empty()) {
      const ssize_t written = ::write(descriptor_, content.data(), content.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      content.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }

  // To the mode that any new file would have got: mkstemp gives 0600.
  bool finish(const std::filesystem::path& target) {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(descriptor_, 0666 & ~mask) != 0 || ::fsync(descriptor_) != 0) return false;
    if (::rename(path_.c_str(), target.c_str()) != 0) return false;
    exists_ = false;
    return true;
  }

 private:
  std::string path_;
  int descriptor_ = -1;
  bool exists_ = false;
};

// The folder's entry is on the disk too; some file systems cannot, which is no loss of the file itself.
void sync_folder(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

std::string write_file(const std::filesystem::path& file, std::string_view content) {
  const auto failed = [&](const char* what) {
    return file.string() + ": " + what + ": " + std::strerror(errno);
  };
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) return file.string() + ": is a folder";
  TemporaryFile temporary(file);
  if (!temporary.is_open()) return failed("cannot be written");
  if (!temporary.write(content)) return failed("cannot be written");
  if (!temporary.finish(file)) return failed("cannot be written");
  sync_folder(file);
  return {};
}

}  // namespace warplens::report
