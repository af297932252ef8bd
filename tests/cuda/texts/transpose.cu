// A matrix transpose, the way a course would write it: kernels and the program that runs them in one file.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#ifndef TILE_DIM
#define TILE_DIM 32
#endif
#define BLOCK_ROWS 8
#define PAD 1

#define CUDA_CHECK(call)                                                          \
  do {                                                                            \
    cudaError_t status = (call);                                                  \
    if (status != cudaSuccess) {                                                  \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(EXIT_FAILURE);                                                    \
    }                                                                             \
  } while (0)

#define INDEX(ROW, COL, INNER) ((ROW) * (INNER) + (COL))

__global__ void copy_row(float *out, const float *in, const int nrows, const int ncols) {
  unsigned int ix = blockDim.x * blockIdx.x + threadIdx.x;
  unsigned int iy = blockDim.y * blockIdx.y + threadIdx.y;
  if (ix < ncols && iy < nrows) out[INDEX(iy, ix, ncols)] = in[INDEX(iy, ix, ncols)];
}

template <int BX, int BY, int PADDING = PAD>
__global__ void transpose_tiled(float* __restrict__ out, float const* __restrict__ in, int nrows, int ncols)
{
  __shared__ float tile[BY][BX + PADDING];
  const unsigned ix = BX * blockIdx.x + threadIdx.x, iy = BY * blockIdx.y + threadIdx.y;
  unsigned int ti = INDEX(iy, ix, ncols);
  unsigned int bidx = threadIdx.y * blockDim.x + threadIdx.x;
  unsigned int irow = bidx / blockDim.y;
  unsigned int icol = bidx % blockDim.y;
  unsigned int to = (blockIdx.x * BX + irow) * nrows + blockIdx.y * BY + icol;
  if (iy < nrows && ix < ncols) {
    tile[threadIdx.y][threadIdx.x] = in[ti];
    __syncthreads();
    out[to] = tile[icol][irow];
  }
}

__global__ void transpose_dynamic(float *out, float *in, int nrows, int ncols, int pad) {
  extern __shared__ float tile[];
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) {
    tile[(threadIdx.y + j) * (blockDim.x + pad) + threadIdx.x] = in[(row + j) * ncols + col];
  }
  __syncthreads();
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    out[col * nrows + (row + j)] = tile[(threadIdx.y + j) * (blockDim.x + pad) + threadIdx.x];
}

static void initial_data(std::vector<float>& data) {
  for (auto& x : data) x = static_cast<float>(rand() & 0xFF) / 10.0f;
}

int main(int argc, char **argv) {
  int nrows = argc > 1 ? std::atoi(argv[1]) : 1 << 12, ncols = nrows;
  std::vector<float> host(nrows * ncols);
  initial_data(host);
  float *d_in = nullptr, *d_out = nullptr;
  CUDA_CHECK(cudaMalloc((void **)&d_in, host.size() * sizeof(float)));
  CUDA_CHECK(cudaMalloc((void **)&d_out, host.size() * sizeof(float)));
  dim3 block(TILE_DIM, BLOCK_ROWS);
  dim3 grid((ncols + block.x - 1) / block.x, (nrows + block.y - 1) / block.y);
  copy_row<<<grid, block>>>(d_out, d_in, nrows, ncols);
  CUDA_CHECK(cudaGetLastError());
  transpose_tiled<32, 16><<<grid, dim3(32, 16)>>>(d_out, d_in, nrows, ncols);
  transpose_dynamic<<<grid, block, (TILE_DIM + PAD) * TILE_DIM * sizeof(float)>>>(d_out, d_in, nrows,
                                                                                  ncols, PAD);
  auto check = [&](float a, float b) -> bool { return a < b || a > b; };
  try {
    if (check(1.0f, host[0])) throw std::runtime_error("mismatch");
  } catch (const std::exception& e) {
    goto done;
  }
done:
  CUDA_CHECK(cudaFree(d_in)); CUDA_CHECK(cudaFree(d_out));
  return EXIT_SUCCESS;
}
