// C = alpha A B + beta C through square tiles in shared memory.
// A block loads a tile of A and one of B by rows, uses each element
// SIDE times, and goes on to the next pair: as many times fewer loads
// from global memory.
template <int SIDE>
__global__ void sgemm_tiled(float* C, const float* A, const float* B,
                            int m, int n, int k, float alpha,
                            float beta) {
  __shared__ float a[SIDE][SIDE];
  __shared__ float b[SIDE][SIDE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * SIDE + y;
  int col = blockIdx.x * SIDE + x;
  float sum = 0;
  for (int first = 0; first < k; first += SIDE) {
    // Beyond the edge a zero does not change the sum.
    a[y][x] = row < m && first + x < k
                  ? A[row * k + first + x] : 0.0f;
    b[y][x] = first + y < k && col < n
                  ? B[(first + y) * n + col] : 0.0f;
    __syncthreads();  // the tiles are complete
    for (int i = 0; i < SIDE; ++i)
      sum += a[y][i]
           * b[i][x];
    __syncthreads();  // and used, before the next are loaded
  }
  if (row < m && col < n)
    C[row * n + col] = alpha * sum + beta * C[row * n + col];
}
