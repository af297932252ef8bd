// Copy a matrix by columns: threadIdx.x walks down a column, so that
// neighbouring lanes are a whole row apart in memory. The same bytes
// as copy_row, the same answer, and many times the sectors.
__global__ void copy_col(float* out, const float* in,
                         int nrows, int ncols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < nrows && col < ncols)
    out[row * ncols + col] = in[row * ncols + col];
}
