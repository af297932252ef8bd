#include <cuda_runtime.h>
#include <device_launch_parameters.h>

// Sparse matrix times vector: a thread a row, and a warp a row.
__global__ void spmv_csr_scalar(const int num_rows, const int *ptr, const int *indices, const float *data,
                                const float *x, float *y) {
  int row = blockDim.x * blockIdx.x + threadIdx.x;
  if (row < num_rows) {
    float dot = 0;
    int row_start = ptr[row];
    int row_end = ptr[row + 1];
    for (int jj = row_start; jj < row_end; jj++) dot += data[jj] * x[indices[jj]];
    y[row] += dot;
  }
}

__global__ void spmv_csr_vector(const int num_rows, const int *ptr, const int *indices, const float *data,
                                const float *x, float *y) {
  __shared__ float vals[64];
  int thread_id = blockDim.x * blockIdx.x + threadIdx.x;
  int warp_id = thread_id / 32;
  int lane = thread_id & (32 - 1);
  int row = warp_id;
  if (row < num_rows) {
    int row_start = ptr[row];
    int row_end = ptr[row + 1];
    vals[threadIdx.x] = 0;
    for (int jj = row_start + lane; jj < row_end; jj += 32) vals[threadIdx.x] += data[jj] * x[indices[jj]];
    for (int s = 16; s > 0; s >>= 1) {
      __syncwarp();
      float other = lane < s ? vals[threadIdx.x + s] : 0.0f;
      __syncwarp();
      vals[threadIdx.x] += other;
    }
    if (lane == 0) y[row] += vals[threadIdx.x];
  }
}

// ---- host
struct CsrMatrix { std::vector<int> ptr, indices; std::vector<float> data; };
void multiply(const CsrMatrix &m) {
  spmv_csr_scalar<<<1, 64>>>(m.ptr.size() - 1, p, i, d, x, y);
  spmv_csr_vector<<<32, 64>>>(m.ptr.size() - 1, p, i, d, x, y);
}
