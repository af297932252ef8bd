// A block of 32 x 32 threads writes a number each, in three ways. Claim for every store, of the first warp: whether it
// is coalesced, and how many 128-byte lines and 32-byte sectors it touches.
__global__ void lines_touched(float* rows, float* columns, float* shifted) {
  int x = threadIdx.x, y = threadIdx.y;
  rows[x + 32 * y] = 1;         // ? lines, ? sectors
  columns[y + 32 * x] = 1;      // ? lines, ? sectors
  shifted[1 + x + 32 * y] = 1;  // ? lines, ? sectors
}
