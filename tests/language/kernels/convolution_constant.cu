#include <cuda_runtime.h>
#define MASK_WIDTH 5
#define TILE       16
#define w          (TILE + MASK_WIDTH - 1)

__constant__ float M[MASK_WIDTH][MASK_WIDTH];
__constant__ int bias;

__global__ void convolution_2D(const float *I, float *P, int height, int width) {
  __shared__ float N_ds[w][w];
  int ty = threadIdx.y, tx = threadIdx.x;
  int row_o = blockIdx.y * TILE + ty, col_o = blockIdx.x * TILE + tx;
  for (int r = ty; r < w; r += TILE)
    for (int c = tx; c < w; c += TILE) {
      int row_i = blockIdx.y * TILE + r - MASK_WIDTH / 2, col_i = blockIdx.x * TILE + c - MASK_WIDTH / 2;
      bool inside = row_i >= 0 && row_i < height && col_i >= 0 && col_i < width;
      N_ds[r][c] = inside ? I[row_i * width + col_i] : 0.0f;
    }
  __syncthreads();
  float output = bias;
  for (int i = 0; i < MASK_WIDTH; i++)
    for (int j = 0; j < MASK_WIDTH; j++) output += M[i][j] * N_ds[i + ty][j + tx];
  if (row_o < height && col_o < width) P[row_o * width + col_o] = output;
}

// ---- host
int main() {
  float mask[MASK_WIDTH * MASK_WIDTH];
  cudaMemcpyToSymbol(M, mask, sizeof(mask));
  convolution_2D<<<dim3(2, 2), dim3(TILE, TILE)>>>(dI, dP, 30, 30);
}
