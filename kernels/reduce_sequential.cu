// Sum of a block's elements: the upper half is added to the lower, and
// again. The first threads work, on words that lie side by side: no
// idle lanes between busy ones, and no conflicts.
//
//     t         0   1   2   3
//     half = 4  0+4 1+5 2+6 3+7
//     half = 2  0+2 1+3
//     half = 1  0+1
__global__ void reduce_sequential(float* out, const float* in, int n) {
  extern __shared__ float sums[];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  sums[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  // Any block size: the middle of an odd number waits for its turn.
  for (int left = blockDim.x, half; left > 1; left = half) {
    half = (left + 1) / 2;
    if (t + half < left)
      sums[t] += sums[t + half];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = sums[0];
}
