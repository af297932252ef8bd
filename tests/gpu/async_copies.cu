// One warp, one cp.async a launch: what Nsight Compute counts of it. tests/gpu/async_copies.py gives the addresses.
//
// Reads lines of 66 numbers from standard input: 1 for past L1, bytes a lane, 32 shared and 32 global addresses, -1
// for an inactive lane. A pattern is a kernel parameter, so that it is read from constant memory, which counts nowhere.
#include <cstdint>
#include <cstdio>

constexpr int kLanes = 32;
struct Pattern {
  int shared[kLanes], global[kLanes];
};

template <int kBytes, bool kPastL1>
__global__ void copy_async(const char* from, Pattern pattern) {
  extern __shared__ __align__(1024) char tile[];
  const int to = pattern.shared[threadIdx.x];
  if (to >= 0) {
    const auto target = static_cast<uint32_t>(__cvta_generic_to_shared(tile + to));
    const char* source = from + pattern.global[threadIdx.x];
    if (kPastL1)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(target), "l"(source) : "memory");
    else
      asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(target), "l"(source), "n"(kBytes) : "memory");
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
}

int main() {
  constexpr int kBuffer = 1 << 20, kShared = 48 << 10;
  char* from = nullptr;
  if (cudaMalloc(&from, kBuffer) != cudaSuccess) return 1;
  int past_l1 = 0, bytes = 0;
  while (std::scanf("%d %d", &past_l1, &bytes) == 2) {
    Pattern pattern;
    for (int* list : {pattern.shared, pattern.global})
      for (int lane = 0; lane < kLanes; ++lane)
        if (std::scanf("%d", list + lane) != 1) return 1;
    if (past_l1 != 0) copy_async<16, true><<<1, kLanes, kShared>>>(from, pattern);
    else if (bytes == 16) copy_async<16, false><<<1, kLanes, kShared>>>(from, pattern);
    else if (bytes == 8) copy_async<8, false><<<1, kLanes, kShared>>>(from, pattern);
    else copy_async<4, false><<<1, kLanes, kShared>>>(from, pattern);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  }
  return 0;
}
