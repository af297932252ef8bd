// Row y of the tile keeps its column x at x ^ y.
template <int BX, int BY, int PAD>
__global__ void transpose_shared(float* out, const float* in,
                                 int nrows, int ncols) {
  __shared__ float tile[BY][BX + PAD];
  int row = blockIdx.y * BY + threadIdx.y;
  int col = blockIdx.x * BX + threadIdx.x;
  if (row < nrows && col < ncols)
    tile[threadIdx.y][threadIdx.x ^ threadIdx.y]
        = in[row * ncols + col];
  __syncthreads();  // by every thread, also those outside
  // Number the threads anew: BX rows of BY, the tile's transpose.
  int i = threadIdx.y * BX + threadIdx.x;
  int r = i / BY, c = i % BY;
  row = blockIdx.x * BX + r;  // a row of the transposed matrix
  col = blockIdx.y * BY + c;
  if (row < ncols && col < nrows)
    out[row * nrows + col]
        = tile[c][r ^ c];
}
