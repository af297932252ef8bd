// Objects whose host code asks for numbers of 0 to 1: bytes of a picture, signed shorts of a line, and floats that
// are what they are.
#include <cuda_runtime.h>

__global__ void grey(cudaTextureObject_t picture, float* out, int width) {
  int x = threadIdx.x, y = blockIdx.x;
  float4 c = tex2D<float4>(picture, x, y);
  out[y * width + x] = 0.5f * c.x + 0.25f * c.y + 0.125f * c.z - c.w;
}

__global__ void line_of_shorts(cudaTextureObject_t line, float2* out) {
  out[threadIdx.x] = tex1Dfetch<float2>(line, threadIdx.x);
}

__global__ void plain_floats(cudaTextureObject_t values, float* out) {
  out[threadIdx.x] = tex1Dfetch<float>(values, threadIdx.x);
}

texture<unsigned char, 1, cudaReadModeNormalizedFloat> bytes;

__global__ void reference_of_bytes(float* out) {
  out[threadIdx.x] = tex1Dfetch(bytes, threadIdx.x);
}

void run(cudaTextureObject_t texture, float* out) {
  cudaChannelFormatDesc picture = cudaCreateChannelDesc<uchar4>();
  cudaChannelFormatDesc line = cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindSigned);
  cudaChannelFormatDesc values = cudaCreateChannelDesc<float>();
  cudaTextureDesc description = {};
  description.readMode = cudaReadModeNormalizedFloat;
  grey<<<4, 32>>>(texture, out, 32);
  line_of_shorts<<<1, 32>>>(texture, nullptr);
  plain_floats<<<1, 32>>>(texture, out);
  reference_of_bytes<<<1, 32>>>(out);
}
