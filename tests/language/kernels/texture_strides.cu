// Fetches whose sectors an H200 has counted: floats some distance apart, and bytes side by side.
#include <cuda_runtime.h>

__global__ void strided_fetch(cudaTextureObject_t x, float* out, int stride, int first) {
  int i = threadIdx.x;
  out[i] = tex1Dfetch<float>(x, i * stride + first);
}

__global__ void bytes_fetch(cudaTextureObject_t x, unsigned char* out) {
  out[threadIdx.x] = tex1Dfetch<unsigned char>(x, threadIdx.x);
}

__global__ void vectors_fetch(cudaTextureObject_t x, float4* out, int stride) {
  out[threadIdx.x] = tex1Dfetch<float4>(x, threadIdx.x * stride);
}

void run(cudaTextureObject_t x, float* out) {
  strided_fetch<<<1, 32>>>(x, out, 1, 0);
  bytes_fetch<<<1, 32>>>(x, nullptr);
  vectors_fetch<<<1, 32>>>(x, nullptr, 1);
}
