// The way up of a scan over 512 words, two for each of 256 threads. In turn d, counted from 0, a thread adds words that lie
// 2^d apart. Claim the ways of the first warp's loads in the first turn.
__global__ void scan_tree(float* out, const float* in) {
  __shared__ float tree[512];
  int t = threadIdx.x;
  tree[2 * t] = in[2 * t];          // tree: ?-way; in: ? sectors
  tree[2 * t + 1] = in[2 * t + 1];  // tree: ?-way; in: ? sectors
  int offset = 1;
  for (int threads = 256; threads > 0; threads /= 2) {
    __syncthreads();
    if (t < threads) {
      float left = tree[offset * (2 * t + 1) - 1];   // ?-way
      float right = tree[offset * (2 * t + 2) - 1];  // ?-way
      tree[offset * (2 * t + 2) - 1] = left + right;  // ?-way
    }
    offset *= 2;
  }
  __syncthreads();
  out[t] = tree[t];
}
