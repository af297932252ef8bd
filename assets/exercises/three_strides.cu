// One warp reads shared memory with strides of one, two, three and thirty-two words, and all lanes one word. Claim ways and
// wavefronts.
__global__ void three_strides(float* out) {
  __shared__ float words[1024];
  int t = threadIdx.x;
  for (int i = 0; i < 32; ++i) words[32 * i + t] = i;
  __syncthreads();
  float one = words[t];          // ?-way
  float two = words[2 * t];      // ?-way
  float three = words[3 * t];    // ?-way
  float column = words[32 * t];  // ?-way
  float same = words[7];         // ?-way
  out[t] = one + two + three + column + same;
}
