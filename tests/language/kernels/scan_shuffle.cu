#include <cuda_runtime.h>
constexpr unsigned FULL_MASK = 0xffffffff;

template <typename T>
__device__ __forceinline__ T warpInclusiveScan(T value, int lane) {
#pragma unroll
  for (int i = 1; i <= 16; i *= 2) {
    T n = __shfl_up_sync(FULL_MASK, value, i, 32);
    if (lane >= i) value += n;
  }
  return value;
}

template <typename T, int BLOCK>
__global__ void blockScan(const T *in, T *out, T *partial_sums) {
  static_assert(BLOCK % 32 == 0 && BLOCK <= 1024, "whole warps");
  __shared__ T sums[BLOCK / 32];
  const int id = blockIdx.x * BLOCK + threadIdx.x, lane = id % warpSize, warp = threadIdx.x / warpSize;
  T value = warpInclusiveScan(in[id], lane);
  if (lane == warpSize - 1) sums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    T sum = lane < BLOCK / 32 ? sums[lane] : T{};
    sum = warpInclusiveScan<T>(sum, lane);
    if (lane < BLOCK / 32) sums[lane] = sum;
  }
  __syncthreads();
  if (warp > 0) value += sums[warp - 1];
  out[id] = value;
  if (partial_sums != nullptr && threadIdx.x == BLOCK - 1) partial_sums[blockIdx.x] = value;
}

// ---- host
template <typename T> void scan_all(thrust::device_vector<T> &v) {
  blockScan<T, 256><<<v.size() / 256, 256>>>(raw(v), raw(v), nullptr);
}
