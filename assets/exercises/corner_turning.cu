// B is stored by columns. Its tile is loaded in two ways: as it will be used, and along the columns, with the corner turned
// on the way into shared memory. Blocks are 32 x 8. Claim the sectors of both loads and the ways of both stores, of the first warp.
__global__ void corner_turning(const float* B, float* out, int rows) {
  __shared__ float as_used[32][32], turned[32][32];
  int x = threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += 8) {
    as_used[y][x] = B[x * rows + y];  // load B 1: ? sectors, as_used: ?-way
    turned[x][y] = B[y * rows + x];   // load B 2: ? sectors, turned: ?-way
  }
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8)
    out[y * 32 + x] = as_used[y][x] + turned[y][x];  // as_used: ?-way; turned: ?-way
}
