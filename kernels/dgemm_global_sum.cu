// A warning: the same tiles, but the sum is kept in global memory.
// Every turn of the inner loop reads C and writes C; all that the
// tiles save is lost again. (volatile: a compiler that notices would
// keep the sum in a register.)
template <int T, int PAD>
__global__ void dgemm_global_sum(volatile double* C, const double* A,
                                 const double* B, int m, int n, int k,
                                 double alpha, double beta) {
  __shared__ double a[T][T + PAD];
  __shared__ double b[T][T + PAD];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.x * T + x;
  int col = blockIdx.y * T + y;
  bool inside = row < m && col < n;
  if (inside)
    C[row + col * m] = beta * C[row + col * m];
  for (int first = 0; first < k; first += T) {
    a[x][y] = row < m && first + y < k
                  ? A[row + (first + y) * m] : 0.0;
    b[y][x] = first + x < k && col < n
                  ? B[first + x + col * k] : 0.0;
    __syncthreads();
    for (int p = 0; p < T; ++p)
      if (inside)
        C[row + col * m] = C[row + col * m]
                         + alpha * a[x][p] * b[y][p];
    __syncthreads();
  }
}
