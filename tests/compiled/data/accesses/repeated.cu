// Loads and stores that are repeated, not used, or known.
#include <cuda_fp16.h>

#include <cassert>

#define SAME(name, T, ...)                   \
  __global__ void name(T* out, const T* a) { \
    int i = threadIdx.x;                     \
    __VA_ARGS__;                             \
  }

__global__ void unused(float* out, const float* in) {
  int i = threadIdx.x;
  float u = in[i + 32];
  out[i] = in[i];
}

SAME(same2, float, out[i] = a[i] * a[i])
SAME(sameStoreBetween, float, out[i] = a[i]; out[i + 32] = a[i])

__global__ void sameStoreBetweenR(float* __restrict__ out, const float* __restrict__ a) {
  int i = threadIdx.x;
  out[i] = a[i];
  out[i + 32] = a[i];
}

__global__ void sameStoreInt(int* out, const float* a) {
  int i = threadIdx.x;
  out[i] = a[i];
  out[i + 32] = a[i];
}

SAME(forward, float, out[i] = a[i]; out[i + 32] = out[i] * 2)
SAME(deadStore, float, out[i] = 0; out[i] = a[i])
SAME(sameSync, float, float s = a[i]; __syncthreads(); out[i] = s + a[i])

__global__ void sameSyncR(float* __restrict__ out, const float* __restrict__ a) {
  int i = threadIdx.x;
  float s = a[i];
  __syncthreads();
  out[i] = s + a[i];
}

__global__ void sameShared(float* out, const float* a) {
  __shared__ float t[64];
  int i = threadIdx.x;
  t[i] = a[i];
  out[i] = t[i ^ 1] + a[i];
}

__global__ void ifBoth(float* out, const float* a, int n) {
  int i = threadIdx.x;
  float s = a[i];
  if (s > 0) s += a[i] * n;
  out[i] = s;
}

SAME(adj, float, out[i] = a[2 * i] + a[2 * i + 1])

__global__ void atomicBetween(float* out, const float* a, int* c) {
  int i = threadIdx.x;
  float s = a[i];
  atomicAdd(c, 1);
  out[i] = s + a[i];
}

__global__ void selfmod(float* a) {
  int i = threadIdx.x;
  a[i] = a[i] * 2 + 1;
  a[i] = a[i] + 3;
}

SAME(shufDead, float, float s = a[i]; float t = __shfl_xor_sync(~0u, s, 1); out[i] = 1)

__global__ void rSync(float* __restrict__ out, float* __restrict__ a) {
  int i = threadIdx.x;
  float s = a[i];
  __syncthreads();
  out[i] = s + a[i];
}

__global__ void rSyncSt(float* __restrict__ out, float* __restrict__ a) {
  int i = threadIdx.x;
  float s = a[i];
  a[i + 1] = 2;
  __syncthreads();
  out[i] = s + a[i];
}

__global__ void rOnlyLoad(float* out, float* __restrict__ a) {
  int i = threadIdx.x;
  float s = a[i];
  out[i] = s;
  out[i + 1] = s + a[i];
}

__global__ void rOnlyStore(float* __restrict__ out, float* a) {
  int i = threadIdx.x;
  float s = a[i];
  out[i] = s;
  out[i + 1] = s + a[i];
}

__global__ void cOnlyLoad(float* out, const float* __restrict__ a) {
  int i = threadIdx.x;
  float s = a[i];
  out[i] = s;
  out[i + 1] = s + a[i];
}

__global__ void rAtomic(int* __restrict__ out, const int* __restrict__ a) {
  int i = threadIdx.x;
  int s = a[i];
  atomicAdd(out, s);
  out[i + 1] = s + a[i];
}

__global__ void rFence(int* __restrict__ out, const int* __restrict__ a) {
  int i = threadIdx.x;
  int s = a[i];
  __threadfence();
  out[i + 1] = s + a[i];
}

