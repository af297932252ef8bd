// Sparse matrix times vector, y = A x, in compressed rows (CSR): the
// elements of row r are values[starts[r]] up to starts[r + 1], each
// with its column. A thread a row: the lanes of a warp are as far apart
// as their rows begin, and wait for the longest of 32 rows.
// "unroll 1": an unrolled loop would let lanes with whole turns left
// run ahead of the others.
__global__ void spmv_scalar(float* y, const float* values,
                            const int* columns, const int* starts,
                            const float* x, int nrows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= nrows)
    return;
  int end = starts[row + 1];
  float sum = 0.0f;
#pragma unroll 1
  for (int j = starts[row]; j < end; ++j)
    sum += values[j] * x[columns[j]];
  y[row] = sum;
}
