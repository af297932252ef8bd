// Shared memory, one word for GROUP neighbouring lanes: the lanes that
// read the same word are served together, so there is never a conflict.
//
//     lane          0  1  2  3  4  5  6  7  8 ..
//     GROUP = 1     0  1  2  3  4  5  6  7  8 ..   a row
//     GROUP = 4     0  0  0  0  1  1  1  1  2 ..   a multicast
//     GROUP = 32    0  0  0  0  0  0  0  0  0 ..   a broadcast
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
