// C = A B on tensor cores: halves in, sums and results in float. A warp
// computes 16 x 16 of C and fetches all it needs from global memory: 16
// rows of A and of B a turn, 32 bytes of each, one sector. The warps of
// a block lie side by side in C, so their sectors do too.
#include <mma.h>

__global__ void hgemm_wmma(float* C, const half* A, const half* B, int m,
                           int n, int k) {
  using namespace nvcuda;
  constexpr int T = 16;  // a fragment's rows, columns and depth
  int row = (blockIdx.y * blockDim.y + threadIdx.y) * T;
  int col = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * T;
  if (row >= m || col >= n) return;  // a warp as a whole
  wmma::fragment<wmma::matrix_a, T, T, T, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, T, T, T, half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, T, T, T, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int p = 0; p < k; p += T) {
    wmma::load_matrix_sync(a, &A[row * k + p], k);
    wmma::load_matrix_sync(b, &B[p * n + col], n);
    wmma::mma_sync(sum, a, b, sum);
  }
  wmma::store_matrix_sync(&C[row * n + col], sum, n,
                          wmma::mem_row_major);
}
