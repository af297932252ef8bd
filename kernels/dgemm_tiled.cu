// C = alpha A B + beta C in double precision, column by column in
// memory: A(i, p) is A[i + p * m]. The tile of A is transposed on its
// way into shared memory, so that both tiles are used along their rows:
//
//     in memory, a line is         in shared memory, a row is
//     a column of A                a row of A
//       A(0,0) A(1,0) A(2,0) ..      A(0,0) A(0,1) A(0,2) ..   a[0]
//       A(0,1) A(1,1) A(2,1) ..      A(1,0) A(1,1) A(1,2) ..   a[1]
//
// A warp therefore stores down a column of the tile; a column of
// padding takes the bank conflicts away.
template <int SIDE, int PAD>
__global__ void dgemm_tiled(double* C, const double* A,
                            const double* B, int m, int n, int k,
                            double alpha, double beta) {
  __shared__ double a[SIDE][SIDE + PAD];  // a[i][p]: row i of A
  __shared__ double b[SIDE][SIDE + PAD];  // b[j][p]: column j of B
  int i = threadIdx.x, j = threadIdx.y;
  int row = blockIdx.x * SIDE + i;  // lanes run down a column: side by
  int col = blockIdx.y * SIDE + j;  // side in memory
  double sum = 0;
  for (int first = 0; first < k; first += SIDE) {
    a[i][j] = row < m && first + j < k
                  ? A[row + (first + j) * m] : 0.0;
    b[j][i] = first + i < k && col < n
                  ? B[first + i + col * k] : 0.0;
    __syncthreads();  // the tiles are complete
    for (int p = 0; p < SIDE; ++p)
      sum += a[i][p]
           * b[j][p];
    __syncthreads();  // and used, before the next are loaded
  }
  if (row < m && col < n)
    C[row + col * m] = alpha * sum + beta * C[row + col * m];
}
