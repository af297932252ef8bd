// nvprof's names beside those of Nsight Compute, and the page that lists them.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "app/readout/words.h"

namespace warplens::app {
namespace {

using testing::HasSubstr;

const std::filesystem::path kSource = WARPLENS_SOURCE_DIR;

TEST(ProfilerNames, ThePageHasTheTable) {
  std::ifstream file(kSource / "docs" / "nvprof.md");
  const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  for (const ProfilerName& name : profiler_names()) {
    const std::string counter = name.counter.empty() ? "none" : "`" + std::string(name.counter) + "`";
    EXPECT_THAT(page, HasSubstr("| `" + std::string(name.nvprof) + "` | " + counter + " |"));
  }
}

TEST(ProfilerNames, OfACounter) {
  EXPECT_EQ(nvprof_names_of("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"), "gst_transactions");
  EXPECT_EQ(nvprof_names_of("no_such_counter"), "");
  EXPECT_EQ(nvprof_names_of(""), "");
}

}  // namespace
}  // namespace warplens::app
