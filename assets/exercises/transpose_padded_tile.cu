// The same tile with a word more in each row, and one with two more. Blocks are 16 x 16, so a warp is two rows of threads.
// Claim the ways of each access to the tiles.
__global__ void transpose_padded_tile(float* out) {
  __shared__ float plain[16][16], one[16][17], two[16][18];
  int x = threadIdx.x, y = threadIdx.y;
  plain[y][x] = x;  // ?-way
  one[y][x] = x;    // ?-way
  two[y][x] = x;    // ?-way
  __syncthreads();
  out[y * 16 + x] = plain[x][y] +  // plain: ?-way
                    one[x][y] +    // one: ?-way
                    two[x][y];     // two: ?-way
}
