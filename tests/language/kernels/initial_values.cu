#include <cuda_runtime.h>

struct Weight {
  float scale;
  short shift;
  int pair[2];
};
__host__ __device__ constexpr int square(int x) {
  return x * x;
}

__device__ int counter = 100;
__device__ float table[4] = {1, 2.5f, 3};
static __device__ const unsigned char steps[] = {3, 1, 4, 1, 5};
__device__ double matrix[2][3] = {{1, 2, 3}, {4, 5}};
__device__ float4 corner = {1.0f, 2.0f, 3.0f, 4.0f};
__device__ Weight weights[2] = {{0.5f, -2, {7, 8}}, {-1.5f, 9}};
__device__ const int kRounds = square(2) - 1;
__device__ long long big = -(1LL << 40);
__device__ float scattered[5000] = {1, 0, -1};

// Every block adds to what is there from the beginning.
__global__ void mixed(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) atomicAdd(&counter, square(3));
  if (i >= n) return;
  float x = in[i] * table[i & 3] + steps[i % 5];
  for (int r = 0; r < kRounds; ++r) x += (float)matrix[r & 1][i % 3];
  const Weight w = weights[i & 1];
  x += w.scale * w.pair[i & 1] + w.shift + corner.y + corner.w;
  scattered[4999 - i] = scattered[i] + (float)(big >> 40);
  out[i] = x;
}

// ---- host
int main() {
  mixed<<<4, 64>>>(in, out, 200);
}
