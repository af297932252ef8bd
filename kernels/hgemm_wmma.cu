// C = A B on tensor cores: halves in, sums and results in float. A warp
// computes 16 x 16 of C and takes its fragments of A and B from global
// memory, 16 x 16 halves a turn, as four matrices of 8 x 8:
//
//      lane    0  1  2  3   8 halves of a row: 16 bytes,
//              4  5  6  7   half a sector; the next row is
//              8  9 ..      elsewhere
//
// and every warp beside or below it takes them again.
#include <mma.h>

__global__ void hgemm_wmma(float* C, const half* A, const half* B,
                           int m, int n, int k) {
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
