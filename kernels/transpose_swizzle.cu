// Transpose through a shared tile without conflicts and without
// padding. Column x of the tile's row y is kept at x ^ swizzle(y): an
// exclusive or only reorders a row, so nothing is lost or wasted, but
// each row in another order, so that a column meets all the banks.
template <int BX, int BY>
__device__ int swizzle(int y) {
  // Rows of the tile that fill the 32 banks once.
  constexpr int ROWS = BX < 32 ? 32 / BX : 1;
  // Columns of the tile that one warp reads at once.
  constexpr int COLS = BY < 32 ? 32 / BY : 1;
  // The bits that can change without leaving the row: all of them
  // where BX is a power of two, none where it is odd.
  constexpr int MASK = (BX & -BX) - 1;
  return y / ROWS * COLS & MASK;
}

template <int BX, int BY>
__global__ void transpose_swizzle(float* out, const float* in,
                                  int nrows, int ncols) {
  __shared__ float tile[BY][BX];
  int y = threadIdx.y;
  int row = blockIdx.y * BY + y;
  int col = blockIdx.x * BX + threadIdx.x;
  if (row < nrows && col < ncols)
    tile[y][threadIdx.x ^ swizzle<BX, BY>(y)]
        = in[row * ncols + col];
  __syncthreads();
  int i = y * BX + threadIdx.x;
  int r = i / BY, c = i % BY;
  row = blockIdx.x * BX + r;
  col = blockIdx.y * BY + c;
  if (row < ncols && col < nrows)
    out[row * nrows + col]
        = tile[c][r ^ swizzle<BX, BY>(c)];
}
