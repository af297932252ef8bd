#include <cuda_runtime.h>
inline __host__ __device__ float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
inline __host__ __device__ float3 operator-(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
inline __host__ __device__ float3 operator*(float3 a, float b) { return make_float3(a.x * b, a.y * b, a.z * b); }
inline __host__ __device__ float3 operator*(float b, float3 a) { return a * b; }
inline __host__ __device__ void operator+=(float3 &a, float3 b) { a.x += b.x; a.y += b.y; a.z += b.z; }
inline __host__ __device__ bool operator==(const float3 &a, const float3 &b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
inline __host__ __device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline __host__ __device__ float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
inline __host__ __device__ float3 lerp(float3 a, float3 b, float t = 0.5f) { return a + t * (b - a); }
inline __host__ __device__ float lerp(float a, float b, float t) { return a + t * (b - a); }

__global__ void shade(const float3 *normals, const float3 *lights, float3 *colours, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float3 sum = make_float3(0, 0, 0);
  for (int l = 0; l < 3; ++l) {
    float3 light = lights[l];
    if (light == sum) continue;
    float d = dot(normals[i], light);
    sum += d > 0.5f ? cross(normals[i], light) * d : lerp(light, normals[i], 0.25f);
  }
  colours[i] = lerp(sum, normals[i]);
  colours[i].x = lerp(colours[i].x, 1.0f, 0.5f);
}

// ---- host
int main() { shade<<<2, 64>>>(n, l, c, 100); }
