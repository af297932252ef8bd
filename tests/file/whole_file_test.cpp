#include "sim/file/whole_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <thread>

#include "sim/file/temporary.h"
#include "tests/scenario/folder.h"

namespace warplens::file {
namespace {

namespace fs = std::filesystem;
using scenario::Folder;
using ::testing::HasSubstr;

std::string content_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

void put(const fs::path& file, const std::string& text, mode_t mode = 0644) {
  std::ofstream(file, std::ios::binary) << text;
  ASSERT_EQ(::chmod(file.c_str(), mode), 0);
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

struct stat status_of(const fs::path& file) {
  struct stat status {};
  EXPECT_EQ(::lstat(file.c_str(), &status), 0) << file;
  return status;
}

mode_t mode_of(const fs::path& file) {
  return status_of(file).st_mode & 07777;
}

constexpr int kSkipped = 77;
constexpr uid_t kNobody = 65534;

// In a process of its own, which may give up its rights or run into a limit; what it returns.
int in_child(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

// As a user without rights, where this is root; otherwise as who runs the tests.
int as_a_user(const std::function<int()>& work) {
  return in_child([&] {
    if (::geteuid() == 0 && (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) return kSkipped;
    return work();
  });
}

TEST(WholeFile, ReplacesTheOldFileAndLeavesNothingElse) {
  const Folder folder;
  const fs::path file = folder.path() / "a.json";
  EXPECT_TRUE(write_whole(file, "old"));
  EXPECT_EQ(content_of(file), "old");
  const std::string large(3'000'000, 'x');
  EXPECT_TRUE(write_whole(file, large));
  EXPECT_EQ(content_of(file), large);
  EXPECT_TRUE(write_whole(file, ""));
  EXPECT_EQ(content_of(file), "");
  EXPECT_EQ(names_in(folder.path()), std::set<std::string>{"a.json"});
}

TEST(WholeFile, ANewFileGetsWhatTheUmaskLeaves) {
  const Folder folder;
  EXPECT_EQ(in_child([&] {
              ::umask(027);
              return write_whole(folder.path() / "a", "x") ? 0 : 1;
            }),
            0);
  EXPECT_EQ(mode_of(folder.path() / "a"), 0640u);
}

TEST(WholeFile, ANameWithoutAFolderIsInThePresentOne) {
  const Folder folder;
  EXPECT_EQ(
      in_child([&] { return ::chdir(folder.path().c_str()) == 0 && write_whole("plain", "x") ? 0 : 1; }), 0);
  EXPECT_EQ(content_of(folder.path() / "plain"), "x");
}

TEST(WholeFile, KeepsTheModeOfTheFileThatIsThere) {
  const Folder folder;
  for (const mode_t mode : {0600u, 0640u, 0755u, 0666u}) {
    put(folder.path() / "a", "old", mode);
    EXPECT_TRUE(write_whole(folder.path() / "a", "new"));
    EXPECT_EQ(mode_of(folder.path() / "a"), mode);
  }
}

TEST(WholeFile, KeepsOwnerAndAttributes) {
  const Folder folder;
  const fs::path file = folder.path() / "a";
  put(file, "old", 0640);
  const bool attributes = ::setxattr(file.c_str(), "user.note", "kept", 4, 0) == 0;
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown(file.c_str(), 1234, 2345), 0);
  }
  const struct stat before = status_of(file);
  EXPECT_TRUE(write_whole(file, "new"));
  EXPECT_EQ(status_of(file).st_uid, before.st_uid);
  EXPECT_EQ(status_of(file).st_gid, before.st_gid);
  EXPECT_EQ(mode_of(file), 0640u);
  char note[8] = {};
  if (attributes) {
    EXPECT_EQ(::getxattr(file.c_str(), "user.note", note, sizeof note), 4);
    EXPECT_STREQ(note, "kept");
  }
}

TEST(WholeFile, DoesNotTakeAFileFromItsOwner) {
  if (::geteuid() != 0) GTEST_SKIP() << "files of two users can be made by root alone";
  const Folder folder;
  ASSERT_EQ(::chmod(folder.path().c_str(), 0777), 0);
  put(folder.path() / "a", "another's", 0666);
  const int result = as_a_user([&] {
    const Written written = write_whole(folder.path() / "a", "mine");
    return written.trouble == Trouble::AnothersFile ? 0 : 1;
  });
  EXPECT_EQ(result, 0);
  EXPECT_EQ(content_of(folder.path() / "a"), "another's");
  EXPECT_EQ(names_in(folder.path()).size(), 1u);
}

TEST(WholeFile, GivesNoGroupMoreThanItHadWhereTheGroupCannotBeKept) {
  if (::geteuid() != 0) GTEST_SKIP() << "a file of a foreign group can be made by root alone";
  const Folder folder;
  ASSERT_EQ(::chmod(folder.path().c_str(), 0777), 0);
  put(folder.path() / "a", "old", 0664);
  ASSERT_EQ(::chown((folder.path() / "a").c_str(), kNobody, 4321), 0);
  EXPECT_EQ(as_a_user([&] { return write_whole(folder.path() / "a", "new") ? 0 : 1; }), 0);
  EXPECT_EQ(mode_of(folder.path() / "a"), 0644u);
}

TEST(WholeFile, ALinkStaysAndItsTargetIsWritten) {
  const Folder folder, elsewhere;
  put(elsewhere.path() / "real", "old", 0600);
  fs::create_symlink(elsewhere.path() / "real", folder.path() / "two");
  fs::create_symlink("two", folder.path() / "one");
  EXPECT_TRUE(write_whole(folder.path() / "one", "new"));
  EXPECT_TRUE(fs::is_symlink(folder.path() / "one"));
  EXPECT_TRUE(fs::is_symlink(folder.path() / "two"));
  EXPECT_EQ(content_of(elsewhere.path() / "real"), "new");
  EXPECT_EQ(mode_of(elsewhere.path() / "real"), 0600u);
  // One that leads to nothing yet: there.
  fs::create_symlink(elsewhere.path() / "later", folder.path() / "dangling");
  EXPECT_TRUE(write_whole(folder.path() / "dangling", "made"));
  EXPECT_TRUE(fs::is_symlink(folder.path() / "dangling"));
  EXPECT_EQ(content_of(elsewhere.path() / "later"), "made");
  fs::create_symlink("round", folder.path() / "round");
  EXPECT_EQ(write_whole(folder.path() / "round", "x").trouble, Trouble::Links);
}

TEST(WholeFile, DoesNotFollowAnothersLinkInAFolderOpenToAll) {
  if (::geteuid() != 0) GTEST_SKIP() << "links of two users can be made by root alone";
  const Folder folder, elsewhere;
  ASSERT_EQ(::chmod(folder.path().c_str(), 01777), 0);
  put(elsewhere.path() / "precious", "old");
  fs::create_symlink(elsewhere.path() / "precious", folder.path() / "a");
  ASSERT_EQ(::lchown((folder.path() / "a").c_str(), 1234, 1234), 0);
  EXPECT_EQ(write_whole(folder.path() / "a", "new").trouble, Trouble::AnothersLink);
  EXPECT_EQ(content_of(elsewhere.path() / "precious"), "old");
}

TEST(WholeFile, FilesBesideItAreNeverWrittenThrough) {
  // Whatever lies in the folder under names that a writer might use, a link to something precious among them.
  const Folder folder, elsewhere;
  put(elsewhere.path() / "precious", "old");
  put(folder.path() / "a", "old");
  const std::string process = std::to_string(::getpid());
  for (const std::string& name : {"a.new-" + process, "a.part" + process, std::string("a.part"),
                                  std::string(".warplens-new-0123456789abcdef")})
    fs::create_symlink(elsewhere.path() / "precious", folder.path() / name);
  EXPECT_TRUE(write_whole(folder.path() / "a", "new"));
  EXPECT_EQ(content_of(elsewhere.path() / "precious"), "old");
  EXPECT_EQ(content_of(folder.path() / "a"), "new");
}

TEST(WholeFile, PipesDevicesAndSocketsAreRefusedByName) {
  const Folder folder;
  ASSERT_EQ(::mkfifo((folder.path() / "pipe").c_str(), 0666), 0);
  const int listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  (folder.path() / "socket").string().copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_THAT(write_whole(folder.path() / "pipe", "x").words, HasSubstr("/pipe: is a pipe"));
  EXPECT_THAT(write_whole(folder.path() / "socket", "x").words, HasSubstr("/socket: is a socket"));
  EXPECT_THAT(write_whole("/dev/null", "x").words, HasSubstr("/dev/null: is a device"));
  EXPECT_THAT(write_whole(folder.path(), "x").words, HasSubstr("is a folder"));
  EXPECT_EQ(write_whole("", "x").trouble, Trouble::NoName);
  EXPECT_EQ(write_whole(folder.path() / "socket", "x", {.to_pipes = true}).trouble, Trouble::Socket);
  EXPECT_EQ(special_kind(folder.path() / "pipe"), "a pipe");
  EXPECT_EQ(special_kind(folder.path() / "socket"), "a socket");
  EXPECT_EQ(special_kind("/dev/zero"), "a device");
  EXPECT_EQ(special_kind(folder.path()), "");
  EXPECT_EQ(special_kind(folder.path() / "absent"), "");
  ::close(listener);
}

TEST(WholeFile, ACommandLineMayNamePipesAndDevices) {
  const Folder folder;
  const Manner direct{.to_pipes = true};
  EXPECT_TRUE(write_whole("/dev/null", "x", direct));
  EXPECT_EQ(::access("/dev/null", F_OK), 0);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(write_whole("/dev/full", "x", direct).trouble, Trouble::NoRoom);
  const fs::path pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0666), 0);
  EXPECT_EQ(write_whole(pipe, "x", direct).trouble, Trouble::NoReader);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  std::string got;
  const std::string sent(300'000, 'y');  // more than a pipe holds
  std::thread reading([&] {
    char part[65536];
    while (got.size() < sent.size()) {
      const ssize_t count = ::read(reader, part, sizeof part);
      if (count > 0) got.append(part, static_cast<std::size_t>(count));
    }
  });
  const Written written = write_whole(pipe, sent, direct);
  if (!written) got = sent;  // ends the reader
  reading.join();
  EXPECT_TRUE(written) << written.words;
  EXPECT_EQ(got, sent);
  ::close(reader);
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST(WholeFile, StandardOutputIsContinuedAndNotReplaced) {
  const Folder folder;
  const fs::path file = folder.path() / "out";
  for (const char* name : {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    put(file, "before ");
    const int result = in_child([&] {
      const int out = ::open(file.c_str(), O_WRONLY | O_APPEND);
      ::dup2(out, 1);
      return write_whole(name, "after", {.to_pipes = true}) ? 0 : 1;
    });
    EXPECT_EQ(result, 0);
    EXPECT_EQ(content_of(file), "before after") << name;
  }
}

TEST(WholeFile, WhatCannotBeWrittenIsToldAndTheOldFileStays) {
  const Folder folder;
  EXPECT_EQ(write_whole(folder.path() / "absent" / "a", "x").trouble, Trouble::NoFolder);
  EXPECT_THAT(write_whole(folder.path() / "absent" / "a", "x").words,
              HasSubstr("absent/a: its folder is not"));
  put(folder.path() / "a", "old", 0666);
  EXPECT_EQ(write_whole(folder.path() / "a" / "b", "x").trouble, Trouble::NoFolder);
  EXPECT_EQ(write_whole(folder.path() / std::string(300, 'n'), "x").trouble, Trouble::NameTooLong);
  // The longest name that there is leaves no room for a suffix.
  const fs::path longest = folder.path() / std::string(255, 'n');
  EXPECT_TRUE(write_whole(longest, "one"));
  EXPECT_TRUE(write_whole(longest, "two"));
  EXPECT_EQ(content_of(longest), "two");
  EXPECT_EQ(names_in(folder.path()).size(), 2u);
}

TEST(WholeFile, PermissionsAreObeyed) {
  const Folder folder;
  put(folder.path() / "protected", "old", 0444);
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown((folder.path() / "protected").c_str(), kNobody, kNobody), 0);
  }
  ASSERT_EQ(::chmod(folder.path().c_str(), 0777), 0);
  EXPECT_EQ(as_a_user([&] {
              const Written written = write_whole(folder.path() / "protected", "new");
              return written.trouble == Trouble::NotAllowed ? 0 : 1;
            }),
            0);
  ASSERT_EQ(::chmod(folder.path().c_str(), 0555), 0);
  EXPECT_EQ(as_a_user([&] {
              const Written written = write_whole(folder.path() / "another", "new");
              return written.trouble == Trouble::NotAllowed ? 0 : 1;
            }),
            0);
  ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
  EXPECT_EQ(content_of(folder.path() / "protected"), "old");
  EXPECT_EQ(names_in(folder.path()), std::set<std::string>{"protected"});
}

// The limit stands for a disk that fills up in the middle of the file.
TEST(WholeFile, WithoutRoomTheOldFileStays) {
  const Folder folder;
  put(folder.path() / "a", "old");
  EXPECT_EQ(in_child([&] {
              std::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{100'000, 100'000};
              ::setrlimit(RLIMIT_FSIZE, &limit);
              const Written written = write_whole(folder.path() / "a", std::string(200'000, 'x'));
              const bool told = written.words.english().find("no room") != std::string::npos &&
                                written.words.english().find("as it was") != std::string::npos;
              return written.trouble == Trouble::NoRoom && told ? 0 : 1;
            }),
            0);
  EXPECT_EQ(content_of(folder.path() / "a"), "old");
  EXPECT_EQ(names_in(folder.path()).size(), 1u);
}

TEST(WholeFile, WhatAKilledWriterLeftIsRemoved) {
  const Folder folder;
  put(folder.path() / temporary_name(), "half");
  fs::create_directories(folder.path() / temporary_name() / "slides");
  put(folder.path() / ".warplens-news", "a file of another name");
  const fs::path in_use = folder.path() / temporary_name();
  put(in_use, "another program writes it now");
  const Descriptor held(::open(in_use.c_str(), O_RDONLY));
  ASSERT_TRUE(hold(held.get()));
  EXPECT_TRUE(write_whole(folder.path() / "a", "x"));
  EXPECT_EQ(names_in(folder.path()),
            (std::set<std::string>{"a", ".warplens-news", in_use.filename().string()}));
}

// Several programs write one file, and some are killed: a reader finds one of the texts, whole.
TEST(WholeFile, AtEveryMomentItIsWhole) {
  const Folder folder;
  const fs::path file = folder.path() / "a";
  ASSERT_TRUE(write_whole(file, std::string(50'000, 'a')));
  const auto writer = [&](char letter) {
    const pid_t child = ::fork();
    if (child == 0) {
      while (true) (void)write_whole(file, std::string(50'000, letter), {.durable = false});
    }
    return child;
  };
  for (int round = 0; round < 20; ++round) {
    const pid_t one = writer('b'), two = writer('c');
    for (int i = 0; i < 20; ++i) {
      const std::string text = content_of(file);
      ASSERT_EQ(text.size(), 50'000u);
      ASSERT_EQ(text, std::string(50'000, text[0]));
    }
    for (const pid_t child : {one, two}) {
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
    }
  }
  EXPECT_TRUE(write_whole(file, "last"));
  EXPECT_EQ(names_in(folder.path()), std::set<std::string>{"a"});
}

TEST(DraftFolder, IsThereAsAWholeOrNotAtAll) {
  const Folder folder;
  {
    DraftFolder draft(folder.path() / "slides");
    ASSERT_EQ(draft.trouble(), "");
    put(draft.path() / "001.png", "x");
    EXPECT_FALSE(fs::exists(folder.path() / "slides"));
    EXPECT_EQ(draft.keep(), "");
  }
  EXPECT_EQ(content_of(folder.path() / "slides" / "001.png"), "x");
  { const DraftFolder given_up(folder.path() / "others"); }
  EXPECT_EQ(names_in(folder.path()), std::set<std::string>{"slides"});
  EXPECT_THAT(DraftFolder(folder.path() / "absent" / "slides").trouble(), HasSubstr("cannot be made"));
}

}  // namespace
}  // namespace warplens::file
