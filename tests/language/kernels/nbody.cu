#include <cuda_runtime.h>
#define SOFTENING 1e-9f

typedef struct {
  float4 *pos, *vel;
} BodySystem;

__device__ float3 bodyBodyInteraction(float4 bi, float4 bj, float3 ai) {
  float3 r;
  r.x = bj.x - bi.x;
  r.y = bj.y - bi.y;
  r.z = bj.z - bi.z;
  float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + SOFTENING;
  float invDist = 1.0f / sqrtf(distSqr);
  float s = bj.w * (invDist * invDist * invDist);
  ai.x += r.x * s;
  ai.y += r.y * s;
  ai.z += r.z * s;
  return ai;
}

__global__ void integrateBodies(float4 *p, float4 *v, float dt, int n) {
  extern __shared__ float4 spos[];
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  float4 bi = p[i];
  float3 F = {0.0f, 0.0f, 0.0f};
  for (int tile = 0; tile < gridDim.x; tile++) {
    spos[threadIdx.x] = p[tile * blockDim.x + threadIdx.x];
    __syncthreads();
#pragma unroll 4
    for (int j = 0; j < blockDim.x; j++) F = bodyBodyInteraction(bi, spos[j], F);
    __syncthreads();
  }
  float4 vi = v[i];
  vi.x += dt * F.x, vi.y += dt * F.y, vi.z += dt * F.z;
  v[i] = vi;
}

// ---- host
int main(const int argc, const char **argv) {
  BodySystem p = {(float4 *)buf, ((float4 *)buf) + nBodies};
  integrateBodies<<<nBlocks, BLOCK_SIZE, BLOCK_SIZE * sizeof(float4)>>>(p.pos, p.vel, dt, nBodies);
}
