// C = alpha A B + beta C as a library does it: a block computes BM x BN
// of C, a warp 64 x 64 of that, a thread TM x TN in squares of 4 x 4.
// The lanes of a warp share out each 16 x 32 of its part so:
//      0   2   4   6   8  10  12  14     Neighbours share a row or a
//      1   3   5   7   9  11  13  15     column: a 16-byte read takes
//     16  18  20  22  24  26  28  30     two wavefronts, not four.
//     17  19  21  23  25  27  29  31     n % 4 and k % 8 must be 0.
template <int BM, int BN, int PAD, int TM = 16, int TN = 8>
__global__ void __launch_bounds__(BM * BN / (TM * TN),
                                  256 * TM * TN / (BM * BN))
sgemm_warptiled(float* C, const float* A, const float* B, int m, int n,
                int k, float alpha, float beta) {
  constexpr int BK = 8, DOWN = 4, ACROSS = 8;  // depth; a warp's lanes
  constexpr int WM = DOWN * TM, WN = ACROSS * TN;  // its part of C
  constexpr int THREADS = BM * BN / (TM * TN);
  // A thread carries four of A in LA rows, AROWS apart, and of B so.
  constexpr int LA = BM * BK / 4 / THREADS, AROWS = BM / LA;
  constexpr int LB = BK * BN / 4 / THREADS, BROWS = BK / LB;
  __shared__ __align__(16) float a[2][BK][BM + PAD];
  __shared__ __align__(16) float b[2][BK][BN];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  int y = warp / (BN / WN) * WM + (lane % 2 + lane / 16 * 2) * 4;
  int x = warp % (BN / WN) * WN + lane / 2 % ACROSS * 4;
  int row = blockIdx.y * BM, col = blockIdx.x * BN;
  // Beyond the edge it carries the last again, and stores no result.
  int ai = t / (BK / 4), ap = t % (BK / 4) * 4;
  int bp = t / (BN / 4), bj = t % (BN / 4) * 4;
  int from = min(col + bj, n - 4);
  float va[LA][4], vb[LB][4];
  for (int l = 0; l < LA; ++l) {
    int i = min(row + ai + l * AROWS, m - 1);
    *(float4*)va[l] = *(const float4*)&A[i * k + ap];
  }
  for (int l = 0; l < LB; ++l)
    *(float4*)vb[l] = *(const float4*)&B[(bp + l * BROWS) * n + from];
  float sum[TM][TN] = {};
  for (int first = 0, s = 0; first < k; first += BK, s = 1 - s) {
    for (int l = 0; l < LA; ++l) {
      int i = ai + l * AROWS;
      for (int q = 0; q < 4; ++q)
        a[s][ap + q][i] = va[l][q];
    }
    for (int l = 0; l < LB; ++l)
      *(float4*)&b[s][bp + l * BROWS][bj] = *(float4*)vb[l];
    __syncthreads();
    if (first + BK < k) {  // in registers during the products
      for (int l = 0; l < LA; ++l) {
        int i = min(row + ai + l * AROWS, m - 1);
        *(float4*)va[l] = *(const float4*)&A[i * k + first + BK + ap];
      }
      for (int l = 0; l < LB; ++l) {
        int p = first + BK + bp + l * BROWS;
        *(float4*)vb[l] = *(const float4*)&B[p * n + from];
      }
    }
#pragma unroll
    for (int p = 0; p < BK; ++p) {
      float ra[TM], rb[TN];
      for (int i = 0; i < TM; i += 4)
        *(float4*)&ra[i] = *(float4*)&a[s][p][y + i * DOWN];
      for (int j = 0; j < TN; j += 4)
        *(float4*)&rb[j] = *(float4*)&b[s][p][x + j * ACROSS];
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
          sum[i][j] += ra[i] * rb[j];
    }
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; j += 4) {
      int r = row + y + i / 4 * 4 * DOWN + i % 4;
      int c = col + x + j * ACROSS;
      if (r >= m || c >= n) continue;
      float4* out = (float4*)&C[r * n + c];
      float4 v = *out;
      *out = make_float4(alpha * sum[i][j] + beta * v.x,
                         alpha * sum[i][j + 1] + beta * v.y,
                         alpha * sum[i][j + 2] + beta * v.z,
                         alpha * sum[i][j + 3] + beta * v.w);
    }
}
