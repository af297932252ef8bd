// One warp, one cp.async a launch: what Nsight Compute counts of it. tests/gpu/async_copies.py gives the addresses.
//
// Reads lines of 99 numbers from standard input: 1 for past L1, bytes a lane, the form, 32 shared and 32 global
// addresses, -1 for an inactive lane, and 32 source sizes. A pattern is a kernel parameter, so that it is read from
// constant memory, which counts nowhere.
//   form 0: without a source size
//        1: a source size that is 0 or all bytes, as the compiler can see
//        2: an ignore-src predicate, where the size is 0
//        3: a source size of which the compiler knows nothing
#include <cstdint>
#include <cstdio>

constexpr int kLanes = 32;
struct Pattern {
  int shared[kLanes], global[kLanes], size[kLanes];
};

template <int kBytes, bool kPastL1, int kForm>
__global__ void copy_async(const char* from, Pattern pattern) {
  extern __shared__ __align__(1024) char tile[];
  const int to = pattern.shared[threadIdx.x];
  if (to >= 0) {
    const auto target = static_cast<uint32_t>(__cvta_generic_to_shared(tile + to));
    const char* source = from + pattern.global[threadIdx.x];
    int size = pattern.size[threadIdx.x];
    if constexpr (kForm == 1) size = size != 0 ? kBytes : 0;
    if constexpr (kForm == 0 && kPastL1)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(target), "l"(source) : "memory");
    else if constexpr (kForm == 0)
      asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(target), "l"(source), "n"(kBytes) : "memory");
    else if constexpr (kForm == 2 && kPastL1)
      asm volatile(
          "{ .reg .pred p; setp.eq.s32 p, %2, 0; cp.async.cg.shared.global [%0], [%1], 16, p; }" ::"r"(target),
          "l"(source), "r"(size)
          : "memory");
    else if constexpr (kForm == 2)
      asm volatile(
          "{ .reg .pred p; setp.eq.s32 p, %3, 0; cp.async.ca.shared.global [%0], [%1], %2, p; }" ::"r"(target),
          "l"(source), "n"(kBytes), "r"(size)
          : "memory");
    else if constexpr (kPastL1)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(target), "l"(source), "r"(size) : "memory");
    else
      asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(target), "l"(source), "n"(kBytes), "r"(size)
                   : "memory");
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
}

constexpr int kShared = 48 << 10;

template <int kForm>
void launch(bool past_l1, int bytes, const char* from, const Pattern& pattern) {
  if (past_l1) copy_async<16, true, kForm><<<1, kLanes, kShared>>>(from, pattern);
  else if (bytes == 16) copy_async<16, false, kForm><<<1, kLanes, kShared>>>(from, pattern);
  else if (bytes == 8) copy_async<8, false, kForm><<<1, kLanes, kShared>>>(from, pattern);
  else copy_async<4, false, kForm><<<1, kLanes, kShared>>>(from, pattern);
}

int main() {
  constexpr int kBuffer = 1 << 20;
  char* from = nullptr;
  if (cudaMalloc(&from, kBuffer) != cudaSuccess) return 1;
  int past_l1 = 0, bytes = 0, form = 0;
  while (std::scanf("%d %d %d", &past_l1, &bytes, &form) == 3) {
    Pattern pattern;
    for (int* list : {pattern.shared, pattern.global, pattern.size})
      for (int lane = 0; lane < kLanes; ++lane)
        if (std::scanf("%d", list + lane) != 1) return 1;
    constexpr decltype(&launch<0>) kLaunch[] = {launch<0>, launch<1>, launch<2>, launch<3>};
    kLaunch[form](past_l1 != 0, bytes, from, pattern);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  }
  return 0;
}
