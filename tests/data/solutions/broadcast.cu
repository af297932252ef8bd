// The word of row y and column x is kept at x ^ y.
template <typename T, int PAD>
__global__ void shared_column(T* out, const T* in) {
  __shared__ T tile[32][32 + PAD];
  int x = threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    tile[y][x ^ y] = in[y * 32 + x];
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    out[y * 32 + x] = tile[x][y ^ x];
}
