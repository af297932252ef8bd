// C = alpha A B + beta C in double precision, column by column in
// memory: A(i, p) is A[i + p * m]. The tile of A is transposed on its
// way into shared memory, so that both tiles are used along their
// rows; a column of padding takes the bank conflicts away.
template <int T, int PAD>
__global__ void dgemm_tiled(double* C, const double* A,
                            const double* B, int m, int n, int k,
                            double alpha, double beta) {
  __shared__ double a[T][T + PAD];
  __shared__ double b[T][T + PAD];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.x * T + x;  // lanes run down a column, in memory
  int col = blockIdx.y * T + y;  // side by side
  double sum = 0;
  for (int first = 0; first < k; first += T) {
    a[x][y] = row < m && first + y < k
                  ? A[row + (first + y) * m] : 0.0;
    b[y][x] = first + x < k && col < n
                  ? B[first + x + col * k] : 0.0;
    __syncthreads();  // the tiles are whole
    for (int p = 0; p < T; ++p)
      sum += a[x][p]
           * b[y][p];
    __syncthreads();  // and used, before the next are loaded
  }
  if (row < m && col < n)
    C[row + col * m] = alpha * sum + beta * C[row + col * m];
}
