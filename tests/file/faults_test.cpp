// What a disk or a file system refuses at an unlucky moment: this program's own openat, fsync and rename
// stand before the system's and fail where they are told to.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <fstream>
#include <sstream>

#include "sim/file/whole_file.h"
#include "tests/scenario/folder.h"

namespace {

// Error numbers to fail with; 0: as the system does it.
struct Faults {
  int made = 0, sync = 0, rename = 0;
  int renames = 0;  // asked for so far
};
Faults faults;

int refused(int error) {
  errno = error;
  return -1;
}

}  // namespace

extern "C" {
int openat(int folder, const char* name, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const unsigned mode = va_arg(arguments, unsigned);
  va_end(arguments);
  if ((flags & O_CREAT) != 0 && faults.made != 0) return refused(faults.made);
  return static_cast<int>(::syscall(SYS_openat, folder, name, flags, mode));
}
int fsync(int descriptor) {
  if (faults.sync != 0) return refused(faults.sync);
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}
int renameat(int from, const char* name, int to, const char* other) {
  ++faults.renames;
  if (faults.rename != 0) return refused(faults.rename);
  return static_cast<int>(::syscall(SYS_renameat2, from, name, to, other, 0));
}
}

namespace warplens::file {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class AFault : public ::testing::Test {
 protected:
  AFault() {
    faults = {};
    std::ofstream(file) << "old";
    ::chmod(file.c_str(), 0600);
  }
  ~AFault() override { faults = {}; }

  std::string content() const {
    std::ifstream stream(file);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
  }
  // What was there still is, and nothing else.
  void expect_untouched(const Written& written, Trouble trouble) const {
    EXPECT_EQ(written.trouble, trouble) << written.words;
    EXPECT_THAT(written.words, HasSubstr(file.string()));
    EXPECT_EQ(content(), "old");
    EXPECT_EQ(files(), 1u);
  }

  scenario::Folder folder;
  fs::path file = folder.path() / "a";
};

TEST_F(AFault, TheDiskIsFullWhenItComesToTheDisk) {
  faults.sync = ENOSPC;
  expect_untouched(write_whole(file, "new"), Trouble::NoRoom);
  faults.sync = EIO;
  expect_untouched(write_whole(file, "new"), Trouble::Failed);
  EXPECT_TRUE(write_whole(file, "new", {.durable = false}));
}

TEST_F(AFault, AFileSystemThatCannotSyncIsNoFailure) {
  faults.sync = EINVAL;
  EXPECT_TRUE(write_whole(file, "new"));
  EXPECT_EQ(content(), "new");
}

TEST_F(AFault, ARenameThatFailsLeavesNothing) {
  faults.rename = EIO;
  expect_untouched(write_whole(file, "new"), Trouble::Failed);
  faults.rename = EROFS;
  expect_untouched(write_whole(file, "new"), Trouble::ReadOnly);
}

TEST_F(AFault, ADiskThatIsFullFromTheBeginning) {
  faults.made = ENOSPC;
  expect_untouched(write_whole(file, "new"), Trouble::NoRoom);
  EXPECT_EQ(faults.renames, 0);
}

}  // namespace
}  // namespace warplens::file
