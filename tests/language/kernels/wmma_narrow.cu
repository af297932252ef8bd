// Products of bytes and of tf32 with nvcuda::wmma: a warp a tile, from global memory and through shared tiles.
#include <mma.h>

using namespace nvcuda;

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

#define BYTES(name, A, M, N, ORDER_A, ORDER_B, LD_A, LD_B, LD_C, ORDER_C)              \
  __global__ void name(const A* a, const A* b, int* c) {                               \
    __shared__ __align__(32) A tile_a[1024];                                           \
    __shared__ __align__(32) A tile_b[1024];                                           \
    for (int i = threadIdx.x; i < 1024; i += 32) {                                     \
      tile_a[i] = a[i];                                                                \
      tile_b[i] = b[i];                                                                \
    }                                                                                  \
    __syncthreads();                                                                   \
    wmma::fragment<wmma::matrix_a, M, N, 16, A, wmma::ORDER_A> fa, ga;                 \
    wmma::fragment<wmma::matrix_b, M, N, 16, A, wmma::ORDER_B> fb, gb;                 \
    wmma::fragment<wmma::accumulator, M, N, 16, int> fc;                               \
    wmma::load_matrix_sync(fa, tile_a, LD_A);                                          \
    wmma::load_matrix_sync(fb, tile_b, LD_B);                                          \
    wmma::load_matrix_sync(ga, a, LD_A);                                               \
    wmma::load_matrix_sync(gb, b, LD_B);                                               \
    wmma::load_matrix_sync(fc, c, LD_C, wmma::ORDER_C);                                \
    wmma::mma_sync(fc, fa, gb, fc);                                                    \
    wmma::mma_sync(fc, ga, fb, fc);                                                    \
    wmma::store_matrix_sync(c, fc, LD_C, wmma::ORDER_C);                               \
  }

BYTES(square_bytes, signed char, 16, 16, row_major, col_major, 48, 32, 20, mem_row_major)
BYTES(square_turned, unsigned char, 16, 16, col_major, row_major, 32, 48, 20, mem_col_major)
BYTES(tall_bytes, unsigned char, 32, 8, row_major, col_major, 32, 16, 12, mem_row_major)
BYTES(flat_bytes, signed char, 8, 32, row_major, col_major, 16, 32, 12, mem_col_major)
BYTES(flat_turned, unsigned char, 8, 32, col_major, row_major, 16, 48, 36, mem_row_major)

void run(const float* a, const float* b, float* c, const signed char* x, int* y) {
  tf32_product<<<dim3(2, 2), 32>>>(a, b, c, 32, 24);
  tf32_shared<<<1, 32>>>(a, b, c);
  square_bytes<<<1, 32>>>(x, x, y);
  flat_bytes<<<1, 32>>>(x, x, y);
}
