#include <cuda_runtime.h>

// Rounds of relaxation until no thread of the block has changed anything.
__global__ void settle(const int* weights, int* distance, int* rounds, int n) {
  __shared__ int near[128];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  near[t] = t == 0 ? 0 : 1 << 20;
  __syncthreads();
  int round = 0, changed = 1;
  while (changed) {
    const int before = t > 0 ? near[t - 1] : 0;
    const int by = before + (i < n ? weights[i] & 15 : 1);
    const bool better = t > 0 && by < near[t];
    __syncthreads();
    if (better) near[t] = by;
    changed = __syncthreads_or(better);
    ++round;
  }
  if (i < n) distance[i] = near[t];
  if (t == 0) rounds[blockIdx.x] = round;
}

// How many elements of the block pass a threshold, whether all do, whether any does: a thread that has
// returned has no say, and a predicate is an int.
__global__ void census(const float* in, int* counts, float threshold, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  const int passing = __syncthreads_count(x > threshold);
  const int all = __syncthreads_and(x > threshold);
  const int ones = __syncthreads_count(1.5f * x);
  if (passing > (int)blockDim.x / 2 || !all) counts[4 * blockIdx.x + 1] = all;
  if (threadIdx.x == 0) counts[4 * blockIdx.x] = passing;
  if (threadIdx.x == 1) counts[4 * blockIdx.x + 2] = ones;
  if (__syncthreads_or(x > 0.995f)) counts[4 * blockIdx.x + 3] = -1;
}

// ---- host
int main() {
  settle<<<3, 128>>>(weights, distance, rounds, 300);
  census<<<4, 96>>>(in, counts, 0.25f, 300);
}
