// Texture objects over linear memory: a sparse product whose vector comes through the texture path, a gather
// of vectors, and a device function that is given the object.
#include <cuda_runtime.h>

__global__ void spmv_texture(const int* rows, const int* columns, const float* values, cudaTextureObject_t x,
                             float* y, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0.0f;
  for (int i = rows[row]; i < rows[row + 1]; ++i) sum += values[i] * tex1Dfetch<float>(x, columns[i]);
  y[row] = sum;
}

__device__ float4 body_at(cudaTextureObject_t bodies, int i) {
  return tex1Dfetch<float4>(bodies, i);
}

__global__ void gather_bodies(cudaTextureObject_t bodies, const int* index, float4* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float4 b = body_at(bodies, index[i] & 63);
    out[i] = make_float4(b.x, b.y, b.z, 2.0f * b.w);
  }
}

texture<unsigned char, 1, cudaReadModeElementType> table;

__global__ void look_up(const unsigned char* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1Dfetch(table, in[i]);
}

void run(const int* rows, const int* columns, const float* values, const float* x, float* y, int n) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  cudaTextureDesc description = {};
  description.readMode = cudaReadModeElementType;
  cudaTextureObject_t object = 0;
  cudaCreateTextureObject(&object, &resource, &description, nullptr);
  spmv_texture<<<(n + 127) / 128, 128>>>(rows, columns, values, object, y, n);
  gather_bodies<<<2, 64>>>(object, rows, nullptr, 100);
  look_up<<<1, 256>>>(nullptr, nullptr, 256);
}
