// Sum of a block's elements: the pairs of reduce_pairs, added by the
// first threads. Whole warps fall idle, as they should; but neighbours
// now reach for words 2 s apart, and banks conflict.
//
//     t      0   1   2   3
//     s = 1  0+1 2+3 4+5 6+7
//     s = 2  0+2 4+6
//     s = 4  0+4
__global__ void reduce_strided(float* out, const float* in, int n) {
  extern __shared__ float sums[];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  sums[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) {
    int at = 2 * s * t;
    if (at + s < blockDim.x)  // any block size
      sums[at] += sums[at + s];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = sums[0];
}
