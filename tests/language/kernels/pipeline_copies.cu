// Copies past the registers with the functions that CUDA has for them, not of whole elements. In stages: the gallery's
// hgemm_async.
#include <cuda_pipeline.h>

// Four floats a thread; the last thread brings two of them and zeros.
__global__ void zeros_behind(const float4* in, float4* out) {
  __shared__ float4 tile[32];
  const int i = threadIdx.x;
  __pipeline_memcpy_async(tile + i, in + i, 16, i == 31 ? 8 : 0);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[i] = tile[31 - i];
}

// ---- host
void run(const float4* in, float4* out) {
  zeros_behind<<<1, 32>>>(in, out);
}
