// Transpose, NX x NY elements a thread: all loads set out before the
// first value is put into the tile, so that many are under way at
// once. The tile is as many times larger than the block.
template <int BX, int BY, int NX, int NY, int PAD>
__global__ void transpose_batch(float* out, const float* in, int nrows,
                                int ncols) {
  constexpr int W = BX * NX, H = BY * NY;  // the tile
  __shared__ float tile[H][W + PAD];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * H, col = blockIdx.x * W;
  float value[NY][NX];
  for (int j = 0; j < NY; ++j)
    for (int i = 0; i < NX; ++i) {
      int r = row + y + j * BY, c = col + x + i * BX;
      value[j][i] = r < nrows && c < ncols ? in[r * ncols + c] : 0.0f;
    }
  for (int j = 0; j < NY; ++j)
    for (int i = 0; i < NX; ++i)
      tile[y + j * BY][x + i * BX] = value[j][i];
  __syncthreads();
  // The threads in one line, wrapped at the tile's height: each warp
  // writes along a row of the result.
  for (int i = y * BX + x; i < W * H; i += BX * BY) {
    int r = i % H, c = i / H;
    if (row + r < nrows && col + c < ncols)
      out[(col + c) * nrows + row + r] = tile[r][c];
  }
}
