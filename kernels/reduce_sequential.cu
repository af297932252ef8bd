// Sum of a block's elements: the second half is added to the first,
// and again. The first threads work, on words that lie side by side:
// no idle lanes between busy ones, and no conflicts.
__global__ void reduce_sequential(float* out, const float* in, int n) {
  extern __shared__ float sums[];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  sums[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (t < s)
      sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = sums[0];
}
