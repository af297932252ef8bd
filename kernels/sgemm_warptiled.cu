// C = alpha A B + beta C as a library does it. A block makes BM x BN
// of C, each warp 64 x 64 of that, a thread 16 x 8: what is read from
// shared memory is used 8 or 16 times. There are two pairs of tiles:
// while one is used, the next is on its way in registers, and a step
// needs one barrier. n must be a multiple of 4, k of 8.
template <int BM, int BN, int PAD>
__global__ void __launch_bounds__(BM * BN / 128, 32768 / (BM * BN))
sgemm_warptiled(float* C, const float* A, const float* B, int m, int n,
                int k, float alpha, float beta) {
  constexpr int BK = 8, T = BM * BN / 128;  // T threads
  constexpr int LA = BM * BK / 4 / T, LB = BK * BN / 4 / T;
  __shared__ __align__(16) float a[2][BK][BM + PAD];  // transposed
  __shared__ __align__(16) float b[2][BK][BN];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  // 4 x 8 lanes, such that neighbours share rows or columns: a wide
  // read then takes two wavefronts in place of four.
  int y = warp / (BN / 64) * 64 + (lane % 2 + lane / 16 * 2) * 4;
  int x = warp % (BN / 64) * 64 + lane / 2 % 8 * 4;
  int row = blockIdx.y * BM, col = blockIdx.x * BN;
  // What this thread carries: LA times four of A and LB of B. Beyond
  // the edge it carries the last again; its products are not stored.
  int ai = t / 2, ap = t % 2 * 4;
  int bp = t / (BN / 4), bj = t % (BN / 4) * 4;
  int fromB = min(col + bj, n - 4);
  float4 va[LA], vb[LB];
  for (int l = 0; l < LA; ++l) {
    int i = min(row + ai + l * (T / 2), m - 1);
    va[l] = *(const float4*)&A[i * k + ap];
  }
  for (int l = 0; l < LB; ++l)
    vb[l] = *(const float4*)&B[(bp + l * (BK / LB)) * n + fromB];
  float sum[16][8] = {};
  for (int first = 0, s = 0; first < k; first += BK, s = 1 - s) {
    for (int l = 0; l < LA; ++l) {
      int i = ai + l * (T / 2);
      a[s][ap][i] = va[l].x;
      a[s][ap + 1][i] = va[l].y;
      a[s][ap + 2][i] = va[l].z;
      a[s][ap + 3][i] = va[l].w;
    }
    for (int l = 0; l < LB; ++l)
      *(float4*)&b[s][bp + l * (BK / LB)][bj] = vb[l];
    __syncthreads();
    int next = first + BK;
    if (next < k) {  // these loads are under way during the products
      for (int l = 0; l < LA; ++l) {
        int i = min(row + ai + l * (T / 2), m - 1);
        va[l] = *(const float4*)&A[i * k + next + ap];
      }
      for (int l = 0; l < LB; ++l) {
        int p = next + bp + l * (BK / LB);
        vb[l] = *(const float4*)&B[p * n + fromB];
      }
    }
#pragma unroll
    for (int p = 0; p < BK; ++p) {
      float ra[16], rb[8];
      for (int i = 0; i < 4; ++i)
        *(float4*)&ra[4 * i] = *(float4*)&a[s][p][y + 16 * i];
      for (int j = 0; j < 2; ++j)
        *(float4*)&rb[4 * j] = *(float4*)&b[s][p][x + 32 * j];
      for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 8; ++j)
          sum[i][j] += ra[i] * rb[j];
    }
  }
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 8; j += 4) {
      int r = row + y + i / 4 * 16 + i % 4, c = col + x + j * 8;
      if (r >= m || c >= n) continue;
      float4* out = (float4*)&C[r * n + c];
      float4 v = *out;
      v.x = alpha * sum[i][j] + beta * v.x;
      v.y = alpha * sum[i][j + 1] + beta * v.y;
      v.z = alpha * sum[i][j + 2] + beta * v.z;
      v.w = alpha * sum[i][j + 3] + beta * v.w;
      *out = v;
    }
}
