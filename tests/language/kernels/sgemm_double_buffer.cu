#include <cuda_runtime.h>

#define OFFSET(row, col, ld) ((row) * (ld) + (col))
#define FETCH_FLOAT4(pointer) (reinterpret_cast<float4 *>(&(pointer))[0])

// Two tiles in shared memory: the next one is read while this one is multiplied.
template <const int BLOCK_SIZE_M, const int BLOCK_SIZE_K, const int BLOCK_SIZE_N, const int THREAD_SIZE_Y,
          const int THREAD_SIZE_X>
__global__ void Sgemm(float *__restrict__ A, float *__restrict__ B, float *__restrict__ C, const int M, const int N,
                      const int K) {
  const int bx = blockIdx.x, by = blockIdx.y;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int THREAD_X_PER_BLOCK = BLOCK_SIZE_N / THREAD_SIZE_X;
  const int THREAD_Y_PER_BLOCK = BLOCK_SIZE_M / THREAD_SIZE_Y;
  const int THREAD_NUM_PER_BLOCK = THREAD_X_PER_BLOCK * THREAD_Y_PER_BLOCK;
  const int tid = ty * THREAD_X_PER_BLOCK + tx;
  __shared__ float As[2][BLOCK_SIZE_K][BLOCK_SIZE_M];
  __shared__ float Bs[2][BLOCK_SIZE_K][BLOCK_SIZE_N];
  float accum[THREAD_SIZE_Y][THREAD_SIZE_X] = {0};
  float frag_a[2][THREAD_SIZE_Y];
  float frag_b[2][THREAD_SIZE_X];
  const int ldg_num_a = BLOCK_SIZE_M * BLOCK_SIZE_K / (THREAD_NUM_PER_BLOCK * 4);
  const int ldg_num_b = BLOCK_SIZE_K * BLOCK_SIZE_N / (THREAD_NUM_PER_BLOCK * 4);
  float ldg_a_reg[4 * ldg_num_a];
  float ldg_b_reg[4 * ldg_num_b];
  const int A_TILE_THREAD_PER_ROW = BLOCK_SIZE_K / 4;
  const int B_TILE_THREAD_PER_ROW = BLOCK_SIZE_N / 4;
  const int A_TILE_ROW_START = tid / A_TILE_THREAD_PER_ROW;
  const int B_TILE_ROW_START = tid / B_TILE_THREAD_PER_ROW;
  const int A_TILE_COL = tid % A_TILE_THREAD_PER_ROW * 4;
  const int B_TILE_COL = tid % B_TILE_THREAD_PER_ROW * 4;
  const int A_TILE_ROW_STRIDE = THREAD_NUM_PER_BLOCK / A_TILE_THREAD_PER_ROW;
  const int B_TILE_ROW_STRIDE = THREAD_NUM_PER_BLOCK / B_TILE_THREAD_PER_ROW;
  A = &A[(BLOCK_SIZE_M * by) * K];
  B = &B[BLOCK_SIZE_N * bx];
#pragma unroll
  for (int i = 0; i < BLOCK_SIZE_M; i += A_TILE_ROW_STRIDE) {
    int ldg_index = i / A_TILE_ROW_STRIDE * 4;
    FETCH_FLOAT4(ldg_a_reg[ldg_index]) = FETCH_FLOAT4(A[OFFSET(A_TILE_ROW_START + i, A_TILE_COL, K)]);
    As[0][A_TILE_COL][A_TILE_ROW_START + i] = ldg_a_reg[ldg_index];
    As[0][A_TILE_COL + 1][A_TILE_ROW_START + i] = ldg_a_reg[ldg_index + 1];
    As[0][A_TILE_COL + 2][A_TILE_ROW_START + i] = ldg_a_reg[ldg_index + 2];
    As[0][A_TILE_COL + 3][A_TILE_ROW_START + i] = ldg_a_reg[ldg_index + 3];
  }
#pragma unroll
  for (int i = 0; i < BLOCK_SIZE_K; i += B_TILE_ROW_STRIDE) {
    FETCH_FLOAT4(Bs[0][B_TILE_ROW_START + i][B_TILE_COL]) =
        FETCH_FLOAT4(B[OFFSET(B_TILE_ROW_START + i, B_TILE_COL, N)]);
  }
  __syncthreads();
  int write_stage_idx = 1;
  int tile_idx = 0;
  do {
    tile_idx += BLOCK_SIZE_K;
    if (tile_idx < K) {
#pragma unroll
      for (int i = 0; i < BLOCK_SIZE_M; i += A_TILE_ROW_STRIDE) {
        int ldg_index = i / A_TILE_ROW_STRIDE * 4;
        FETCH_FLOAT4(ldg_a_reg[ldg_index]) = FETCH_FLOAT4(A[OFFSET(A_TILE_ROW_START + i, A_TILE_COL + tile_idx, K)]);
      }
#pragma unroll
      for (int i = 0; i < BLOCK_SIZE_K; i += B_TILE_ROW_STRIDE) {
        int ldg_index = i / B_TILE_ROW_STRIDE * 4;
        FETCH_FLOAT4(ldg_b_reg[ldg_index]) = FETCH_FLOAT4(B[OFFSET(tile_idx + B_TILE_ROW_START + i, B_TILE_COL, N)]);
      }
    }
    int load_stage_idx = write_stage_idx ^ 1;
#pragma unroll
    for (int j = 0; j < BLOCK_SIZE_K; ++j) {
#pragma unroll
      for (int y = 0; y < THREAD_SIZE_Y; y += 4)
        FETCH_FLOAT4(frag_a[j % 2][y]) = FETCH_FLOAT4(As[load_stage_idx][j][THREAD_SIZE_Y * ty + y]);
#pragma unroll
      for (int x = 0; x < THREAD_SIZE_X; x += 4)
        FETCH_FLOAT4(frag_b[j % 2][x]) = FETCH_FLOAT4(Bs[load_stage_idx][j][THREAD_SIZE_X * tx + x]);
#pragma unroll
      for (int y = 0; y < THREAD_SIZE_Y; ++y)
#pragma unroll
        for (int x = 0; x < THREAD_SIZE_X; ++x) accum[y][x] += frag_a[j % 2][y] * frag_b[j % 2][x];
    }
    if (tile_idx < K) {
#pragma unroll
      for (int i = 0; i < BLOCK_SIZE_M; i += A_TILE_ROW_STRIDE) {
        int ldg_index = i / A_TILE_ROW_STRIDE * 4;
#pragma unroll
        for (int k = 0; k < 4; ++k)
          As[write_stage_idx][A_TILE_COL + k][A_TILE_ROW_START + i] = ldg_a_reg[ldg_index + k];
      }
#pragma unroll
      for (int i = 0; i < BLOCK_SIZE_K; i += B_TILE_ROW_STRIDE) {
        int ldg_index = i / B_TILE_ROW_STRIDE * 4;
        FETCH_FLOAT4(Bs[write_stage_idx][B_TILE_ROW_START + i][B_TILE_COL]) = FETCH_FLOAT4(ldg_b_reg[ldg_index]);
      }
      __syncthreads();
      write_stage_idx ^= 1;
    }
  } while (tile_idx < K);
#pragma unroll
  for (int y = 0; y < THREAD_SIZE_Y; ++y) {
#pragma unroll
    for (int x = 0; x < THREAD_SIZE_X; x += 4) {
      FETCH_FLOAT4(C[OFFSET(BLOCK_SIZE_M * by + ty * THREAD_SIZE_Y + y, BLOCK_SIZE_N * bx + tx * THREAD_SIZE_X + x,
                            N)]) = FETCH_FLOAT4(accum[y][x]);
    }
  }
}

// ---- host
#define checkCudaErrors(func)                                                            \
  {                                                                                      \
    cudaError_t e = (func);                                                              \
    if (e != cudaSuccess) printf("%s %d CUDA: %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); \
  }
int main() {
  const int BM = 128, BK = 8, BN = 128, TY = 8, TX = 8;
  dim3 dimBlock(BN / TX, BM / TY), dimGrid(N / BN, M / BM);
  Sgemm<BM, BK, BN, TY, TX><<<dimGrid, dimBlock>>>(d_A, d_B, d_C, M, N, K);
  checkCudaErrors(cudaDeviceSynchronize());
}
