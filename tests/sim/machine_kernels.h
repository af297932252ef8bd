// Kernels that several tests launch.
#pragma once

#include "tests/sim/program_of.h"

namespace warplens::sim {

inline Program copy_program() {
  return program_of(
      "__global__ void copy(float* out, float* in, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) out[i] = in[i];\n"
      "}\n");
}

inline Program naive_transpose_program() {
  return program_of(
      "__global__ void transpose(float* out, const float* in, int nrows, int ncols) {\n"
      "  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;\n"
      "  if (c < ncols && r < nrows) out[c * nrows + r] = in[r * ncols + c];\n"
      "}\n");
}

inline Launch matrix_launch(std::uint32_t nrows, std::uint32_t ncols, Dim3 block) {
  return {.grid = {(ncols + block.x - 1) / block.x, (nrows + block.y - 1) / block.y},
          .block = block,
          .arguments = {{"nrows", std::int64_t{nrows}}, {"ncols", std::int64_t{ncols}}}};
}

// Of 32 x 32 threads, for sizes that are multiples of 32.
inline Program tiled_transpose_program(int pad) {
  return program_of(
      "__global__ void transpose_shared(float* out, const float* in, int n) {\n"
      "  __shared__ float tile[32][32 + " +
      std::to_string(pad) +
      "];\n"
      "  int x = blockIdx.x * 32, y = blockIdx.y * 32, tx = threadIdx.x, ty = threadIdx.y;\n"
      "  tile[ty][tx] = in[(y + ty) * n + x + tx];\n"
      "  __syncthreads();\n"
      "  out[(x + ty) * n + y + tx] = tile[tx][ty];\n"
      "}\n");
}

// One C element a thread, k by k; a warp walks along a row of B.
inline Program sgemm_program() {
  return program_of(
      "__global__ void sgemm(const float* A, const float* B, float* C, int N, int K, int M) {\n"
      "  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;\n"
      "  if (col >= N || row >= M) return;\n"
      "  float sum = 0;\n"
      "  for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];\n"
      "  C[row * N + col] = sum;\n"
      "}\n");
}

}  // namespace warplens::sim
