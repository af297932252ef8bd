// A product of halves by a warpgroup: tiles come by tensor copies, swizzled, in two stages that one warp fills, and
// wgmma reads them by descriptors.
#include <cuda.h>
#include <cuda_fp16.h>

#include <cstdint>

constexpr int BM = 64, BN = 64, BK = 64, STAGES = 2;

__device__ __forceinline__ uint32_t shared_address(const void* pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}
__device__ __forceinline__ void barrier_init(uint64_t* bar, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(bar)), "r"(count));
}
__device__ __forceinline__ void barrier_expect(uint64_t* bar, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(bar)), "r"(bytes));
}
__device__ __forceinline__ void barrier_arrive(uint64_t* bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(bar)) : "memory");
}
__device__ __forceinline__ void barrier_wait(uint64_t* bar, int parity) {
  asm volatile(
      "{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra done;\nbra again;\n"
      "done:\n}" ::"r"(shared_address(bar)),
      "r"(parity)
      : "memory");
}
__device__ __forceinline__ void load_box(half* to, const CUtensorMap* map, uint64_t* bar, int x, int y) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(
          shared_address(to)),
      "l"(map), "r"(shared_address(bar)), "r"(x), "r"(y)
      : "memory");
}

// Rows of 128 bytes, swizzled; eight of them are 1024 bytes.
__device__ __forceinline__ uint64_t descriptor(const half* tile) {
  uint64_t bits = (shared_address(tile) & 0x3FFFF) >> 4;
  bits |= static_cast<uint64_t>(16 >> 4) << 16;
  bits |= static_cast<uint64_t>(1024 >> 4) << 32;
  return bits | 1ull << 62;
}

template <int TRANSPOSE_B>
__device__ __forceinline__ void multiply(float (&d)[4][8], uint64_t a, uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
      "%32, %33, 1, 1, 1, 0, %34;"
      : "+f"(d[0][0]), "+f"(d[0][1]), "+f"(d[0][2]), "+f"(d[0][3]), "+f"(d[0][4]), "+f"(d[0][5]), "+f"(d[0][6]),
        "+f"(d[0][7]), "+f"(d[1][0]), "+f"(d[1][1]), "+f"(d[1][2]), "+f"(d[1][3]), "+f"(d[1][4]), "+f"(d[1][5]),
        "+f"(d[1][6]), "+f"(d[1][7]), "+f"(d[2][0]), "+f"(d[2][1]), "+f"(d[2][2]), "+f"(d[2][3]), "+f"(d[2][4]),
        "+f"(d[2][5]), "+f"(d[2][6]), "+f"(d[2][7]), "+f"(d[3][0]), "+f"(d[3][1]), "+f"(d[3][2]), "+f"(d[3][3]),
        "+f"(d[3][4]), "+f"(d[3][5]), "+f"(d[3][6]), "+f"(d[3][7])
      : "l"(a), "l"(b), "n"(TRANSPOSE_B));
}

// c (m x n) = a (m x k) b; b lies as its transpose, n x k, or, with TRANSPOSE_B, k x n.
template <int TRANSPOSE_B>
__global__ void __launch_bounds__(256) product(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                                               float* c, int n, int k) {
  __shared__ alignas(1024) half tiles_a[STAGES][BM * BK];
  __shared__ alignas(1024) half tiles_b[STAGES][BN * BK];
  __shared__ alignas(8) uint64_t full[STAGES], empty[STAGES];
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; ++s) {
      barrier_init(&full[s], 1);
      barrier_init(&empty[s], 128);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  const int row = blockIdx.y * BM, column = blockIdx.x * BN, turns = k / BK;
  if (threadIdx.x >= 128) {  // the warpgroup that loads
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 128) {
      for (int turn = 0; turn < turns; ++turn) {
        const int stage = turn % STAGES, round = turn / STAGES;
        barrier_wait(&empty[stage], (round & 1) ^ 1);
        barrier_expect(&full[stage], (BM + BN) * BK * sizeof(half));
        load_box(tiles_a[stage], &a, &full[stage], turn * BK, row);
        if (TRANSPOSE_B)
          load_box(tiles_b[stage], &b, &full[stage], column, turn * BK);
        else
          load_box(tiles_b[stage], &b, &full[stage], turn * BK, column);
      }
    }
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  float d[4][8] = {};
  for (int turn = 0; turn < turns; ++turn) {
    const int stage = turn % STAGES, round = turn / STAGES;
    barrier_wait(&full[stage], round & 1);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int step = 0; step < BK / 16; ++step) {
      const half* of_b = tiles_b[stage] + (TRANSPOSE_B ? step * 16 * BN : step * 16);
      multiply<TRANSPOSE_B>(d, descriptor(tiles_a[stage] + step * 16), descriptor(of_b));
    }
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    barrier_arrive(&empty[stage]);
  }
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float* to = c + (row + warp * 16 + lane / 4) * n + column + lane % 4 * 2;
#pragma unroll
  for (int tile = 0; tile < BN / 8; ++tile) {
#pragma unroll
    for (int r = 0; r < 4; ++r) to[r / 2 * 8 * n + tile * 8 + r % 2] = d[tile / 2][tile % 2 * 4 + r];
  }
}

// One product of what lies in shared memory, by descriptors that count from its beginning. ORDERS: 1 for a, 2 for b
// where it lies along m or n.
template <int ORDERS>
__global__ void described(const half* in, float* out, long long a, long long b) {
  __shared__ alignas(1024) half tile[16384];
  for (int i = threadIdx.x; i < 16384; i += blockDim.x) tile[i] = in[i];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const uint64_t first = shared_address(tile) >> 4;
  float d[8] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, 0, -1, 1, %10, %11;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
      : "l"(static_cast<uint64_t>(a) + first), "l"(static_cast<uint64_t>(b) + first), "n"(ORDERS & 1), "n"(ORDERS >> 1));
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 8; ++i) out[128 * i + threadIdx.x] = d[i];
}

void run(half* data, float* c, CUtensorMap a, CUtensorMap b) {
  uint64_t size[] = {192, 128}, pitch[] = {192 * sizeof(half)};
  uint32_t box[] = {BK, BM}, steps[] = {1, 1};
  cuTensorMapEncodeTiled(&a, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, data, size, pitch, box, steps,
                         CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                         CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  product<0><<<dim3(1, 2), 256>>>(a, b, c, 64, 192);
  product<1><<<dim3(1, 2), 256>>>(a, b, c, 64, 192);
  described<3><<<1, 128>>>(data, c, 0, 0);
}
