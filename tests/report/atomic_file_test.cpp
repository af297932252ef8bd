#include "sim/report/atomic_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <sstream>

#include "tests/scenario/folder.h"

namespace warplens::report {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string content_of(const fs::path& file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(AtomicFile, ReplacesTheOldFileAndLeavesNothingElse) {
  const scenario::Folder folder;
  const fs::path file = folder.path() / "a.json";
  EXPECT_EQ(write_file(file, "old"), "");
  EXPECT_EQ(write_file(file, std::string(100000, 'x')), "");
  EXPECT_EQ(content_of(file).size(), 100000u);
  EXPECT_EQ(files_in(folder.path()), 1u);
  struct stat status {};
  ASSERT_EQ(::stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0600, 0600u);
}

TEST(AtomicFile, AFailureLeavesTheOldFile) {
  const scenario::Folder folder;
  EXPECT_THAT(write_file(folder.path() / "absent" / "a.json", "x"),
              HasSubstr("absent/a.json: cannot be written"));
  EXPECT_THAT(write_file(folder.path(), "x"), HasSubstr("is a folder"));
  EXPECT_EQ(files_in(folder.path()), 0u);
}

}  // namespace
}  // namespace warplens::report
