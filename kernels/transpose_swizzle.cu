// Transpose through a shared tile without conflicts and without
// padding: each row of the tile is kept in another order, column x of
// row y at x ^ swizzle(y). An exclusive or only reorders a row, so
// nothing is lost; and a column now meets all the banks:
//
//     where the tile keeps column     0  1  2  3
//                            y = 0    0  1  2  3
//                            y = 1    1  0  3  2
//                            y = 2    2  3  0  1
//                            y = 3    3  2  1  0
template <int BX, int BY>
__device__ int swizzle(int y) {
  // Rows of the tile that fill the 32 banks once.
  constexpr int ROWS = BX < 32 ? 32 / BX : 1;
  // Columns of the tile that one warp reads at once.
  constexpr int COLS = BY < 32 ? 32 / BY : 1;
  // The bits that may change without leaving the row: those below the
  // lowest 1 of BX. All of them where BX is a power of two, none where
  // it is odd, three for 24:
  //
  //      BX          0 1 1 0 0 0
  //     -BX          1 0 1 0 0 0
  //      BX & -BX    0 0 1 0 0 0
  //      MASK        0 0 0 1 1 1    x moves among 8 neighbours
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
  // Number the threads anew: BX rows of BY, the tile's transpose.
  int i = y * BX + threadIdx.x;
  int r = i / BY, c = i % BY;
  row = blockIdx.x * BX + r;  // a row of the transposed matrix
  col = blockIdx.y * BY + c;
  if (row < ncols && col < nrows)
    out[row * nrows + col]
        = tile[c][r ^ swizzle<BX, BY>(c)];
}
