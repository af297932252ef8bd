// Products with nvcuda::wmma, of halves as introductions to tensor cores have them: a warp a tile of the result,
// straight from global memory, and through tiles in shared memory.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

constexpr int kTile = 16;

// c = alpha a b + beta c, of 16 x 16 tiles; a warp each.
__global__ void wmma_simple(const half* a, const half* b, float* c, int m, int n, int k, float alpha, float beta) {
  const int warp_m = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
  const int warp_n = blockIdx.y * blockDim.y + threadIdx.y;
  wmma::fragment<wmma::matrix_a, kTile, kTile, kTile, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, kTile, kTile, kTile, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, kTile, kTile, kTile, float> sum, fc;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < k; i += kTile) {
    wmma::load_matrix_sync(fa, a + warp_m * kTile * k + i, k);
    wmma::load_matrix_sync(fb, b + i + warp_n * kTile * k, k);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  float* tile = c + warp_m * kTile * n + warp_n * kTile;
  wmma::load_matrix_sync(fc, tile, n, wmma::mem_row_major);
  for (int i = 0; i < fc.num_elements; i++) fc.x[i] = alpha * sum.x[i] + beta * fc.x[i];
  wmma::store_matrix_sync(tile, fc, n, wmma::mem_row_major);
}

// One product of every shape and order, its factors once from shared and once from global memory.
#define SHAPE(name, A, T, M, N, ORDER_A, ORDER_B, LD_A, LD_B, LD_C, ORDER_C)                       \
  __global__ void name(const A* a, const A* b, T* c) {                                             \
    __shared__ __align__(32) A tile_a[1024];                                                       \
    __shared__ __align__(32) A tile_b[1024];                                                       \
    for (int i = threadIdx.x; i < 1024; i += 32) {                                                 \
      tile_a[i] = a[i];                                                                            \
      tile_b[i] = b[i];                                                                            \
    }                                                                                              \
    __syncthreads();                                                                               \
    wmma::fragment<wmma::matrix_a, M, N, 16, A, wmma::ORDER_A> fa, ga;                             \
    wmma::fragment<wmma::matrix_b, M, N, 16, A, wmma::ORDER_B> fb, gb;                             \
    wmma::fragment<wmma::accumulator, M, N, 16, T> fc;                                             \
    wmma::load_matrix_sync(fa, tile_a, LD_A);                                                      \
    wmma::load_matrix_sync(fb, tile_b, LD_B);                                                      \
    wmma::load_matrix_sync(ga, a, LD_A);                                                           \
    wmma::load_matrix_sync(gb, b, LD_B);                                                           \
    wmma::load_matrix_sync(fc, c, LD_C, wmma::ORDER_C);                                            \
    wmma::mma_sync(fc, fa, gb, fc);                                                                \
    wmma::mma_sync(fc, ga, fb, fc);                                                                \
    wmma::store_matrix_sync(c, fc, LD_C, wmma::ORDER_C);                                           \
  }

SHAPE(square_rows, half, float, 16, 16, row_major, row_major, 24, 24, 20, mem_row_major)
SHAPE(square_columns, half, float, 16, 16, col_major, col_major, 24, 16, 20, mem_col_major)
SHAPE(square_halves, half, half, 16, 16, col_major, row_major, 16, 24, 24, mem_row_major)
SHAPE(square_half_columns, half, half, 16, 16, row_major, col_major, 16, 24, 24, mem_col_major)
SHAPE(tall, half, float, 32, 8, row_major, row_major, 24, 8, 12, mem_row_major)
SHAPE(tall_columns, half, float, 32, 8, col_major, col_major, 40, 24, 36, mem_col_major)
SHAPE(flat, half, float, 8, 32, row_major, row_major, 24, 40, 36, mem_row_major)
SHAPE(flat_columns, half, half, 8, 32, col_major, col_major, 16, 24, 16, mem_col_major)
SHAPE(square_bytes, signed char, int, 16, 16, row_major, col_major, 48, 32, 20, mem_row_major)
SHAPE(square_turned, unsigned char, int, 16, 16, col_major, row_major, 32, 48, 20, mem_col_major)
SHAPE(tall_bytes, unsigned char, int, 32, 8, row_major, col_major, 32, 16, 12, mem_row_major)
SHAPE(flat_bytes, signed char, int, 8, 32, row_major, col_major, 16, 32, 12, mem_col_major)
SHAPE(flat_turned, unsigned char, int, 8, 32, col_major, row_major, 16, 48, 36, mem_row_major)

// Floats that a kernel rounds, or whose lower bits are left out.
__global__ void tf32_product(const float* a, const float* b, float* c, int n, int k) {
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < k; i += 8) {
    wmma::load_matrix_sync(fa, a + blockIdx.y * 16 * k + i, k);
    wmma::load_matrix_sync(fb, b + i * n + blockIdx.x * 16, n);
    for (int t = 0; t < fa.num_elements; t++) fa.x[t] = wmma::__float_to_tf32(fa.x[t]);
    for (int t = 0; t < fb.num_elements; t++) fb.x[t] = wmma::__float_to_tf32(fb.x[t]);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  wmma::store_matrix_sync(c + blockIdx.y * 16 * n + blockIdx.x * 16, sum, n, wmma::mem_row_major);
}

__global__ void tf32_shared(const float* a, const float* b, float* c) {
  __shared__ float tile_a[16 * 12];
  __shared__ float tile_b[16 * 20];
  for (int i = threadIdx.x; i < 128; i += 32) {
    tile_a[i / 8 * 12 + i % 8] = a[i];
    tile_b[i / 8 * 20 + i % 8] = b[i];
  }
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
  wmma::fill_fragment(sum, 1.0f);
  wmma::load_matrix_sync(fa, tile_a, 12);
  wmma::load_matrix_sync(fb, tile_b, 20);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_col_major);
}
SHAPE(square_brains, __nv_bfloat16, float, 16, 16, col_major, col_major, 24, 16, 20, mem_row_major)
// ---- host
void run(const half* a, const half* b, float* c, int m, int n, int k) {
  wmma_simple<<<dim3(m / 64, n / 16), dim3(128, 1)>>>(a, b, c, m, n, k, 1.0f, 0.0f);
}
void run(const float* a, const float* b, float* c, const signed char* x, int* y) {
  tf32_product<<<dim3(2, 2), 32>>>(a, b, c, 32, 24);
  tf32_shared<<<1, 32>>>(a, b, c);
  square_bytes<<<1, 32>>>(x, x, y);
  flat_bytes<<<1, 32>>>(x, x, y);
}
