// Histogram, counted by each block in shared memory and added to the
// result once a bin: far fewer atomics leave the chip.
__global__ void histogram_shared(int* bins, const int* data, int n,
                                 int nbins) {
  extern __shared__ int local[];
  for (int b = threadIdx.x; b < nbins; b += blockDim.x)
    local[b] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&local[data[i] % nbins], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < nbins; b += blockDim.x)
    atomicAdd(&bins[b], local[b]);
}
