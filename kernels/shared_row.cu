// Shared memory by rows: neighbouring lanes use neighbouring words,
// 32 banks serve 32 lanes at once. Wider elements are served in halves
// and quarters of the warp, still without conflict.
template <typename T>
__global__ void shared_row(T* out, const T* in) {
  __shared__ T tile[32][32];
  int x = threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    tile[y][x] = in[y * 32 + x];
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    out[y * 32 + x] = tile[y][x];
}
