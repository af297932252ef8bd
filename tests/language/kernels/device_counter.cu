#include <cuda_runtime.h>
__device__ unsigned int count = 0;
__device__ int slots[128];
__constant__ float factors[4];

// The last block to finish adds up what the others left.
__global__ void sumLast(const float *in, volatile float *partial, float *total, unsigned n) {
  __shared__ float cache[64];
  __shared__ bool amLast;
  const unsigned tid = threadIdx.x;
  float v = 0;
  for (unsigned i = blockIdx.x * blockDim.x + tid; i < n; i += blockDim.x * gridDim.x) v += in[i] * factors[i & 3];
  cache[tid] = v;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) cache[tid] += cache[tid + s];
    __syncthreads();
  }
  if (tid == 0) {
    partial[blockIdx.x] = cache[0];
    __threadfence();
    unsigned ticket = atomicAdd(&count, 1u);
    amLast = (ticket == gridDim.x - 1);
    slots[ticket] = blockIdx.x;
  }
  __syncthreads();
  if (amLast && tid == 0) {
    float sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += partial[b];
    *total = sum;
    count = 0;
  }
}

// ---- host
int main() {
  cudaMemcpyToSymbol(factors, host, sizeof host);
  sumLast<<<4, 64>>>(in, partial, total, 1000);
}
