// Sum of a block's elements, by interleaved pairs. The threads that
// still work lie ever further apart: every warp stays busy, for fewer
// and fewer of its lanes.
//
//     t      0   1   2   3   4   5   6   7
//     s = 1  0+1     2+3     4+5     6+7
//     s = 2  0+2             4+6
//     s = 4  0+4
__global__ void reduce_pairs(float* out, const float* in, int n) {
  extern __shared__ float sums[];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  sums[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) {
    if (t % (2 * s) == 0 && t + s < blockDim.x)  // any block size
      sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = sums[0];
}
