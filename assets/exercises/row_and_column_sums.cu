// A thread adds up a row, or a column, of a matrix of 1024 x 1024. Claim of both loads whether they are coalesced, and how
// many sectors and lines the first request touches.
__global__ void row_and_column_sums(const float* A, float* rows, float* columns, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float row = 0, column = 0;
  for (int k = 0; k < n; ++k) row += A[i * n + k];     // ? sectors, ? lines
  for (int k = 0; k < n; ++k) column += A[k * n + i];  // ? sectors, ? lines
  rows[i] = row;        // ? sectors
  columns[i] = column;  // ? sectors
}
