// Transpose, reading rows and writing columns.
__global__ void transpose_naive_row(float* out, const float* in,
                                    int nrows, int ncols) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < nrows && col < ncols)
    out[col * nrows + row] = in[row * ncols + col];
}
