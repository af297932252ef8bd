#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "sim/file/temporary.h"
#include "tests/scenario/folder.h"

namespace warplens::file {
namespace {

namespace fs = std::filesystem;

TEST(Lock, IsHeldByOneAtATimeAndEndsWithItsHolder) {
  const scenario::Folder folder;
  const fs::path file = folder.path() / "lock";
  EXPECT_FALSE(Lock::is_held(file));
  EXPECT_FALSE(fs::exists(file)) << "asking makes no file";
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t holder = ::fork();
  if (holder == 0) {
    const auto lock = Lock::take(file);
    char held = lock ? 'y' : 'n';
    if (::write(ready[1], &held, 1) == 1) ::pause();
    ::_exit(0);
  }
  char held = 0;
  ASSERT_EQ(::read(ready[0], &held, 1), 1);
  EXPECT_EQ(held, 'y');
  EXPECT_TRUE(Lock::is_held(file));
  EXPECT_FALSE(Lock::take(file, 0.05));
  ::kill(holder, SIGKILL);
  ::waitpid(holder, nullptr, 0);
  EXPECT_FALSE(Lock::is_held(file));
  {
    const auto mine = Lock::take(file);
    EXPECT_TRUE(mine);
    EXPECT_FALSE(Lock::take(file));
  }
  EXPECT_TRUE(Lock::take(file));
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST(Lock, FollowsNoLinkAndSaysWhereItCannotBeMade) {
  const scenario::Folder folder;
  std::ofstream(folder.path() / "precious") << "old";
  fs::create_symlink("precious", folder.path() / "lock");
  EXPECT_FALSE(Lock::take(folder.path() / "lock"));
  EXPECT_FALSE(Lock::take(folder.path() / "absent" / "lock"));
}

}  // namespace
}  // namespace warplens::file
