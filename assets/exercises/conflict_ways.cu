// A product of two tiles in shared memory, each thread one element of the result. Claim the ways of the bank conflict of
// each access, the first time that the first warp comes by.
__global__ void conflict_ways(float* out, int turns) {
  __shared__ float left[32 * 32], right[32 * 32], sum[32 * 32];
  int i = threadIdx.x, j = threadIdx.y;
  left[32 * i + j] = i;   // ?-way
  right[32 * j + i] = j;  // ?-way
  sum[i + 32 * j] = 0;    // ?-way
  __syncthreads();
  for (int k = 0; k < turns; ++k) {
    float a = left[i + 32 * k];   // ?-way
    float b = right[32 * j + k];  // ?-way
    sum[i + 32 * j] += a * b;     // load sum: ?-way; store sum: ?-way
  }
  out[i + 32 * j] = sum[i + 32 * j];
}
