struct Lcg {
  unsigned state;
  __device__ explicit Lcg(unsigned seed) : state{seed * 747796405u + 2891336453u} { next(); }
  __device__ unsigned next() {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
  }
  __device__ float uniform() { return next() * (1.0f / 16777216.0f); }
};
__global__ void estimatePi(unsigned long long *hits, int samples) {
  Lcg random(blockIdx.x * blockDim.x + threadIdx.x);
  int mine = 0;
  for (int i = 0; i < samples; ++i) {
    const float x = random.uniform();
    const float y = random.uniform();
    mine += x * x + y * y <= 1.0f;
  }
  for (int d = warpSize / 2; d >= 1; d /= 2) mine += __shfl_down_sync(0xffffffffu, mine, d);
  if ((threadIdx.x & 31) == 0) atomicAdd(hits, (unsigned long long)mine);
}

// ---- host
int main() { estimatePi<<<4, 64>>>(hits, 50); }
