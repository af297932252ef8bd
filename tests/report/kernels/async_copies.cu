// Kernels of several warps with asynchronous copies. What Nsight Compute counts of each launch on an NVIDIA H100 is in
// tests/report/async_copies_test.cpp.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
#include <cuda/pipeline>
#include <cstdint>
namespace cg = cooperative_groups;

// Lanes 0 to 15 take the even 16 bytes, 16 to 31 the odd ones.
__global__ void by_async(const uint4* in, uint4* out) {
  __shared__ uint4 tile[32];
  int l = threadIdx.x;
  __pipeline_memcpy_async(&tile[l], &in[(l & 15) * 2 + (l >> 4)], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[l] = tile[l ^ 1];
}
// 1: a tile of 32 x 32 floats at the edge of a matrix: what lies beyond it is filled with zeros
__global__ void edge_tile(const float* a, float* out, int rows, int columns) {
  __shared__ float tile[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += blockDim.y) {
    const int y = blockIdx.y * 32 + j;
    const bool inside = x < columns && y < rows;
    __pipeline_memcpy_async(&tile[j][threadIdx.x], &a[inside ? y * columns + x : 0], 4, inside ? 0 : 4);
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  float sum = 0;
  for (int j = threadIdx.y; j < 32; j += blockDim.y) sum += tile[threadIdx.x][j];
  out[((blockIdx.y * gridDim.x + blockIdx.x) * blockDim.y + threadIdx.y) * 32 + threadIdx.x] = sum;
}

// 2: 16 bytes past L1, source size of 0 where the row is beyond the end, to a tile whose chunks are exchanged by XOR
__global__ void swizzled_rows(const float4* a, float4* out, int rows) {
  __shared__ float4 tile[64 * 8];
  for (int i = threadIdx.x; i < 64 * 8; i += blockDim.x) {
    const int r = i / 8, c = i % 8, row = blockIdx.x * 64 + r;
    const uint32_t to = static_cast<uint32_t>(__cvta_generic_to_shared(&tile[r * 8 + (c ^ (r & 7))]));
    const int size = row < rows ? 16 : 0;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(a + row * 8 + c), "r"(size) : "memory");
  }
  asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[(threadIdx.x % 64) * 8 + threadIdx.x / 64];
}

// 3: columns of a matrix into rows: 4 bytes a lane, shared memory conflicts, lanes that are not there
__global__ void columns(const float* a, float* out, int n) {
  __shared__ float tile[32 * 32];
  for (int j = threadIdx.y; j < 32; j += blockDim.y)
    if (threadIdx.x + j < 48) __pipeline_memcpy_async(&tile[threadIdx.x * 32 + j], &a[j * n + threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.y * 32 + threadIdx.x];
}

// 4: cuda::memcpy_async of one element a thread, in a pipeline of the thread
__global__ void by_pipeline(const double* a, double* out, int n) {
  __shared__ double tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  if (i < n) cuda::memcpy_async(&tile[threadIdx.x ^ 3], &a[i], cuda::aligned_size_t<8>(8), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  pipe.consumer_release();
  __syncthreads();
  if (i < n) out[i] = tile[threadIdx.x];
}

// 5: cooperative_groups::memcpy_async of a block
__global__ void by_group(const int* a, int* out) {
  __shared__ __align__(16) int tile[1024];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, tile, a + blockIdx.x * 1024, cuda::aligned_size_t<16>(sizeof(tile)));
  cg::wait(block);
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x * 4 % 1024];
}

// 6: an ignore-src predicate: 8 bytes through L1, every third pair is left out
__global__ void ignored(const float2* a, float2* out, int n) {
  __shared__ float2 tile[256];
  const uint32_t to = static_cast<uint32_t>(__cvta_generic_to_shared(&tile[(threadIdx.x * 5) % 256]));
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %2, 0; cp.async.ca.shared.global [%0], [%1], 8, p; }" ::"r"(to),
               "l"(a + threadIdx.x * n), "r"(threadIdx.x % 3 == 0 ? 1 : 0)
               : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

// 7: a tail of bytes: 16 bytes through L1, the last lane takes what is left
__global__ void tail(const char* a, int4* out, int bytes) {
  __shared__ int4 tile[256];
  const int left = bytes - 16 * static_cast<int>(threadIdx.x);
  const int size = left < 0 ? 0 : left > 16 ? 16 : left;
  const uint32_t to = static_cast<uint32_t>(__cvta_generic_to_shared(&tile[threadIdx.x]));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(a + 16 * threadIdx.x), "r"(size) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

// 8: a whole warp beyond the end
__global__ void beyond(const float* a, float* out, int n) {
  __shared__ float tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __pipeline_memcpy_async(&tile[threadIdx.x], &a[i < n ? i : 0], 4, i < n ? 0 : 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[i] = tile[threadIdx.x ^ 1];
}

int main() {
  char *a = nullptr, *o = nullptr;
  const size_t size = 16 << 20;
  if (cudaMalloc(&a, size) != cudaSuccess || cudaMalloc(&o, size) != cudaSuccess) return 1;
  cudaMemset(a, 0, size);
  by_async<<<1, 32>>>((uint4*)a, (uint4*)o);
  edge_tile<<<dim3(3, 3), dim3(32, 8)>>>((float*)a, (float*)o, 70, 83);
  swizzled_rows<<<3, 256>>>((float4*)a, (float4*)o, 150);
  columns<<<1, dim3(32, 8)>>>((float*)a, (float*)o, 1000);
  by_pipeline<<<5, 256>>>((double*)a, (double*)o, 1100);
  by_group<<<4, 256>>>((int*)a, (int*)o);
  ignored<<<1, 256>>>((float2*)a, (float2*)o, 40);
  tail<<<1, 256>>>(a, (int4*)o, 3001);
  beyond<<<2, 256>>>((float*)a, (float*)o, 300);
  return cudaDeviceSynchronize() != cudaSuccess;
}
