// C = A B as Hopper has it. One thread asks the copy engine (TMA) for
// boxes of A and B; two warpgroups, four warps each, multiply what has
// come, straight out of shared memory, and go on while they do (wgmma):
//
//      full[s]    the boxes of stage s have come: their bytes count
//      empty[s]   both warpgroups have used them
//
// Boxes are 64 halves wide, 128 bytes, and lie as in hgemm_swizzle.
// m, n and k must be multiples of BM, BN and BK.
#include <cuda.h>
#include <cuda_fp16.h>
#include <cstdint>

constexpr int BK = 64;
constexpr int BOX = 64 * BK;  // halves in a box of B

__device__ unsigned at(const void* p) {
  return (unsigned)__cvta_generic_to_shared(p);
}
__device__ void init(uint64_t* barrier, int arrivals) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;"
               ::"r"(at(barrier)), "r"(arrivals));
}
__device__ void expect(uint64_t* barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;"
               ::"r"(at(barrier)), "r"(bytes) : "memory");
}
__device__ void arrive(uint64_t* barrier) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];"
               ::"r"(at(barrier)) : "memory");
}
__device__ void wait(uint64_t* barrier, int parity) {  // of the phase
  asm volatile(
      "{\n.reg .pred over;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared.b64 over, [%0], %1;\n"
      "@over bra done;\n"
      "bra again;\n"
      "done:\n}" ::"r"(at(barrier)), "r"(parity) : "memory");
}
__device__ void copy_box(half* to, const CUtensorMap* map, int x, int y,
                         uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global"
      ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
      ::"r"(at(to)), "l"(map), "r"(x), "r"(y), "r"(at(barrier))
      : "memory");
}

// What wgmma is told of a tile: where it begins, how far apart boxes
// and groups of 8 rows are, in units of 16 bytes, and its swizzle
// (1: of 128 bytes).
__device__ uint64_t describe(const half* tile) {
  return 1ull << 62 | 64ull << 32 | BOX / 8ull << 16 | at(tile) / 16;
}

#define IN8(s) "+f"((s)[0]), "+f"((s)[1]), "+f"((s)[2]), "+f"((s)[3]), \
               "+f"((s)[4]), "+f"((s)[5]), "+f"((s)[6]), "+f"((s)[7])
#define TEN(n) "%" n "0, %" n "1, %" n "2, %" n "3, %" n "4, " \
               "%" n "5, %" n "6, %" n "7, %" n "8, %" n "9, "

// 64 rows of a times 256 columns of b: 128 sums a thread.
__device__ void wgmma(float (&s)[16][8], uint64_t a, uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {"
      TEN("") TEN("1") TEN("2") TEN("3") TEN("4") TEN("5") TEN("6")
      TEN("7") TEN("8") TEN("9") TEN("10") TEN("11")
      "%120, %121, %122, %123, %124, %125, %126, %127}, "
      "%128, %129, 1, 1, 1, 0, 1;"
      : IN8(s[0]), IN8(s[1]), IN8(s[2]), IN8(s[3]), IN8(s[4]),
        IN8(s[5]), IN8(s[6]), IN8(s[7]), IN8(s[8]), IN8(s[9]),
        IN8(s[10]), IN8(s[11]), IN8(s[12]), IN8(s[13]), IN8(s[14]),
        IN8(s[15])
      : "l"(a), "l"(b));
}

template <int STAGES>
__global__ void __launch_bounds__(384)
hgemm_tma(float* C, const __grid_constant__ CUtensorMap A,
          const __grid_constant__ CUtensorMap B, int m, int n, int k) {
  constexpr int BM = 128, BN = 256, STAGE = (BM + BN) * BK;
  extern __shared__ __align__(1024) half tiles[];
  __shared__ uint64_t full[STAGES], empty[STAGES];
  int row = blockIdx.y * BM, col = blockIdx.x * BN;
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; ++s)
      init(&full[s], 1), init(&empty[s], 2);
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  __syncthreads();
  if (threadIdx.x < 128) {  // one thread copies
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x > 0)
      return;
    for (int tile = 0; tile < k / BK; ++tile) {
      int s = tile % STAGES;
      half *a = tiles + s * STAGE, *b = a + BM * BK;
      if (tile >= STAGES)
        wait(&empty[s], tile / STAGES % 2 ^ 1);
      expect(&full[s], STAGE * 2);
      copy_box(a, &A, tile * BK, row, &full[s]);
      for (int i = 0; i < BN / 64; ++i)
        copy_box(b + i * BOX, &B, col + i * 64, tile * BK, &full[s]);
    }
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  int group = threadIdx.x / 128 - 1, warp = threadIdx.x / 32 % 4;
  int lane = threadIdx.x % 32;
  float sum[16][8] = {};
  for (int tile = 0; tile < k / BK; ++tile) {
    int s = tile % STAGES;
    half *a = tiles + s * STAGE, *b = a + BM * BK;
    wait(&full[s], tile / STAGES % 2);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int p = 0; p < BK; p += 16)
      wgmma(sum, describe(a + group * 64 * BK + p),
            describe(b + p * 64));
    asm volatile("wgmma.commit_group.sync.aligned;\n"
                 "wgmma.wait_group.sync.aligned 1;" ::: "memory");
    if (tile > 0 && threadIdx.x % 128 == 0)
      arrive(&empty[(tile - 1) % STAGES]);
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  row += group * 64 + warp * 16 + lane / 4;
  C += row * n + col + lane % 4 * 2;
#pragma unroll
  for (int j = 0; j < BN / 8; ++j)
    for (int h = 0; h < 4; h += 2)
      *(float2*)&C[h * 4 * n + j * 8] =
          make_float2(sum[j / 2][j % 2 * 4 + h],
                      sum[j / 2][j % 2 * 4 + h + 1]);
}

// Matrices lie row by row: their width is the first dimension.
CUtensorMap make_map(half* matrix, int rows, int cols, int box_rows) {
  CUtensorMap map;
  uint64_t size[] = {(uint64_t)cols, (uint64_t)rows};
  uint64_t pitch[] = {cols * sizeof(half)};
  uint32_t box[] = {64, (uint32_t)box_rows}, step[] = {1, 1};
  cuTensorMapEncodeTiled(
      &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, matrix, size, pitch,
      box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
      CU_TENSOR_MAP_SWIZZLE_128B,
      CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return map;
}
