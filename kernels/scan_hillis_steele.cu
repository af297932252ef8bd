// Prefix sums by Hillis and Steele: each block adds up a segment of
// its own. In every turn an element takes the one `by` before it, from
// one row to the other. No conflicts, but all threads work in every
// turn.
//
//     by = 1   a   ab   bc   cd
//     by = 2   a   ab   abc  abcd
__global__ void scan_hillis_steele(int* out, const int* in, int n) {
  extern __shared__ int sums[];  // two rows
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, row = 0;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int by = 1; by < blockDim.x; by *= 2) {
    int sum = sums[row * blockDim.x + t];
    if (t >= by)
      sum += sums[row * blockDim.x + t - by];
    row = 1 - row;
    sums[row * blockDim.x + t] = sum;
    __syncthreads();
  }
  if (i < n)
    out[i] = sums[row * blockDim.x + t];
}
