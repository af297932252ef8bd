// Transpose with 16-byte accesses to global memory, both ways: a
// quarter of the requests, four elements under way with each. In
// shared memory the four are single words, of a row and then of a
// column. nrows and ncols must be multiples of 4.
template <int BX, int BY, int PAD>
__global__ void transpose_float4(float* out, const float* in,
                                 int nrows, int ncols) {
  constexpr int S = 4 * BX;  // the tile's side
  __shared__ float tile[S][S + PAD];
  int x = 4 * threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * S, col = blockIdx.x * S;
  for (int j = y; j < S; j += BY)
    if (row + j < nrows && col + x < ncols) {
      float4 v = *(const float4*)&in[(row + j) * ncols + col + x];
      tile[j][x] = v.x;
      tile[j][x + 1] = v.y;
      tile[j][x + 2] = v.z;
      tile[j][x + 3] = v.w;
    }
  __syncthreads();
  for (int j = y; j < S; j += BY)
    if (col + j < ncols && row + x < nrows) {
      float4 v = make_float4(tile[x][j], tile[x + 1][j],
                             tile[x + 2][j], tile[x + 3][j]);
      *(float4*)&out[(col + j) * nrows + row + x] = v;
    }
}
