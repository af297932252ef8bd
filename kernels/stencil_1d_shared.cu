// Stencil in one dimension through shared memory: the block fetches
// its elements and the halo, R more on either side, once. Neighbours
// then come from the tile, where lanes side by side never conflict.
//
//     tile   h h | 0 1 2 3 4 5 6 7 | h h      R = 2
template <int R>
__global__ void stencil_1d_shared(float* out, const float* in, int n) {
  extern __shared__ float tile[];
  int first = blockIdx.x * blockDim.x, t = threadIdx.x;
  for (int j = t; j < blockDim.x + 2 * R; j += blockDim.x)
    if (first + j < n + 2 * R)
      tile[j] = in[first + j];
  __syncthreads();
  if (first + t >= n)
    return;
  float sum = 0.0f;
  for (int j = 0; j <= 2 * R; ++j)
    sum += tile[t + j];
  out[first + t] = sum;
}
