// Products of tiles in shared memory: the loads along a row of a tile are neighbours, once the loop is unrolled.
#include <cuda_fp16.h>

template <class T, int N, int Pad>
__device__ void product(const T* a, const T* b, T* c, int n) {
  __shared__ T left[N][N + Pad], right[N][N + Pad];
  const int row = blockIdx.y * N + threadIdx.y, column = blockIdx.x * N + threadIdx.x;
  T sum = T(0);
  for (int step = 0; step < n; step += N) {
    left[threadIdx.y][threadIdx.x] = a[row * n + step + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(step + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < N; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// Blocks of N times N threads, which .reqntid of the PTX says.
#define BLOCK(N) __block_size__((N, N, 1))
#define PRODUCT(NAME, T, N, PAD) \
  extern "C" __global__ void BLOCK(N) NAME(const T* a, const T* b, T* c, int n) { product<T, N, PAD>(a, b, c, n); }

PRODUCT(tile16, float, 16, 0)
PRODUCT(tile32, float, 32, 0)
PRODUCT(tile8, float, 8, 0)
PRODUCT(tile16_padded, float, 16, 1)
PRODUCT(tile16_padded4, float, 16, 4)
PRODUCT(tile16_double, double, 16, 0)
PRODUCT(tile32_half, __half, 32, 0)
PRODUCT(tile16_int, int, 16, 0)

// Four rows and four columns each thread, of tiles that lie with k outside.
extern "C" __global__ void BLOCK(16) micro_tile(const float* a, const float* b, float* c, int n) {
  __shared__ float left[8][64], right[8][64];
  const int thread = threadIdx.y * 16 + threadIdx.x;
  float sum[4][4] = {};
  for (int step = 0; step < n; step += 8) {
    for (int i = thread; i < 8 * 64; i += 256) {
      left[i / 64][i % 64] = a[(i % 64) * n + step + i / 64];
      right[i / 64][i % 64] = b[(step + i / 64) * n + i % 64];
    }
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) sum[i][j] += left[k][threadIdx.y * 4 + i] * right[k][threadIdx.x * 4 + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) c[(threadIdx.y * 4 + i) * 64 + threadIdx.x * 4 + j] = sum[i][j];
}

extern "C" __global__ void BLOCK(16) tile_dynamic(const float* a, const float* b, float* c, int n) {
  extern __shared__ float tiles[];
  float* left = tiles;
  float* right = tiles + 256;
  const int row = threadIdx.y, column = threadIdx.x;
  left[row * 16 + column] = a[row * n + column];
  right[row * 16 + column] = b[row * n + column];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += left[row * 16 + k] * right[k * 16 + column];
  c[row * n + column] = sum;
}

// Both along rows: right transposed.
extern "C" __global__ void BLOCK(16) tile_rows(const float* a, const float* b, float* c, int n) {
  __shared__ float left[16][20], right[16][20];
  left[threadIdx.y][threadIdx.x] = a[threadIdx.y * n + threadIdx.x];
  right[threadIdx.x][threadIdx.y] = b[threadIdx.y * n + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += left[threadIdx.y][k] * right[threadIdx.x][k];
  c[threadIdx.y * n + threadIdx.x] = sum;
}
