// Prefix sums by shuffles, a segment a block: each warp adds up its 32
// elements in registers, and only one sum a warp goes through shared
// memory. Two barriers, next to no shared accesses.
__device__ int sum_up_to(int value, int lane) {
  for (int by = 1; by < 32; by *= 2) {
    int before = __shfl_up_sync(~0u, value, by);
    if (lane >= by)
      value += before;
  }
  return value;
}

__global__ void scan_shuffle(int* out, const int* in, int n) {
  __shared__ int sums[32];  // of the warps
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int sum = sum_up_to(i < n ? in[i] : 0, lane);
  if (lane == 31)
    sums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    int of_warp = lane < blockDim.x / 32 ? sums[lane] : 0;
    sums[lane] = sum_up_to(of_warp, lane);
  }
  __syncthreads();
  if (warp > 0)
    sum += sums[warp - 1];
  if (i < n)
    out[i] = sum;
}
