// Shared memory, one word for GROUP lanes: lanes that read the same
// word are served together, so there is never a conflict. A GROUP of
// 32 is a broadcast, of 1 a row.
template <typename T, int GROUP>
__global__ void shared_multicast(T* out, const T* in) {
  __shared__ T tile[32][32];
  int x = threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    tile[y][x] = in[y * 32 + x];
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    out[y * 32 + x] = tile[y][x / GROUP];
}
