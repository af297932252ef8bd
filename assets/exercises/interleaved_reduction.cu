// A sum by pairs: in each turn the threads that go on stand together, and the words that they add lie further apart. Claim the
// ways of each access in the first turn.
__global__ void interleaved_reduction(float* out, const float* in) {
  __shared__ float sum[256];
  int t = threadIdx.x;
  sum[t] = in[blockIdx.x * 256 + t];  // sum: ?-way; in: ? sectors
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    int i = 2 * step * t;
    if (i < 256) {
      float own = sum[i];           // ?-way
      float other = sum[i + step];  // ?-way
      sum[i] = own + other;         // ?-way
    }
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sum[0];
}
