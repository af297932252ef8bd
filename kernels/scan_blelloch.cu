// Prefix sums by Blelloch: up a tree of sums and down again, a segment
// a block, two elements a thread. Few additions, but the nodes of a
// level are a power of two apart, and so share a few banks. An unused
// word behind every 32 (PAD = 1) moves them apart.
//
//     a   b   c   d                 a        b        c        d
//     a   ab  c   cd          up    a        ab       c        0
//     a   ab  c   abcd              a        0        c        ab
//     a   ab  c   0         down    0        a        ab       abc
template <int PAD>
__global__ void scan_blelloch(int* out, const int* in, int n) {
  extern __shared__ int sums[];
#define AT(i) ((i) + (i) / 32 * PAD)
  int t = threadIdx.x, half = blockDim.x;
  int i = blockIdx.x * 2 * half + t;
  int low = i < n ? in[i] : 0, high = i + half < n ? in[i + half] : 0;
  sums[AT(t)] = low;
  sums[AT(t + half)] = high;
  int apart = 1;
  for (int nodes = half; nodes > 0; nodes /= 2) {
    __syncthreads();
    if (t < nodes)
      sums[AT(apart * (2 * t + 2) - 1)] +=
          sums[AT(apart * (2 * t + 1) - 1)];
    apart *= 2;
  }
  if (t == 0)
    sums[AT(2 * half - 1)] = 0;
  for (int nodes = 1; nodes <= half; nodes *= 2) {
    apart /= 2;
    __syncthreads();
    if (t < nodes) {
      int left = AT(apart * (2 * t + 1) - 1);
      int right = AT(apart * (2 * t + 2) - 1);
      int sum = sums[left];
      sums[left] = sums[right];
      sums[right] += sum;
    }
  }
  __syncthreads();
  if (i < n)
    out[i] = sums[AT(t)] + low;
  if (i + half < n)
    out[i + half] = sums[AT(t + half)] + high;
#undef AT
}
