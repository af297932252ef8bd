// Fragments through a pointer in a variable: nvcc 13.0 reads halves of shared memory with one ldmatrix wherever it
// sees that the pointer leads there, whatever it is computed from; from elsewhere 4 bytes a lane for each 8x8 matrix.
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

typedef wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> Rows;

__device__ void keep(const Rows& a, float* out) {
  float s = 0;
  for (int e = 0; e < a.num_elements; e++) s += __half2float(a.x[e]);
  if (s == 12345.f) out[threadIdx.x] = s;
}

__global__ void row_at_run_time(const half* in, float* out) {
  __shared__ half tile[18][40];
  for (int i = threadIdx.x; i < 256; i += 32) tile[i / 16][i % 16] = in[i];
  __syncwarp();
  Rows a;
  const half* p = &tile[threadIdx.x / 32][0];
  wmma::load_matrix_sync(a, p, 40);
  keep(a, out);
}

// A variable that moves on, and one that is set by a branch.
__global__ void moves_on(const half* in, float* out, int n) {
  extern __shared__ half rows[];
  __shared__ half other[256];
  for (int i = threadIdx.x; i < 512; i += 32) rows[i] = in[i];
  for (int i = threadIdx.x; i < 256; i += 32) other[i] = in[i];
  __syncwarp();
  Rows a;
  half* p = rows;
  for (int k = 0; k < 2; ++k, p += 256) {
    wmma::load_matrix_sync(a, p, 16);
    keep(a, out);
  }
  const half* q = n > 16 ? other : rows;
  if (n == 100) q = other;
  wmma::load_matrix_sync(a, q, 16);
  keep(a, out);
}

// Of one that may lead to global memory too nothing is known.
__global__ void either(const half* in, float* out, int n) {
  __shared__ half tile[256];
  for (int i = threadIdx.x; i < 256; i += 32) tile[i] = in[i];
  __syncwarp();
  Rows a;
  const half* p = tile;
  if (n > 16) p = in;
  wmma::load_matrix_sync(a, p, 16);
  keep(a, out);
}

// ---- host
void run(const half* in, float* out, int n) {
  row_at_run_time<<<1, 32>>>(in, out);
  moves_on<<<1, 32, 1024>>>(in, out, n);
  either<<<1, 32>>>(in, out, n);
}
