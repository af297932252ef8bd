// Only files are read, and reading never waits.
#include "sim/text/read_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>


#include "tests/scenario/folder.h"

namespace warplens::text {
namespace {

using ::testing::HasSubstr;

class ReadFile : public ::testing::Test {
 protected:
  // The error, or what was read.
  std::string read(const std::filesystem::path& file, std::size_t most = 100) {
    std::string text;
    Message error;
    return read_file(file, most, &text, &error) ? text : error.english();
  }
  scenario::Folder folder_;
};

TEST_F(ReadFile, ReadsAFileOfTheSizeAllowed) {
  EXPECT_EQ(read(folder_.write("a", "abc"), 3), "abc");
  EXPECT_THAT(read(folder_.write("a", "abcd"), 3), HasSubstr("larger than 3 bytes"));
  EXPECT_EQ(read("/proc/self/comm").substr(0, 4), "test");  // of a size that is not told
  EXPECT_THAT(read("/proc/self/smaps", 100), HasSubstr("larger than 100 bytes"));
}

TEST_F(ReadFile, RefusesWhatIsNoFileByName) {
  const std::string pipe = (folder_.path() / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(read(pipe), pipe + ": is a pipe, not a file");
  std::filesystem::create_symlink(pipe, folder_.path() / "link");
  EXPECT_THAT(read(folder_.path() / "link"), HasSubstr("is a pipe"));
  EXPECT_THAT(read(folder_.path()), HasSubstr("is a folder"));
  EXPECT_THAT(read("/dev/zero"), HasSubstr("is a device"));
  EXPECT_THAT(read(folder_.path() / "absent"), HasSubstr("cannot be opened"));
  std::filesystem::create_symlink(folder_.path() / "loop", folder_.path() / "loop");
  EXPECT_THAT(read(folder_.path() / "loop"), HasSubstr("cannot be opened"));
}

TEST_F(ReadFile, RefusesASocket) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = (folder_.path() / "socket").string();
  ASSERT_LT(name.size(), sizeof address.sun_path);
  std::strcpy(address.sun_path, name.c_str());
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(read(name), name + ": is a socket, not a file");
  ::close(descriptor);
}

}  // namespace
}  // namespace warplens::text
