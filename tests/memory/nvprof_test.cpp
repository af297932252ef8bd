// What nvprof shows for a request: published for a Quadro P2000, counted from addresses here.
#include "sim/memory/nvprof.h"

#include <gtest/gtest.h>

#include "sim/memory/coalescing.h"

namespace warplens::memory {
namespace {

WarpAccess access_of(Op op, int bytes, Address stride) {
  WarpAccess access;
  access.op = op, access.bytes = bytes;
  for (int lane = 0; lane < kWarpLanes; ++lane)
    access.addresses[static_cast<std::size_t>(lane)] = static_cast<Address>(lane) * stride;
  return access;
}

const GpuModel& gpu(std::string_view name) {
  return *find_gpu_model(name);
}

// 4096 x 4096 floats: the copy and the tile 16 and 4, the naive transpose 16 and 32.
TEST(Nvprof, TransactionsARequestAreThePublishedOnesOfAQuadroP2000) {
  for (const char* name : {"sm_60", "sm_61"}) {
    EXPECT_EQ(count_nvprof_transactions(access_of(Op::Load, 4, 4), gpu(name)), 16) << name;
    EXPECT_EQ(count_nvprof_transactions(access_of(Op::Store, 4, 4), gpu(name)), 4) << name;
    EXPECT_EQ(count_nvprof_transactions(access_of(Op::Store, 4, 4 * 4096), gpu(name)), 32) << name;
  }
}

TEST(Nvprof, LoadsArePartedByTheBytesOfALane) {
  const GpuModel& pascal = gpu("sm_61");
  EXPECT_EQ(count_load_parts(access_of(Op::Load, 1, 1), pascal), 4);
  EXPECT_EQ(count_load_parts(access_of(Op::Load, 4, 4), pascal), 4);
  EXPECT_EQ(count_load_parts(access_of(Op::Load, 8, 8), pascal), 8);
  EXPECT_EQ(count_load_parts(access_of(Op::Load, 16, 16), pascal), 16);
  WarpAccess few = access_of(Op::Load, 8, 8);
  few.active = 0x000000f1;
  EXPECT_EQ(count_load_parts(few, pascal), 2);
  few.active = 0;
  EXPECT_EQ(count_load_parts(few, pascal), 0);
  EXPECT_EQ(count_nvprof_transactions(few, pascal), 0);
}

// They count data: what they are does not depend on where the lanes go.
TEST(Nvprof, TransactionsOfALoadAreNotSectors) {
  const WarpAccess scattered = access_of(Op::Load, 4, 4096);
  EXPECT_EQ(count_nvprof_transactions(scattered, gpu("sm_61")), 16);
  EXPECT_EQ(count_sectors(scattered), 32);
  EXPECT_EQ(count_nvprof_transactions(scattered, gpu("sm_70")), 32);
  EXPECT_EQ(count_nvprof_transactions(access_of(Op::Load, 4, 4), gpu("sm_70")), 4);
  EXPECT_EQ(count_load_parts(scattered, gpu("sm_70")), 1);
}

TEST(Nvprof, PascalSaysWhatIsNotChecked) {
  for (const GpuModel& model : gpu_models()) {
    EXPECT_EQ(model.load_split.splits(), model.compute_major == 6) << model.name;
    EXPECT_EQ(model.unchecked.empty(), model.compute_major != 6) << model.name;
  }
  EXPECT_EQ(gpu("sm_60").own_l1_bytes, 24 * 1024);
  EXPECT_EQ(gpu("sm_61").own_l1_bytes, 48 * 1024);
}

}  // namespace
}  // namespace warplens::memory
