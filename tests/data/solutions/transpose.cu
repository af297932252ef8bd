// Read a tile by rows, turn it on chip, write it by rows.
__global__ void transpose_naive_row(float* out, const float* in, int nrows, int ncols) {
  __shared__ float tile[32][32 + 1];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * 32 + y, col = blockIdx.x * 32 + x;
  if (row < nrows && col < ncols)
    tile[y][x] = in[row * ncols + col];
  __syncthreads();
  row = blockIdx.x * 32 + y;
  col = blockIdx.y * 32 + x;
  if (row < ncols && col < nrows)
    out[row * nrows + col] = tile[x][y];
}
