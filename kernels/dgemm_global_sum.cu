// A warning: the tiles of dgemm_tiled, but the sum is kept in global
// memory. Each turn of the inner loop reads C and writes C; all that
// the tiles save is lost again. (volatile: a compiler that notices
// would keep the sum in a register.)
template <int SIDE, int PAD>
__global__ void dgemm_global_sum(volatile double* C, const double* A,
                                 const double* B, int m, int n, int k,
                                 double alpha, double beta) {
  __shared__ double a[SIDE][SIDE + PAD];  // a[i][p]: row i of A
  __shared__ double b[SIDE][SIDE + PAD];  // b[j][p]: column j of B
  int i = threadIdx.x, j = threadIdx.y;
  int row = blockIdx.x * SIDE + i;
  int col = blockIdx.y * SIDE + j;
  bool inside = row < m && col < n;
  if (inside)
    C[row + col * m] = beta * C[row + col * m];
  for (int first = 0; first < k; first += SIDE) {
    a[i][j] = row < m && first + j < k
                  ? A[row + (first + j) * m] : 0.0;
    b[j][i] = first + i < k && col < n
                  ? B[first + i + col * k] : 0.0;
    __syncthreads();
    for (int p = 0; p < SIDE; ++p)
      if (inside)
        C[row + col * m] = C[row + col * m]
                         + alpha * a[i][p] * b[j][p];
    __syncthreads();
  }
}
