// Images as textures of two and three dimensions: a box filter by texels, a rotation with normalized coordinates
// that wrap, a zoom between texels, a slice of a volume.
#include <cuda_runtime.h>

__global__ void box_filter(cudaTextureObject_t image, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0.0f;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) sum += tex2D<float>(image, x + dx, y + dy);
  out[y * width + x] = sum;
}

texture<float, 2, cudaReadModeElementType> picture;

__global__ void shift(float* out, int width, int height, float by) {
  unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;
  float u = (float)x / (float)width + by;
  float v = (float)y / (float)height;
  out[y * width + x] = tex2D(picture, u, v);
}

__global__ void zoom(cudaTextureObject_t image, float2* out, int width) {
  int x = threadIdx.x, y = blockIdx.x;
  out[y * width + x] = tex2D<float2>(image, 0.5f * x + 0.25f, 0.5f * y + 0.5f);
}

__global__ void slice(cudaTextureObject_t volume, float* out, int width, float z) {
  int x = threadIdx.x, y = blockIdx.x;
  out[y * width + x] = tex3D<float>(volume, x + 0.5f, y + 0.5f, z);
}

__global__ void scan_line(cudaTextureObject_t line, short* out, float scale) {
  out[threadIdx.x] = tex1D<short>(line, threadIdx.x * scale - 2.0f);
}

texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> colours;

__global__ void luminance(float* out, int width) {
  int x = threadIdx.x, y = blockIdx.x;
  float4 c = tex2D(colours, x + 0.5f, y + 0.5f);
  out[y * width + x] = 0.25f * c.x + 0.5f * c.y + 0.125f * c.z + c.w;
}

void run(cudaTextureObject_t image, float* out, int width, int height) {
  dim3 block(16, 8), grid((width + 15) / 16, (height + 7) / 8);
  box_filter<<<grid, block>>>(image, out, width, height);
  shift<<<grid, block>>>(out, width, height, 0.25f);
  zoom<<<8, 32>>>(image, nullptr, 32);
  slice<<<8, 16>>>(image, out, 16, 1.5f);
  scan_line<<<1, 32>>>(image, nullptr, 0.5f);
  luminance<<<4, 32>>>(out, 32);
}
