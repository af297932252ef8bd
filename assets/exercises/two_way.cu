// 256 threads read shared memory as it lies, with a stride of two, and with one of two that wraps around. Claim the ways of
// each access.
__global__ void two_way(float* out, const float* in) {
  __shared__ float words[256];
  int t = threadIdx.x;
  words[t] = in[t];  // words: ?-way
  __syncthreads();
  float a = words[t];                  // ?-way
  float b = words[(2 * t) % 256];      // ?-way
  float c = words[(2 * t + 1) % 255];  // ?-way
  out[t] = a + b + c;
}
