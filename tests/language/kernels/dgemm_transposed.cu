#include <cuda_runtime.h>
using real = double;
typedef real (*unary)(real);

// Column-major, A transposed; coordinates by lambdas of the host only.
template <class T, unsigned TS = 16>
__global__ void __launch_bounds__(TS *TS) gemm_tn(unsigned m, unsigned n, unsigned k, T alpha, const T *__restrict__ a,
                                                  unsigned lda, const T *__restrict__ b, unsigned ldb, T beta, T *c,
                                                  unsigned ldc) {
  __shared__ T ta[TS][TS + 1], tb[TS][TS + 1];
  const unsigned tx = threadIdx.x % TS, ty = threadIdx.x / TS;
  const unsigned row0 = blockIdx.x * TS, col0 = blockIdx.y * TS;
  T sum{};
  for (unsigned k0 = 0; k0 < k; k0 += TS) {
    ta[ty][tx] = (row0 + ty < m && k0 + tx < k) ? a[(row0 + ty) * lda + k0 + tx] : T(0);
    tb[ty][tx] = (col0 + ty < n && k0 + tx < k) ? b[(col0 + ty) * ldb + k0 + tx] : T(0);
    __syncthreads();
#pragma unroll 8
    for (unsigned i = 0; i < TS; ++i) sum += ta[tx][i] * tb[ty][i];
    __syncthreads();
  }
  if (row0 + tx < m && col0 + ty < n) {
    T &out = c[(col0 + ty) * ldc + row0 + tx];
    out = alpha * sum + beta * out;
  }
}

// ---- host
auto blocks = [](unsigned n) { return (n + 15) / 16; };
int main() { gemm_tn<real><<<dim3(blocks(40), blocks(24)), 256>>>(40, 24, 33, 1.0, a, 33, b, 33, 0.5, c, 40); }
