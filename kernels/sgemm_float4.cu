// C = alpha A B + beta C with 16-byte accesses everywhere. The tile of
// A is transposed on its way into shared memory, so that a thread's
// rows lie side by side there and it reads four of them at once, as
// it reads four columns of B. n and k must be multiples of 4.
template <int BX, int BY, int BK, int PAD>
__global__ void __launch_bounds__(BX * BY)
sgemm_float4(float* C, const float* A, const float* B, int m, int n,
             int k, float alpha, float beta) {
  constexpr int BM = 8 * BY, BN = 8 * BX;  // 8 x 8 sums a thread
  __shared__ __align__(16) float a[BK][BM + PAD];  // transposed
  __shared__ __align__(16) float b[BK][BN];
  int x = threadIdx.x, y = threadIdx.y, t = y * BX + x;
  int row = blockIdx.y * BM, col = blockIdx.x * BN;
  float sum[8][8] = {};
  for (int first = 0; first < k; first += BK) {
    for (int l = t; l < BM * BK / 4; l += BX * BY) {
      int i = l / (BK / 4), p = l % (BK / 4) * 4;
      float4 v = make_float4(0, 0, 0, 0);
      if (row + i < m && first + p < k)
        v = *(const float4*)&A[(row + i) * k + first + p];
      a[p][i] = v.x;
      a[p + 1][i] = v.y;
      a[p + 2][i] = v.z;
      a[p + 3][i] = v.w;
    }
    for (int l = t; l < BK * BN / 4; l += BX * BY) {
      int p = l / (BN / 4), j = l % (BN / 4) * 4;
      float4 v = make_float4(0, 0, 0, 0);
      if (first + p < k && col + j < n)
        v = *(const float4*)&B[(first + p) * n + col + j];
      *(float4*)&b[p][j] = v;
    }
    __syncthreads();
#pragma unroll
    for (int p = 0; p < BK; ++p) {
      float ra[8], rb[8];  // two groups of four, half a tile apart
      for (int h = 0; h < 2; ++h) {
        *(float4*)&ra[4 * h] = *(float4*)&a[p][4 * (y + h * BY)];
        *(float4*)&rb[4 * h] = *(float4*)&b[p][4 * (x + h * BX)];
      }
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
          sum[i][j] += ra[i] * rb[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    for (int h = 0; h < 2; ++h) {
      int r = row + 4 * (y + i / 4 * BY) + i % 4;
      int c = col + 4 * (x + h * BX);
      if (r >= m || c >= n) continue;
      float* s = &sum[i][4 * h];
      float4* out = (float4*)&C[r * n + c];
      float4 v = *out;
      v.x = alpha * s[0] + beta * v.x;
      v.y = alpha * s[1] + beta * v.y;
      v.z = alpha * s[2] + beta * v.z;
      v.w = alpha * s[3] + beta * v.w;
      *out = v;
    }
}
