// The first kernel of every course, with its host code.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_CHECK(call)                                                                  \
  do {                                                                                    \
    cudaError_t error = (call);                                                           \
    if (error != cudaSuccess) {                                                           \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));       \
      exit(EXIT_FAILURE);                                                                 \
    }                                                                                     \
  } while (0)

__global__ void vectorAdd(const float *A, const float *B, float *C, int numElements) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < numElements) {
    C[i] = A[i] + B[i] + 0.0f;
  }
}

__global__ void addStride(float *__restrict__ y, const float *__restrict__ x, size_t n, float a = 1.0f) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] += a * x[i];
}

// ---- host
int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 50000;
  std::vector<float> a(n), b(n), c(n);
  float *d_a = NULL, *d_b = NULL, *d_c = NULL;
  CUDA_CHECK(cudaMalloc((void **)&d_a, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc((void **)&d_b, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc((void **)&d_c, n * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(d_a, a.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  int threadsPerBlock = 256, blocksPerGrid = (n + threadsPerBlock - 1) / threadsPerBlock;
  vectorAdd<<<blocksPerGrid, threadsPerBlock>>>(d_a, d_b, d_c, n);
  CUDA_CHECK(cudaGetLastError());
  for (int i = 0; i < n; ++i)
    if (fabs(a[i] + b[i] - c[i]) > 1e-5) { fprintf(stderr, "element %d differs\n", i); return 1; }
  return 0;
}
