// C = alpha A B + beta C. sgemm_naive with x and y swapped, and that
// is all: threadIdx.x chooses the column, the lanes of a warp read
// neighbours in B and write neighbours in C.
__global__ void sgemm_coalesced_2d(float* C, const float* A,
                                   const float* B, int m, int n, int k,
                                   float alpha, float beta) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += A[row * k + i]
         * B[i * n + col];
  C[row * n + col] = alpha * sum + beta * C[row * n + col];
}
