#pragma once

#include <algorithm>
#include <cassert>
#include <cublas_v2.h>

#define CEIL_DIV(M, N) (((M) + (N)-1) / (N))
#define FLOAT4(value) (reinterpret_cast<float4 *>(&(value))[0])

const int WARPSIZE = 32;  // warpSize is not constexpr
typedef unsigned int uint_t;

namespace wt {
template <const int BM, const int BN, const int BK, const int rowStrideA, const int rowStrideB>
__device__ void loadFromGmem(int N, int K, const float *A, const float *B, float *As, float *Bs, int innerRowA,
                             int innerColA, int innerRowB, int innerColB) {
  for (uint offset = 0; offset + rowStrideA <= BM; offset += rowStrideA) {
    const float4 tmp = reinterpret_cast<const float4 *>(&A[(innerRowA + offset) * K + innerColA * 4])[0];
    As[(innerColA * 4 + 0) * BM + innerRowA + offset] = tmp.x;
    As[(innerColA * 4 + 1) * BM + innerRowA + offset] = tmp.y;
    As[(innerColA * 4 + 2) * BM + innerRowA + offset] = tmp.z;
    As[(innerColA * 4 + 3) * BM + innerRowA + offset] = tmp.w;
  }
  for (uint offset = 0; offset + rowStrideB <= BK; offset += rowStrideB) {
    reinterpret_cast<float4 *>(&Bs[(innerRowB + offset) * BN + innerColB * 4])[0] =
        reinterpret_cast<const float4 *>(&B[(innerRowB + offset) * N + innerColB * 4])[0];
  }
}

template <int BM, int BN, int BK, int WM, int WN, int WMITER, int WNITER, int WSUBM, int WSUBN, int TM, int TN>
__device__ __forceinline__ void processFromSmem(float *regM, float *regN, float (&threadResults)[WMITER * TM][WNITER * TN],
                                const float *As, const float *Bs, const uint warpRow, const uint warpCol) {
#pragma unroll
  for (uint dotIdx = 0; dotIdx < BK; ++dotIdx) {
    for (uint wSubRowIdx = 0; wSubRowIdx < WMITER; ++wSubRowIdx)
      for (uint i = 0; i < TM; ++i)
        regM[wSubRowIdx * TM + i] = As[(dotIdx * BM) + warpRow * WM + wSubRowIdx * WSUBM + i];
    threadResults[dotIdx][0] += regM[0] * regN[0];
  }
}
}  // namespace wt

template <const int BM, const int BN, const int BK, const int TM, const int NUM_THREADS>
__global__ void __launch_bounds__(NUM_THREADS, 1)
    sgemmWarptiling(int M, int N, int K, float alpha, float *A, float *B, float beta, float *C) {
  const uint warpIdx = threadIdx.x / WARPSIZE;
  constexpr uint WMITER = (BM * BN) / (WARPSIZE * TM * 4 * 2);
  static_assert(WMITER > 0, "warp tile");
  __shared__ float As[BM * BK];
  __shared__ __align__(16) float Bs[2][BK][BN];
  A += blockIdx.y * BM * K;
  float threadResults[WMITER * TM][4] = {{0.f}, {0.0}};
  float regM[WMITER * TM] = {}, regN[4] = {0.0};
  wt::loadFromGmem<BM, BN, BK, (NUM_THREADS * 4) / BK, NUM_THREADS / (BN / 4)>(
      N, K, A, B, As, &Bs[0][0][0], threadIdx.x / (BK / 4), threadIdx.x % (BK / 4), 0, 0);
  wt::processFromSmem<BM, BN, BK, 64, 64, WMITER, 1, 8, 8, TM, 4>(regM, regN, threadResults, As, Bs[1][0], warpIdx, 0u);
  __syncthreads();
  float4 tmp = FLOAT4(C[blockIdx.x * N + threadIdx.x * 4]);
  tmp.x = alpha * threadResults[0][0] + beta * tmp.x;
  FLOAT4(C[blockIdx.x * N + threadIdx.x * 4]) = tmp;
  *(float2 *)(C + 2) = make_float2(tmp.x, tmp.y);
  ((int4 *)A)[threadIdx.x] = *((int4 const *)B + threadIdx.x);
}

void runSgemmWarptiling(int M, int N, int K, float alpha, float *A, float *B, float beta, float *C) {
  const uint K10_NUM_THREADS = 128;
  dim3 blockDim(K10_NUM_THREADS);
  dim3 gridDim(CEIL_DIV(N, 128), CEIL_DIV(M, 128));
  sgemmWarptiling<128, 128, 16, 8, K10_NUM_THREADS>
      <<<gridDim, blockDim>>>(M, N, K, alpha, A, B, beta, C);
}
