// Histogram, every element counted in global memory at once. Lanes
// that meet in one bin wait for each other: the fewer the bins, the
// longer the queue.
__global__ void histogram_global(int* bins, const int* data, int n,
                                 int nbins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&bins[data[i] % nbins], 1);
}
