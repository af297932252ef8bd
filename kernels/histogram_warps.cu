// Histogram with one copy of the bins for each warp: warps no longer
// wait for each other's bins. Additions of one whose result is unused
// need no queue even within a warp: the hardware counts the lanes.
// The price is shared memory, and one more sum at the end.
__global__ void histogram_warps(int* bins, const int* data, int n,
                                int nbins) {
  extern __shared__ int local[];  // nbins for each warp
  int nwarps = (blockDim.x + 31) / 32;
  for (int b = threadIdx.x; b < nwarps * nbins; b += blockDim.x)
    local[b] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int* mine = local + threadIdx.x / 32 * nbins;
  if (i < n)
    atomicAdd(&mine[data[i] % nbins], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < nbins; b += blockDim.x) {
    int sum = 0;
    for (int w = 0; w < nwarps; ++w)
      sum += local[w * nbins + b];
    atomicAdd(&bins[b], sum);
  }
}
