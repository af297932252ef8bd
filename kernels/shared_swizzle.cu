// Shared memory by columns, without conflict and without padding: row
// y is stored in another order, its element x at x XOR y. A column is
// then spread over all banks, and so is a row.
template <typename T>
__global__ void shared_swizzle(T* out, const T* in) {
  __shared__ T tile[32][32];
  int x = threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    tile[y][x ^ y] = in[y * 32 + x];
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    out[y * 32 + x] = tile[x][y ^ x];
}
