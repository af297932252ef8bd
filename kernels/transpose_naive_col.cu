// Transpose, reading columns and writing rows.
// Now the store is coalesced and the load is not. The counts change
// places with transpose_naive_row; is the time the same? Measure it:
// a cache can keep sectors for the neighbours of a load.
__global__ void transpose_naive_col(float* out, const float* in,
                                    int nrows, int ncols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < nrows && col < ncols)
    out[col * nrows + row] = in[row * ncols + col];
}
