// Transpose, two tiles a block: each thread moves two elements, BX
// columns apart. Half the blocks, the same requests and sectors, and
// two loads under way at once, which hides more of memory's latency.
template <int BX, int BY, int PAD>
__global__ void transpose_unroll2(float* out, const float* in,
                                  int nrows, int ncols) {
  __shared__ float tile[BY][2 * BX + PAD];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * BY + y;
  int col = blockIdx.x * (2 * BX) + x;
  if (row < nrows && col < ncols)
    tile[y][x] = in[row * ncols + col];
  if (row < nrows && col + BX < ncols)
    tile[y][x + BX] = in[row * ncols + col + BX];
  __syncthreads();
  int i = y * BX + x;
  int r = i / BY, c = i % BY;
  row = blockIdx.x * (2 * BX) + r;
  col = blockIdx.y * BY + c;
  if (row < ncols && col < nrows)
    out[row * nrows + col] = tile[c][r];
  if (row + BX < ncols && col < nrows)
    out[(row + BX) * nrows + col] = tile[c][r + BX];
}
