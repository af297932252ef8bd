#include <cuda_runtime.h>
#define NUM_PARTS  4
#define BINS_X     8
#define BINS_Y     4

__global__ void joint(const float2 *points, unsigned (*bins)[BINS_X], int n) {
  __shared__ unsigned parts[NUM_PARTS][BINS_Y][BINS_X];
  unsigned *flat = &parts[0][0][0];
  for (int i = threadIdx.x; i < NUM_PARTS * BINS_Y * BINS_X; i += blockDim.x) flat[i] = 0u;
  __syncthreads();
  unsigned(*mine)[BINS_X] = parts[threadIdx.x / 32 % NUM_PARTS];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float2 p = points[i];
    atomicAdd(&mine[min(int(p.y * BINS_Y), BINS_Y - 1)][min(int(p.x * BINS_X), BINS_X - 1)], 1u);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < BINS_Y * BINS_X; i += blockDim.x) {
    unsigned total = 0;
    for (int p = 0; p < NUM_PARTS; ++p) total += parts[p][i / BINS_X][i % BINS_X];
    if (total) atomicAdd(&bins[i / BINS_X][i % BINS_X], total);
  }
}

// ---- host
int main() { joint<<<2, 128>>>(points, (unsigned(*)[BINS_X])bins, 1000); }
