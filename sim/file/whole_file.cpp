#include "sim/file/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <map>
#include <vector>

#include "sim/base/numbers.h"
#include "sim/file/temporary.h"

namespace warplens::file {
namespace {

namespace fs = std::filesystem;

// ---- what a file's name leads to, links followed by hand: the file that is written, never the link

struct Target {
  std::filesystem::path folder, name;  // of the file itself
  bool exists = false;
  struct stat status {};  // of what is there
  int descriptor = -1;  // an open file of this program's own, as /dev/stdout is one; not negative: only this
  Trouble trouble = Trouble::None;

  std::filesystem::path path() const { return folder / name; }
};

constexpr int kMostLinks = 40;  // as many as Linux follows

// The number of an open file of this program, where the link is one of /proc/self/fd; or -1.
int own_descriptor(const fs::path& link) {
  std::error_code failed;
  const fs::path folder = fs::canonical(link.has_parent_path() ? link.parent_path() : ".", failed);
  if (failed || folder != "/proc/" + std::to_string(::getpid()) + "/fd") return -1;
  return number_in<int>(link.filename().string()).value_or(-1);
}

// The kernel itself does not follow such a link (fs.protected_symlinks): it may have been laid as a trap.
bool is_a_trap(const fs::path& link, const struct stat& status) {
  struct stat folder {};
  const fs::path parent = link.has_parent_path() ? link.parent_path() : ".";
  if (::stat(parent.c_str(), &folder) != 0) return false;
  const bool open_to_all = (folder.st_mode & S_ISVTX) != 0 && (folder.st_mode & S_IWOTH) != 0;
  return open_to_all && status.st_uid != ::geteuid() && status.st_uid != folder.st_uid;
}

// Where the link leads; empty: errno says why not.
fs::path follow(const fs::path& link) {
  char text[PATH_MAX];
  const ssize_t length = ::readlink(link.c_str(), text, sizeof text);
  if (length < 0) return {};
  const fs::path to = std::string(text, static_cast<std::size_t>(length));
  return to.is_absolute() ? to : link.parent_path() / to;
}

Message phrase(Trouble trouble) {
  static constexpr std::array kPhrases{
      // In the order of Trouble, but for the first.
      Message::Text("a file name is needed"),
      Message::Text("is a folder; name a file in it"),
      Message::Text("its folder is not there; make it, or choose another"),
      Message::Text(
          "may not be written: its permissions, or its folder's, forbid it. Change them, or choose another "
          "place"),
      Message::Text("lies on a disk that can only be read; choose another place"),
      Message::Text("belongs to another user, and replacing it would take it away; choose another name"),
      Message::Text("is another user's link in a folder open to all; name the file that it leads to"),
      Message::Text("is a link that leads in a circle; choose another name"),
      Message::Text("there is no room left; make room, or choose another disk"),
      Message::Text("the name is too long; choose a shorter one"),
      Message::Text("is a pipe, not a file; choose another name"),
      Message::Text("is a pipe that no program reads; start the reader first"),
      Message::Text("is a socket, not a file; choose another name"),
      Message::Text("is a device, not a file; choose another name"),
      Message::Text("cannot be written")};
  static_assert(kPhrases.size() == static_cast<std::size_t>(Trouble::Failed));
  return Message(kPhrases[static_cast<std::size_t>(trouble) - 1]);
}

Trouble special_trouble(const Target& target) {
  const mode_t mode = target.status.st_mode;
  if (!target.exists || S_ISREG(mode)) return Trouble::None;
  if (S_ISDIR(mode)) return Trouble::Folder;
  if (S_ISFIFO(mode)) return Trouble::Pipe;
  if (S_ISSOCK(mode)) return Trouble::Socket;
  return Trouble::Device;
}

Trouble trouble_of(int error) {
  static const std::map<int, Trouble> kTroubles{{EACCES, Trouble::NotAllowed},
                                                {EPERM, Trouble::NotAllowed},
                                                {EROFS, Trouble::ReadOnly},
                                                {ENOENT, Trouble::NoFolder},
                                                {ENOTDIR, Trouble::NoFolder},
                                                {ELOOP, Trouble::Links},
                                                {ENAMETOOLONG, Trouble::NameTooLong},
                                                {ENOSPC, Trouble::NoRoom},
                                                {EDQUOT, Trouble::NoRoom},
                                                {EFBIG, Trouble::NoRoom},
                                                {EISDIR, Trouble::Folder},
                                                {ENXIO, Trouble::NoReader}};
  const auto known = kTroubles.find(error);
  return known == kTroubles.end() ? Trouble::Failed : known->second;
}

Message words_of(const fs::path& file, Trouble trouble, int error, bool exists) {
  Message words = file.empty() ? phrase(trouble) : Message("{}: {}", file.string(), phrase(trouble));
  const bool says_it_all = error == 0 || trouble == Trouble::NoFolder || trouble == Trouble::Links ||
                           trouble == Trouble::NameTooLong || trouble == Trouble::NoReader;
  if (!says_it_all) words = Message("{} ({})", words, system_words(error));
  const bool is_a_file = trouble == Trouble::NotAllowed || trouble == Trouble::NoRoom ||
                         trouble == Trouble::ReadOnly || trouble == Trouble::Failed;
  if (exists && is_a_file) words = Message("{}. The file is as it was", words);
  return words;
}

Target find_target(const fs::path& file) {
  Target target;
  const auto end = [&](Trouble trouble) {
    target.trouble = trouble;
    return target;
  };
  if (file.empty()) return end(Trouble::NoName);
  fs::path at = file;
  for (int links = 0; links <= kMostLinks; ++links) {
    target.folder = at.has_parent_path() ? at.parent_path() : ".";
    target.name = at.filename();
    if (::lstat(at.c_str(), &target.status) != 0) {
      if (errno != ENOENT) return end(trouble_of(errno));
      return end(target.name.empty() ? Trouble::NoFolder : Trouble::None);
    }
    target.exists = true;
    if (!S_ISLNK(target.status.st_mode)) return end(special_trouble(target));
    target.descriptor = own_descriptor(at);
    if (target.descriptor >= 0) return end(Trouble::Device);
    if (is_a_trap(at, target.status)) return end(Trouble::AnothersLink);
    at = follow(at);
    if (at.empty()) return end(trouble_of(errno));
    target.exists = false;
  }
  return end(Trouble::Links);
}

// ---- writing it

constexpr int kTries = 8;  // of names that are taken

// Some file systems cannot, and say so with EINVAL: that is no failure of the disk.
int to_disk(int descriptor) {
  while (::fsync(descriptor) != 0) {
    if (errno == EINTR) continue;
    return errno == EINVAL || errno == ENOTSUP ? 0 : errno;
  }
  return 0;
}

// The new file, under a name of its own until it takes the place of what is there.
class Replacement {
 public:
  Replacement(int folder, mode_t mode) : folder_(folder) {
    for (int i = 0; i < kTries && !make(mode); ++i) {
    }
  }
  ~Replacement() {
    if (!name_.empty()) ::unlinkat(folder_, name_.c_str(), 0);
  }
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  int get() const { return file_.get(); }
  int error() const { return error_; }

