// Shared memory, one word for the whole warp: a broadcast. One bank
// has all the work, yet it is done in one go: lanes that ask for the
// same word never conflict.
template <typename T>
__global__ void shared_broadcast(T* out, const T* in) {
  __shared__ T tile[32][32];
  int x = threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    tile[y][x] = in[y * 32 + x];
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    out[y * 32 + x] = tile[y][0];
}