SAME(syncwarp, int, int s = a[i]; __syncwarp(); out[i + 1] = s + a[i])
SAME(shfl, int, int s = a[i]; s = __shfl_xor_sync(~0u, s, 1); out[i + 1] = s + a[i])
SAME(voteBallot, int, int s = a[i]; s += __ballot_sync(~0u, s > 0); out[i + 1] = s + a[i])
SAME(voteAny, int, int s = a[i]; s += __any_sync(~0u, s > 0); out[i + 1] = s + a[i])
SAME(active, int, int s = a[i]; s += __activemask(); out[i + 1] = s + a[i])
SAME(match, int, int s = a[i]; s += __match_any_sync(~0u, s); out[i + 1] = s + a[i])
SAME(redux, int, int s = a[i]; s = __reduce_add_sync(~0u, s); out[i + 1] = s + a[i])
SAME(blockVote, int, int s = a[i]; s += __syncthreads_and(s); out[i + 1] = s + a[i])
SAME(ballotDead, int, unsigned s = __ballot_sync(~0u, a[i] > 0); out[i] = 1)

__global__ void shuffledStore(int* out, int* a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int s = a[i];
  a[i] = s + 1;
  s = __shfl_xor_sync(~0u, s, 1);
  out[i + 1] = s + a[i];
}

__global__ void sharedf2(float* out, const float2* q) {
  __shared__ float2 t[64];
  int i = threadIdx.x;
  t[i] = q[i];
  __syncthreads();
  out[i] = t[i ^ 1].x + t[i ^ 1].y;
}

__global__ void guardThen(float* out, const int* a) {
  int i = threadIdx.x;
  if (a[i] > 0) out[i] = a[i];
}

__global__ void restrictF4(float4* __restrict__ o, const float4* __restrict__ q) {
  int i = threadIdx.x;
  float4 v = q[i];
  o[i].x = v.x + 1;
  o[i].y = v.y;
  o[i].z = v.z;
  o[i].w = v.w;
}

__global__ void halfTwo(float* out, const __half* a) {
  int i = threadIdx.x;
  out[i] = __half2float(a[i]) + __half2float(a[i]);
}

__global__ void swap2(float* a) {
  int i = threadIdx.x;
  if (a[i] > a[i + 1]) {
    float t = a[i];
    a[i] = a[i + 1];
    a[i + 1] = t;
  }
}

__global__ void swapr(float* a, float* b) {
  int i = threadIdx.x;
  float t = a[i];
  a[i] = b[i];
  b[i] = t;
}

__global__ void twoRet(float* a, float* b) {
  int i = threadIdx.x;
  float t = a[i];
  if (t > 0) return;
  b[i] = a[i];
}

__global__ void sq(float* a, const float* b, int n) {
  int i = threadIdx.x;
  if (b[i] > 0 && b[i] < n) a[i] = b[i];
}

__global__ void cond(float* a, const float* b, int n) {
  int i = threadIdx.x;
  a[i] = b[i] > 0 ? b[i] : -b[i];
}

__device__ void advance(unsigned* s) {
  *s = *s * 26757677u + 1u;
}

__global__ void pointerToElement(unsigned seed, unsigned* states) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  states[i] = seed ^ i;
  advance(&states[i]);
}

__global__ void pointerBeforeElement(unsigned seed, unsigned* states) {
  int i = threadIdx.x;
  unsigned* s = states + i;
  states[i] = seed ^ i;
  *s = *s * 26757677u + 1u;
}

__global__ void pointerAndNeighbour(float* out) {
  int i = threadIdx.x;
  float* p = &out[i];
  float x = out[i];
  p[1] = x;
  out[i] = out[i + 1] + 1;
}

SAME(pointerThatMoves, float, const float* p = &a[i]; out[i] = *p; p += 32; out[i + 64] = *p)
SAME(pointerOfAnOldIndex, float, const float* p = &a[i]; float x = *p; i += 7; out[i] = x + a[i] + *p)

__global__ void pointerByUnsigned(float* out, const float* a) {
  unsigned i = threadIdx.x;
  const float* p = &a[i];
  out[i] = *p + a[i] * 2;
}

__global__ void pointerToOthers(float* out, const float* a, const float* b) {
  int i = threadIdx.x;
  const float *p = &a[i], *q = &b[i];
  out[i] = *p + *q + a[i] * b[i];
}

__global__ void pointerWithAnotherScale(int* out) {
  int i = threadIdx.x;
  int* p = &out[2 * i];
  out[i] = 1;
  *p = 2;
}
