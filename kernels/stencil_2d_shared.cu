// Stencil in two dimensions through a shared tile with its halo, R
// rows and columns on each side: of what the block needs, everything
// is fetched once, and neighbours come from the tile.
//
//     . h h h h .
//     h 0 1 2 3 h      R = 1, block 4 x 2
//     h 4 5 6 7 h
//     . h h h h .
template <int R>
__global__ void stencil_2d_shared(float* out, const float* in,
                                  int nrows, int ncols) {
  extern __shared__ float tile[];
  int tx = threadIdx.x, ty = threadIdx.y;
  int col = blockIdx.x * blockDim.x, row = blockIdx.y * blockDim.y;
  int across = blockDim.x + 2 * R, down = blockDim.y + 2 * R;
  int width = ncols + 2 * R, height = nrows + 2 * R;
  for (int y = ty; y < down; y += blockDim.y)
    for (int x = tx; x < across; x += blockDim.x)
      if (row + y < height && col + x < width)
        tile[y * across + x] = in[(row + y) * width + col + x];
  __syncthreads();
  col += tx;
  row += ty;
  if (col >= ncols || row >= nrows)
    return;
  int at = (ty + R) * across + tx + R;
  float sum = tile[at];
  for (int j = 1; j <= R; ++j)
    sum += tile[at - j] + tile[at + j] + tile[at - j * across] +
           tile[at + j * across];
  out[row * ncols + col] = sum / (4 * R + 1);
}
