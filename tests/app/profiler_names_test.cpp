// nvprof's names beside those of Nsight Compute, and the page that lists them.
#include "app/readout/profiler_names.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "tests/app/gallery.h"

namespace warplens::app {
namespace {

using testing::HasSubstr;

const std::filesystem::path kSource = WARPLENS_SOURCE_DIR;

TEST(ProfilerNames, ThePageIsTheTable) {
  std::ifstream file(kSource / "docs" / "nvprof.md");
  const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string table = profiler_names_page(strings_of("en"));
  EXPECT_THAT(page, HasSubstr(table)) << "docs/nvprof.md has to hold this table";
}

TEST(ProfilerNames, TranslateBothWays) {
  EXPECT_EQ(find_profiler_name("gld_transactions")->counter,
            "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
  EXPECT_EQ(nvprof_names_of("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"), "gst_transactions");
  EXPECT_EQ(nvprof_names_of("no_such_counter"), "");
  EXPECT_EQ(nvprof_names_of(""), "");
  EXPECT_EQ(find_profiler_name("no_such_name"), nullptr);
  EXPECT_THAT(profiler_name_tip("gst_efficiency", strings_of("en")),
              HasSubstr("smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct"));
  EXPECT_THAT(profiler_name_tip("shared_load_transactions_per_request", strings_of("en")), HasSubstr("none"));
}

}  // namespace
}  // namespace warplens::app
