// Barriers and bulk copies as inline PTX, in the form that kernel collections wrap them in.
#include <cstdint>

__device__ __forceinline__ uint32_t shared_address(const void* pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}
__device__ __forceinline__ void barrier_init(uint64_t* bar, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n" ::"r"(shared_address(bar)), "r"(count));
}
__device__ __forceinline__ void barrier_expect(uint64_t* bar, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;\n" ::"r"(shared_address(bar)),
               "r"(bytes));
}
__device__ __forceinline__ void barrier_arrive(uint64_t* bar) {
  asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0], 1;\n" ::"r"(shared_address(bar)) : "memory");
}
__device__ __forceinline__ void barrier_wait(uint64_t* bar, int parity) {
  asm volatile(
      "{\n"
      ".reg .pred P1;\n"
      "LAB_WAIT:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
      "@P1 bra.uni DONE;\n"
      "bra.uni LAB_WAIT;\n"
      "DONE:\n"
      "}\n" ::"r"(shared_address(bar)),
      "r"(parity));
}
__device__ __forceinline__ void bulk_load(void* to, const void* from, uint32_t bytes, uint64_t* bar) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];\n" ::"r"(
          shared_address(to)),
      "l"(from), "r"(bytes), "r"(shared_address(bar))
      : "memory");
}

__global__ void bulk_rows(const float* in, float* out, int rows) {
  __shared__ alignas(128) float tile[2][256];
  __shared__ alignas(8) uint64_t full[2];
  __shared__ alignas(8) uint64_t empty[2];
  if (threadIdx.x == 0) {
    for (int i = 0; i < 2; ++i) {
      barrier_init(&full[i], 1);
      barrier_init(&empty[i], 64);
    }
    asm volatile("fence.mbarrier_init.release.cluster;\n" ::);
  }
  __syncthreads();
  if (threadIdx.x >= 64) {  // the warp that loads
    if (threadIdx.x == 64) {
      for (int row = 0; row < rows; ++row) {
        int stage = row % 2, round = row / 2;
        barrier_wait(&empty[stage], (round & 1) ^ 1);
        barrier_expect(&full[stage], 1024);
        bulk_load(tile[stage], in + row * 256, 1024, &full[stage]);
      }
    }
  } else {
    for (int row = 0; row < rows; ++row) {
      int stage = row % 2, round = row / 2;
      barrier_wait(&full[stage], round & 1);
      for (int i = threadIdx.x; i < 256; i += 64) out[row * 256 + i] = tile[stage][255 - i];
      barrier_arrive(&empty[stage]);
    }
  }
}

__global__ void bulk_store(float* out) {
  __shared__ alignas(128) float tile[128];
  tile[threadIdx.x] = 3.0f * threadIdx.x;
  asm volatile("fence.proxy.async.shared::cta;\n" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n" ::"l"(out + blockIdx.x * 128),
                 "r"(shared_address(tile)), "r"(512)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;\n" ::: "memory");
    asm volatile("cp.async.bulk.wait_group.read 0;\n" ::: "memory");
  }
}

__global__ void copies_arrive(const int4* in, int4* out) {
  __shared__ int4 tile[96];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) barrier_init(&bar, 96);
  __syncthreads();
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(shared_address(&tile[threadIdx.x])),
               "l"(in + threadIdx.x));
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];\n" ::"r"(shared_address(&bar)));
  uint32_t done = 0;
  while (!done) {
    asm volatile(
        "{\n.reg .pred p;\nmbarrier.test_wait.parity.shared.b64 p, [%1], %2;\nselp.b32 %0, 1, 0, p;\n}\n"
        : "=r"(done)
        : "r"(shared_address(&bar)), "r"(0)
        : "memory");
  }
  out[threadIdx.x] = tile[95 - threadIdx.x];
}

void run(const float* in, float* out) {
  bulk_rows<<<1, 96>>>(in, out, 7);
  bulk_store<<<3, 128>>>(out);
  copies_arrive<<<1, 96>>>(nullptr, nullptr);
}