  // Into the place of what is there: 0, or the error's number.
  int replace(const fs::path& name) {
    if (::renameat(folder_, name_.c_str(), folder_, name.c_str()) != 0) return errno;
    name_.clear();
    return 0;
  }

 private:
  bool make(mode_t mode) {
    const std::string name = temporary_name();
    file_ = Descriptor(
        ::openat(folder_, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    error_ = file_ ? 0 : errno;
    if (!file_) return error_ != EEXIST;
    struct stat status {};
    if (!hold(file_.get()) || ::fstat(file_.get(), &status) != 0 || status.st_nlink == 0) {
      error_ = EBUSY;  // swept away before it was held
      return false;
    }
    name_ = name;
    return true;
  }

  int folder_;
  Descriptor file_;
  std::string name_;  // to be removed at the end; empty: none
  int error_ = 0;
};

// The access list and what programs noted beside the file.
void take_over_attributes(int descriptor, const fs::path& from) {
  const ssize_t size = ::listxattr(from.c_str(), nullptr, 0);
  if (size <= 0) return;
  std::vector<char> names(static_cast<std::size_t>(size)), value;
  const ssize_t listed = ::listxattr(from.c_str(), names.data(), names.size());
  for (ssize_t at = 0; at < listed;) {
    const std::string name = &names[at];
    at += static_cast<ssize_t>(name.size()) + 1;
    if (!name.starts_with("user.") && name != "system.posix_acl_access") continue;
    const ssize_t length = ::getxattr(from.c_str(), name.c_str(), nullptr, 0);
    if (length < 0) continue;
    value.resize(static_cast<std::size_t>(length));
    const ssize_t got = ::getxattr(from.c_str(), name.c_str(), value.data(), value.size());
    if (got >= 0) ::fsetxattr(descriptor, name.c_str(), value.data(), static_cast<std::size_t>(got), 0);
  }
}

// Owner, mode, access list: as those of the file that is replaced.
Trouble take_over(int descriptor, const Target& target) {
  struct stat mine {};
  if (::fstat(descriptor, &mine) != 0) return Trouble::Failed;
  mode_t mode = target.status.st_mode & 07777;
  const bool other_owner = mine.st_uid != target.status.st_uid,
             other_group = mine.st_gid != target.status.st_gid;
  if (other_owner && ::fchown(descriptor, target.status.st_uid, static_cast<gid_t>(-1)) != 0)
    return Trouble::AnothersFile;
  if (other_group && ::fchown(descriptor, static_cast<uid_t>(-1), target.status.st_gid) != 0)
    mode = (mode & ~static_cast<mode_t>(S_ISGID | 070)) | (mode & 07) << 3;  // no more than others may
  if (::fchmod(descriptor, mode) != 0) return Trouble::NotAllowed;
  take_over_attributes(descriptor, target.path());
  return Trouble::None;
}

struct Attempt {
  Trouble trouble = Trouble::None;
  int error = 0;
};

Attempt failed(int error) {
  return {trouble_of(error), error};
}

Attempt replace_file(const Target& target, std::string_view content, bool durable) {
  Descriptor folder(::open(target.folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder) {
    sweep(folder.get());
  } else {
    folder = Descriptor(::open(target.folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!folder) return failed(errno);
  }
  // A file that is protected against writing is not replaced either, though its folder would allow it.
  if (target.exists && ::faccessat(folder.get(), target.name.c_str(), W_OK, AT_EACCESS) != 0)
    return failed(errno);
  // No other user can read it before it has the old file's mode.
  Replacement made(folder.get(), target.exists ? 0600 : 0666);
  if (made.error() != 0) return failed(made.error());
  if (target.exists) {
    if (const Trouble trouble = take_over(made.get(), target); trouble != Trouble::None) return {trouble, 0};
  }
  if (const int error = write_all(made.get(), content); error != 0) return failed(error);
  if (durable) {
    if (const int error = to_disk(made.get()); error != 0) return failed(error);
  }
  if (const int error = made.replace(target.name); error != 0) return failed(error);
  if (durable) ::fsync(folder.get());  // some file systems cannot, which is no loss of the file itself
  return {};
}

// A pipe without a reader is told, not waited for; after that, writing waits for the reader.
Attempt write_directly(const fs::path& file, const Target& target, std::string_view content) {
  std::fflush(stdout);  // what was said before comes before
  if (target.descriptor >= 0) {
    const int error = write_all(target.descriptor, content);
    return error == 0 ? Attempt{} : failed(error);
  }
  const Descriptor out(::open(file.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!out) return failed(errno);
  struct stat status {};
  if (::fstat(out.get(), &status) != 0 || (!S_ISFIFO(status.st_mode) && !S_ISCHR(status.st_mode)))
    return {Trouble::Failed, EBUSY};  // replaced just now
  const int flags = ::fcntl(out.get(), F_GETFL);
  if (flags < 0 || ::fcntl(out.get(), F_SETFL, flags & ~O_NONBLOCK) != 0) return failed(errno);
  const int error = write_all(out.get(), content);
  return error == 0 ? Attempt{} : failed(error);
}

bool is_written_directly(const Target& target) {
  if (target.descriptor >= 0 || target.trouble == Trouble::Pipe) return true;
  return target.trouble == Trouble::Device && S_ISCHR(target.status.st_mode);  // a disk never
}

}  // namespace

Written check_place(const fs::path& file, Manner manner) {
  const Target target = find_target(file);
  if (manner.to_pipes && is_written_directly(target)) return {};
  std::error_code unknown;
  const bool homeless = target.trouble == Trouble::None && !fs::is_directory(target.folder, unknown);
  const Trouble trouble = homeless ? Trouble::NoFolder : target.trouble;
  if (trouble == Trouble::None) return {};
  return {trouble, words_of(file, trouble, 0, target.exists)};
}

Written write_whole(const fs::path& file, std::string_view content, Manner manner) {
  const Target target = find_target(file);
  Attempt done{target.trouble, 0};
  if (manner.to_pipes && is_written_directly(target)) {
    done = write_directly(file, target, content);
  } else if (target.trouble == Trouble::None) {
    done = replace_file(target, content, manner.durable);
  }
  if (done.trouble == Trouble::None) return {};
  return {done.trouble, words_of(file, done.trouble, done.error, target.exists)};
}

std::string special_kind(const fs::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return {};
  if (S_ISFIFO(status.st_mode)) return "a pipe";
  if (S_ISSOCK(status.st_mode)) return "a socket";
  return S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode) ? "a device" : "";
}

}  // namespace warplens::file
