// One product of a warpgroup, of what lies in shared memory, by descriptors that count from its beginning. ORDERS: 1
// for a, 2 for b where it lies along m or n. Tiles that come by tensor copies: the gallery's hgemm_tma.
#include <cuda_fp16.h>

#include <cstdint>

template <int ORDERS>
__global__ void described(const half* in, float* out, long long a, long long b) {
  __shared__ alignas(1024) half tile[16384];
  for (int i = threadIdx.x; i < 16384; i += blockDim.x) tile[i] = in[i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const uint64_t first = static_cast<uint64_t>(__cvta_generic_to_shared(tile)) >> 4;
  float d[8] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, 0, -1, 1, %10, %11;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
      : "l"(static_cast<uint64_t>(a) + first), "l"(static_cast<uint64_t>(b) + first), "n"(ORDERS & 1), "n"(ORDERS >> 1));
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 8; ++i) out[128 * i + threadIdx.x] = d[i];
}

void run(half* data, float* c) { described<3><<<1, 128>>>(data, c, 0, 0); }
