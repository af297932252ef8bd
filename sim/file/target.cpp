#include "sim/file/target.h"

#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <map>

#include "sim/base/numbers.h"

namespace warplens::file {
namespace {

namespace fs = std::filesystem;
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
  switch (trouble) {
    case Trouble::NoName:
      return Message("a file name is needed");
    case Trouble::Folder:
      return Message("is a folder; name a file in it");
    case Trouble::NoFolder:
      return Message("its folder is not there; make it, or choose another");
    case Trouble::NotAllowed:
      return Message(
          "may not be written: its permissions, or its folder's, forbid it. Change them, or choose another "
          "place");
    case Trouble::ReadOnly:
      return Message("lies on a disk that can only be read; choose another place");
    case Trouble::AnothersFile:
      return Message("belongs to another user, and replacing it would take it away; choose another name");
    case Trouble::AnothersLink:
      return Message("is another user's link in a folder open to all; name the file that it leads to");
    case Trouble::Links:
      return Message("is a link that leads in a circle; choose another name");
    case Trouble::NoRoom:
      return Message("there is no room left; make room, or choose another disk");
    case Trouble::NameTooLong:
      return Message("the name is too long; choose a shorter one");
    case Trouble::Pipe:
      return Message("is a pipe, not a file; choose another name");
    case Trouble::NoReader:
      return Message("is a pipe that no program reads; start the reader first");
    case Trouble::Socket:
      return Message("is a socket, not a file; choose another name");
    case Trouble::Device:
      return Message("is a device, not a file; choose another name");
    default:
      return Message("cannot be written");
  }
}

}  // namespace

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

std::string special_kind(const fs::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return {};
  if (S_ISFIFO(status.st_mode)) return "a pipe";
  if (S_ISSOCK(status.st_mode)) return "a socket";
  return S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode) ? "a device" : "";
}

}  // namespace warplens::file
