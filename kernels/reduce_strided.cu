// Sum of a block's elements: the same pairs as reduce_pairs, done by
// the first threads. Whole warps fall idle, as they should; but lanes
// that are neighbours now reach 2 s words apart: banks conflict.
__global__ void reduce_strided(float* out, const float* in, int n) {
  extern __shared__ float sums[];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  sums[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) {
    int at = 2 * s * t;
    if (at < blockDim.x)
      sums[at] += sums[at + s];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = sums[0];
}
