// Loads on their way in the kernels of the gallery, against what the block asks for when it is only counted.
#include "sim/count/load_waits.h"

#include <gtest/gtest.h>

#include <set>

#include "sim/count/block_accesses.h"
#include "sim/memory/coalescing.h"
#include "sim/program/access.h"
#include "tests/kernels/gallery.h"

namespace warplens::test {
namespace {

// Where loads that are on their way together share sectors: x, y and z of a structure; what threads far apart
// read of one row; both elements of a pair; neighbours in a stencil; the elements of a key, one after the
// other; a row's begin and end; matrices of 8 x 8 beside each other in a fragment; an element that the text
// loads twice.
const std::set<std::string>& share_sectors() {
  static const std::set<std::string> names{
      "hgemm_wmma",        "sum_aos",           "sgemm_register_distance", "rope_pairs",
      "stencil_1d_global", "stencil_2d_global", "attention_global",        "spmv_scalar",
      "spmv_vector",       "layer_norm_thread", "layer_norm_warp",         "softmax_online"};
  return names;
}

class LoadWaitsOf : public testing::TestWithParam<std::string> {};

// Another way through the same block: counted, without values.
TEST_P(LoadWaitsOf, AreOfAllLoadsOfTheBlock) {
  const scenario::Setup made = setup({GetParam(), {}});
  const sim::Program program = compile(made);
  const memory::GpuModel& gpu = memory::default_gpu_model();
  const sim::LoadWaits waits = sim::load_waits(program, made.launch, gpu);
  ASSERT_FALSE(waits.error) << waits.error->message.english();
  sim::BlockAccesses blocks(program, made.launch, gpu, Budget::endless());
  const std::vector<sim::GlobalAccess>* accesses = blocks.run(waits.block);
  ASSERT_NE(accesses, nullptr);
  std::uint64_t loads = 0, sectors = 0;
  std::set<std::pair<int, std::uint64_t>> distinct;  // of each warp
  for (const sim::GlobalAccess& access : *accesses) {
    if (access.step->site < 0) continue;  // bulk copies: no warp waits for them as it does for a load
    const sim::AccessSite& site = program.sites[static_cast<std::size_t>(access.step->site)];
    if (site.op != memory::Op::Load && site.op != memory::Op::Async) continue;  // copies are awaited too
    ++loads;
    sectors += static_cast<std::uint64_t>(
        memory::count_sectors(sim::access_at(site, memory::Space::Global, access.mask, 0, access.at)));
    for (std::size_t lane = 0; lane < memory::kWarpLanes; ++lane)
      if (access.mask >> lane & 1) distinct.emplace(access.warp, access.at[lane] / 32);
  }
  EXPECT_EQ(waits.loads, loads);
  const bool structures = GetParam() == "sum_aos";
  if (share_sectors().contains(GetParam())) {
    EXPECT_LT(waits.sectors, sectors);
  } else {
    EXPECT_EQ(waits.sectors, sectors);
  }
  EXPECT_GE(waits.sectors, distinct.size());
  if (structures) {
    EXPECT_EQ(waits.sectors, distinct.size()) << "all of its loads wait at once";
  }
  EXPECT_LE(waits.waits, loads);
  EXPECT_EQ(waits.waits == 0, loads == 0);
  EXPECT_GE(waits.loads_a_wait() + 1e-9, loads == 0 ? 0 : 1);
  EXPECT_LE(waits.loads_a_wait(), static_cast<double>(waits.most) + 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Gallery, LoadWaitsOf, testing::ValuesIn(all_names()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace warplens::test
