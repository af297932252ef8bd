#include <cuda_runtime.h>
enum Axis { X, Y, Z };
constexpr float kWeights[3] = {0.1f, 0.2f, 0.3f};
__host__ __device__ constexpr int idx(int x, int y, int z, int nx, int ny) { return (z * ny + y) * nx + x; }

// Marches along z with the planes below and above in registers.
__global__ void stencil3d(const float *in, float *out, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
  float below = in[idx(x, y, 0, nx, ny)], current = in[idx(x, y, 1, nx, ny)], above;
  for (int z = 1; z < nz - 1; z++) {
    above = in[idx(x, y, z + 1, nx, ny)];
    float sum = kWeights[X] * (in[idx(x - 1, y, z, nx, ny)] + in[idx(x + 1, y, z, nx, ny)]);
    sum += kWeights[Y] * (in[idx(x, y - 1, z, nx, ny)] + in[idx(x, y + 1, z, nx, ny)]);
    sum += kWeights[Z] * (below + above);
    out[idx(x, y, z, nx, ny)] = sum - current;
    below = current;
    current = above;
  }
}

// ---- host
void run(const float *in, float *out) {
  dim3 block(8, 8);
  stencil3d<<<dim3(2, 2), block>>>(in, out, 16, 16, 6);
}
