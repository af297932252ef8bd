// Copies that a block or a tile of threads makes together.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>

namespace cg = cooperative_groups;

__global__ void block_copies(const float* in, float* out, int chunk, int chunks) {
  cg::thread_block block = cg::this_thread_block();
  extern __shared__ float tile[];
  for (int i = 0; i < chunks; ++i) {
    cg::memcpy_async(block, tile, in + i * chunk, sizeof(float) * chunk);
    cg::wait(block);
    for (int j = block.thread_rank(); j < chunk; j += block.size()) out[i * chunk + j] = tile[chunk - 1 - j];
    block.sync();
  }
}

__global__ void tile_copies(const float4* in, float4* out, int n) {
  __shared__ float4 tile[4][40];
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  int own = warp.meta_group_rank();
  cg::memcpy_async(warp, tile[own], 40, in + own * n, n);
  cg::wait(warp);
  for (int i = warp.thread_rank(); i < n; i += warp.size()) out[own * n + i] = tile[own][n - 1 - i];
}

using namespace cooperative_groups;

__global__ void promised(const char* in, int* out) {
  __shared__ alignas(16) char bytes[256];
  thread_block block = this_thread_block();
  memcpy_async(block, bytes, in, cuda::aligned_size_t<16>(256));
  wait(block);
  out[threadIdx.x] = bytes[threadIdx.x] + bytes[255 - threadIdx.x];
}

void run(const float* in, float* out) {
  block_copies<<<1, 64, 100 * sizeof(float)>>>(in, out, 100, 3);
  tile_copies<<<1, 128>>>(nullptr, nullptr, 37);
  promised<<<1, 256>>>(nullptr, nullptr);
}
