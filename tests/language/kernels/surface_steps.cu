// Surfaces: a step of heat from one image to another, a transposition, and what lies beyond the edge.
#include <cuda_runtime.h>

__global__ void heat_step(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float centre = surf2Dread<float>(from, x * sizeof(float), y);
  float left = surf2Dread<float>(from, (x - 1) * (int)sizeof(float), y, cudaBoundaryModeClamp);
  float right = surf2Dread<float>(from, (x + 1) * (int)sizeof(float), y, cudaBoundaryModeClamp);
  float above = surf2Dread<float>(from, x * (int)sizeof(float), y - 1, cudaBoundaryModeZero);
  surf2Dwrite(centre + 0.25f * (left + right + above - 3.0f * centre), to, x * sizeof(float), y);
}

surface<void, 2> target;

__global__ void transpose_bytes(const uchar4* in, int width) {
  int x = threadIdx.x, y = blockIdx.x;
  uchar4 pixel = in[y * width + x];
  surf2Dwrite(pixel, target, y * 4, x);
}

void run(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  heat_step<<<dim3(2, 2), dim3(16, 8)>>>(from, to, 30, 12);
  transpose_bytes<<<8, 32>>>(nullptr, 32);
}
