// Sum of a block's elements, by interleaved pairs: 0+1, 2+3, ..., then
// 0+2, 4+6, ... The threads that still work lie ever further apart,
// so that every warp stays busy for ever fewer of its lanes.
__global__ void reduce_pairs(float* out, const float* in, int n) {
  extern __shared__ float sums[];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  sums[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) {
    if (t % (2 * s) == 0)
      sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = sums[0];
}
