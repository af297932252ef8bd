#include <cuda_runtime.h>
#define NUM_BINS 64
typedef unsigned int u32;

__global__ void histogram_gmem(const unsigned char *in, int n, u32 *out) {
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  int stride = blockDim.x * gridDim.x;
  for (int i = tid; i < n; i += stride) atomicAdd(&out[in[i] % NUM_BINS], 1u);
}

__global__ void histogram_smem(const unsigned char *in, int n, u32 *out) {
  __shared__ u32 smem[NUM_BINS];
  for (int i = threadIdx.x; i < NUM_BINS; i += blockDim.x) smem[i] = 0;
  __syncthreads();
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
    unsigned char value = in[i];
    atomicAdd(&smem[value & (NUM_BINS - 1)], 1);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < NUM_BINS; i += blockDim.x)
    if (smem[i]) atomicAdd(out + i, smem[i]);
}

__global__ void minmax(const int *in, int n, int *lowest, int *highest, unsigned long long *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicMin(lowest, in[i]);
    atomicMax(highest, in[i]);
    atomicAdd(sum, (unsigned long long)in[i]);
  }
}

// ---- host
int main() {
  histogram_gmem<<<16, 256>>>(d_in, n, d_out);
  histogram_smem<<<16, 256>>>(d_in, n, d_out);
  return 0;
}
