#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <stdio.h>
using namespace std;
namespace cg = cooperative_groups;
#define FULL_MASK 0xffffffffu

template <class T>
struct SharedMemory {
  __device__ inline operator T *() {
    extern __shared__ int __smem[];
    return (T *)__smem;
  }
};

__device__ __inline__ double block_sum(double x, double *shared) {
  const int lane = threadIdx.x & 0x1f, wid = threadIdx.x >> 5;
  for (int offset = warpSize / 2; offset > 0; offset /= 2) x += __shfl_down_sync(FULL_MASK, x, offset);
  if (lane == 0) shared[wid] = x;
  __syncthreads();
  return (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
}

template <typename T, unsigned int blockSize, bool nIsPow2>
__global__ void reduce5(T *__restrict__ g_idata, T *__restrict__ g_odata, unsigned int n) {
  cg::thread_block cta = cg::this_thread_block();
  extern __shared__ T sdata[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockSize * 2) + threadIdx.x;
  T mySum = (i < n) ? g_idata[i] : 0;
  if (nIsPow2 || i + blockSize < n) mySum += g_idata[i + blockSize];
  sdata[tid] = mySum;
  cg::sync(cta);
  for (unsigned int s = blockDim.x / 2; s > 32; s >>= 1) {
    if (tid < s) { sdata[tid] = mySum = mySum + sdata[tid + s]; }
    cg::sync(cta);
  }
  cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
  if (cta.thread_rank() < 32) {
    if (blockSize >= 64) mySum += sdata[tid + 32];
    for (int offset = tile32.size() / 2; offset > 0; offset /= 2) mySum += tile32.shfl_down(mySum, offset);
  }
  auto grid = cg::this_grid();
  if (cta.thread_rank() == 0) g_odata[blockIdx.x] = mySum;
}

extern "C" __global__ void warp_vote(const int* in, unsigned long long *out) {
  bool p = in[threadIdx.x] != 0;
  unsigned ballot = __ballot_sync(~0u, p);
  int any = __any_sync(FULL_MASK, p) ? 1 : 0, all = __all_sync(FULL_MASK, p);
  if ((threadIdx.x & 31) == 0) out[threadIdx.x >> 5] = (unsigned long long)__popc(ballot) << 32 | any + all;
}

extern "C" {
bool is_pow2(unsigned int x) { return ((x & (x - 1)) == 0); }
__device__ int never_called(void) { return -1; }
}

template <class T>
void reduce(int size, int threads, int blocks, T *d_idata, T *d_odata) {
  int smemSize = (threads <= 32) ? 2 * threads * sizeof(T) : threads * sizeof(T);
  switch (threads) {
    case 512:
      reduce5<T, 512, true><<<dim3(blocks, 1, 1), threads, smemSize>>>(d_idata, d_odata, size);
      break;
  }
}
template void reduce<int>(int size, int threads, int blocks, int *d_idata, int *d_odata);
