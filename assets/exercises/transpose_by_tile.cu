// A matrix is transposed through a tile, by blocks of 32 x 8. Claim of the first warp's first requests: the sectors of load
// and store, and the ways of both accesses to the tile.
__global__ void transpose_by_tile(float* out, const float* in, int n) {
  __shared__ float tile[32][32];
  int x = threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += 8)
    tile[y][x] = in[(blockIdx.y * 32 + y) * n + blockIdx.x * 32 + x];  // in: ? sectors; tile: ?-way
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8)
    out[(blockIdx.x * 32 + y) * n + blockIdx.y * 32 + x] = tile[x][y];  // tile: ?-way; out: ? sectors
}
