// C = alpha A B + beta C as a library does it: a block computes BM x BN
// of C, each warp 64 x 64 of that, each thread 16 x 8 in squares of
// 4 x 4. The lanes of a warp share out each 16 x 32 of its part so:
//      0   2   4   6   8  10  12  14     Neighbours share a column or
//      1   3   5   7   9  11  13  15     a row, and a 16-byte read
//     16  18  20  22  24  26  28  30     takes two wavefronts instead
//     17  19  21  23  25  27  29  31     of four.
// There are two pairs of tiles: while one is used, the next is on its
// way in registers. n must be a multiple of 4, k of 8.
constexpr int BK = 8, TM = 16, TN = 8;  // depth; a thread's part of C
constexpr int DOWN = 4, ACROSS = 8;     // the lanes of a warp
constexpr int WM = DOWN * TM, WN = ACROSS * TN;
constexpr int RESIDENT = 256;  // threads that can have 255 registers

// Adds the products of a pair of tiles; a is transposed.
template <int PITCH, int BN>
__device__ void multiply(float (&sum)[TM][TN], float (&a)[BK][PITCH],
                         float (&b)[BK][BN], int y, int x) {
#pragma unroll
  for (int p = 0; p < BK; ++p) {
    __align__(16) float ra[TM], rb[TN];
    for (int i = 0; i < TM; i += 4)
      *(float4*)&ra[i] = *(float4*)&a[p][y + i * DOWN];
    for (int j = 0; j < TN; j += 4)
      *(float4*)&rb[j] = *(float4*)&b[p][x + j * ACROSS];
    for (int i = 0; i < TM; ++i)
      for (int j = 0; j < TN; ++j)
        sum[i][j] += ra[i] * rb[j];
  }
}

template <int BM, int BN, int PAD>
__global__ void __launch_bounds__(BM * BN / (TM * TN),
                                  RESIDENT * TM * TN / (BM * BN))
sgemm_warptiled(float* C, const float* A, const float* B, int m, int n,
                int k, float alpha, float beta) {
  constexpr int THREADS = BM * BN / (TM * TN);
  __shared__ __align__(16) float a[2][BK][BM + PAD];
  __shared__ __align__(16) float b[2][BK][BN];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  int row = blockIdx.y * BM, col = blockIdx.x * BN;
  int y = warp / (BN / WN) * WM + 4 * (lane % 2 + lane / 16 * 2);
  int x = warp % (BN / WN) * WN + 4 * (lane / 2 % ACROSS);
  // A thread carries four of A in rows AROWS apart, and of B likewise.
  // Beyond the edge it carries the last again, and stores no result.
  constexpr int AROWS = 4 * THREADS / BK, BROWS = 4 * THREADS / BN;
  int ai = 4 * t / BK, ap = 4 * t % BK;
  int bp = 4 * t / BN, bj = 4 * t % BN, from = min(col + bj, n - 4);
  __align__(16) float va[BM / AROWS][4], vb[BK / BROWS][4];
  float sum[TM][TN] = {};
  for (int next = 0, s = 0;; next += BK, s = 1 - s) {
    if (next < k) {  // these loads are under way during the products
      for (int i = 0; i < BM; i += AROWS)
        *(float4*)va[i / AROWS] = *(const float4*)
            &A[min(row + ai + i, m - 1) * k + next + ap];
      for (int p = 0; p < BK; p += BROWS)
        *(float4*)vb[p / BROWS] = *(const float4*)
            &B[(next + bp + p) * n + from];
    }
    if (next > 0) multiply(sum, a[1 - s], b[1 - s], y, x);
    if (next >= k) break;
    for (int i = 0; i < BM; i += AROWS)
      for (int q = 0; q < 4; ++q)
        a[s][ap + q][ai + i] = va[i / AROWS][q];
    for (int p = 0; p < BK; p += BROWS)
      *(float4*)&b[s][bp + p][bj] = *(float4*)vb[p / BROWS];
    __syncthreads();
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; j += 4) {
      int r = row + y + i / 4 * 4 * DOWN + i % 4;
      int c = col + x + j * ACROSS;
      if (r >= m || c >= n) continue;
      __align__(16) float v[4];
      *(float4*)v = *(float4*)&C[r * n + c];
      for (int q = 0; q < 4; ++q)
        v[q] = alpha * sum[i][j + q] + beta * v[q];
      *(float4*)&C[r * n + c] = *(float4*)v;
    }
}
