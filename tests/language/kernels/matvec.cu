#include <cuda_runtime.h>
#define WARP_SIZE 32
#define FLOAT4(value) (reinterpret_cast<float4 *>(&(value))[0])

template <const int kWarpSize = WARP_SIZE>
__device__ __forceinline__ float warp_reduce_sum_f32(float val) {
#pragma unroll
  for (int mask = kWarpSize >> 1; mask >= 1; mask >>= 1) {
    val += __shfl_xor_sync(0xffffffff, val, mask);
  }
  return val;
}

// A warp a row of a; k a multiple of 128.
__global__ void sgemv_k128_f32x4_kernel(float *a, float *x, float *y, int M, int K) {
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int bx = blockIdx.x;
  int lane = tx % WARP_SIZE;
  int m = blockDim.y * bx + ty;
  if (m < M) {
    float sum = 0.0f;
    int NUM_WARPS = (((K + WARP_SIZE - 1) / WARP_SIZE) + 4 - 1) / 4;
#pragma unroll
    for (int w = 0; w < NUM_WARPS; ++w) {
      int k = (w * WARP_SIZE + lane) * 4;
      float4 reg_x = FLOAT4(x[k]);
      float4 reg_a = FLOAT4(a[m * K + k]);
      sum += (reg_a.x * reg_x.x + reg_a.y * reg_x.y + reg_a.z * reg_x.z + reg_a.w * reg_x.w);
    }
    sum = warp_reduce_sum_f32<WARP_SIZE>(sum);
    if (lane == 0) y[m] = sum;
  }
}

// ---- host
#define TORCH_BINDING(func) m.def(#func, &func, #func);
void sgemv(float *a, float *x, float *y, int M, int K) {
  dim3 block(32, 4), grid((M + 4 - 1) / 4);
  sgemv_k128_f32x4_kernel<<<grid, block>>>(a, x, y, M, K);
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { TORCH_BINDING(sgemv) }
