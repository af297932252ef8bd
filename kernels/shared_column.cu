// Shared memory by columns: the words of a column of 32 words lie in
// one bank, and the lanes wait for each other. A column of padding
// shifts each row by a bank, and the column crosses all of them.
template <typename T, int PAD>
__global__ void shared_column(T* out, const T* in) {
  __shared__ T tile[32][32 + PAD];
  int x = threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    tile[y][x] = in[y * 32 + x];
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    out[y * 32 + x] = tile[x][y];
}
