// C = alpha A B + beta C as a library does it. A block makes BM x BN
// of C, each warp 64 x 64 of that, a thread 16 x 8: what is read from
// shared memory is used 8 or 16 times. There are two pairs of tiles:
// while one is used, the next is on its way in registers, and a step
// needs one barrier. n and k must be multiples of 4.
template <int BM, int BN, int PAD>
__global__ void __launch_bounds__(BM * BN / 128)
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
  float sum[16][8] = {};
  for (int first = -BK, s = 1; first < k; first += BK, s = 1 - s) {
    float4 nextA[LA], nextB[LB];
    for (int l = 0; l < LA; ++l) {  // the next tiles set out
      int i = (t + l * T) / 2, p = first + BK + t % 2 * 4;
      nextA[l] = row + i < m && p < k
                     ? *(const float4*)&A[(row + i) * k + p]
                     : make_float4(0, 0, 0, 0);
    }
    for (int l = 0; l < LB; ++l) {
      int p = first + BK + (t + l * T) / (BN / 4);
      int j = col + (t + l * T) % (BN / 4) * 4;
      nextB[l] = p < k && j < n ? *(const float4*)&B[p * n + j]
                                : make_float4(0, 0, 0, 0);
    }
    if (first >= 0)
#pragma unroll
    for (int p = 0; p < BK; ++p) {  // these are used
      float ra[16], rb[8];
      for (int i = 0; i < 4; ++i)
        *(float4*)&ra[4 * i] = *(float4*)&a[s][p][y + 16 * i];
      for (int j = 0; j < 2; ++j)
        *(float4*)&rb[4 * j] = *(float4*)&b[s][p][x + 32 * j];
      for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 8; ++j)
          sum[i][j] += ra[i] * rb[j];
    }
    for (int l = 0; l < LA; ++l) {  // the next tiles arrive
      int i = (t + l * T) / 2, p = t % 2 * 4;
      a[1 - s][p][i] = nextA[l].x;
      a[1 - s][p + 1][i] = nextA[l].y;
      a[1 - s][p + 2][i] = nextA[l].z;
      a[1 - s][p + 3][i] = nextA[l].w;
    }
    for (int l = 0; l < LB; ++l)
      *(float4*)&b[1 - s][(t + l * T) / (BN / 4)]
                 [(t + l * T) % (BN / 4) * 4] = nextB[l];
    __syncthreads();
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
