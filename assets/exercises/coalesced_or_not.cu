// Blocks of 256 threads move data through shared memory. Claim of each access to global memory whether it is coalesced and
// how many sectors its request touches; of each access to shared memory, its ways.
__global__ void coalesced_or_not(const float* dense, const float* planes, const float* quads, float* moved, float* sparse) {
  __shared__ float first[256], second[4 * 256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t, all = gridDim.x * 256;
  first[t] = dense[i];  // dense: ? sectors; first: ?-way
  for (int j = 0; j < 4; ++j) {
    float plane = planes[j * all + i];  // ? sectors
    float quad = quads[4 * i + j];      // ? sectors
    second[j * 256 + t] = plane + quad;  // ?-way
  }
  __syncthreads();
  moved[i + 8] = first[t];        // moved: ? sectors; first: ?-way
  sparse[8 * i] = second[4 * t];  // sparse: ? sectors; second: ?-way
}
