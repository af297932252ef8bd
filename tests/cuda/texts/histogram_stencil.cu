#include <cuda_runtime.h>
#define BIN_COUNT 256
#define RADIUS 3
#define IN_RANGE(x, lo, hi) ((x) >= (lo) && (x) < (hi))
enum Mode { Clamp, Wrap = 4, Mirror };
enum class Axis : unsigned char { X, Y };
typedef unsigned char uchar;
typedef struct { float x, y, z; } Point;
typedef struct __align__(8) Pair_ { int key; float value; } Pair;
struct Particle { float3 pos; float mass; Point trail[4]; };
__constant__ float c_coef[RADIUS * 2 + 1] = {0.1f, 0.2f, .3f, 0.4f, 0.3f, 0.2f, 0.1f};
__device__ __constant__ int c_n;
__device__ float d_table[16][16];
__device__ unsigned long long ticket = 0ULL;

__global__ void histogram_shared(const uchar* __restrict__ data, unsigned int* bins, long n) {
  __shared__ unsigned int local[BIN_COUNT];
  for (int i = threadIdx.x; i < BIN_COUNT; i += blockDim.x) local[i] = 0;
  __syncthreads();
  const long stride = (long)gridDim.x * blockDim.x;
  for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n; i += stride)
    atomicAdd(&local[data[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < BIN_COUNT; i += blockDim.x)
    if (local[i]) atomicAdd(bins + i, local[i]);
}

__global__ void stencil_1d(float const *in, float *out, int n) {
  __shared__ float temp[128 + 2 * RADIUS];
  int gindex = threadIdx.x + blockIdx.x * blockDim.x;
  int lindex = threadIdx.x + RADIUS;
  temp[lindex] = IN_RANGE(gindex, 0, n) ? in[gindex] : 0.0f;
  if (threadIdx.x < RADIUS) {
    temp[lindex - RADIUS] = gindex - RADIUS >= 0 ? in[gindex - RADIUS] : 0;
    temp[lindex + 128] = __ldg(&in[gindex + 128]);
  }
  __syncthreads();
  float result = 0;
#pragma unroll
  for (int offset = -RADIUS; offset <= RADIUS; offset++) result += c_coef[offset + RADIUS] * temp[lindex + offset];
  out[gindex] = result;
}

__global__ void scan_block(int *g, int n) {
  extern volatile __shared__ int s[];
  int tid = threadIdx.x, pout = 0, pin = 1;
  s[tid] = (tid > 0) ? g[tid - 1] : 0;
  for (int d = 1; d < n; d <<= 1) {
    pout = 1 - pout; pin = 1 - pout;
    if (tid >= d) s[pout*n+tid] += s[pin*n+tid-d]; else s[pout*n+tid] = s[pin*n+tid];
    __syncthreads();
  }
  int x = g[tid];
  for (int d = 1; d < 32; d *= 2) { int y = __shfl_up_sync(0xFFFFFFFF, x, d, 32); if ((tid & 31) >= d) x += y; }
  g[tid] = s[pout * n + tid] + x;
}

__global__ void particles(Particle *p, Pair* pairs, Mode mode, Axis axis, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Particle q = p[i];
  q.pos.x += q.trail[mode == Wrap ? 1 : 0].y, q.mass *= 0x1.8p1f;
  switch (mode) {
    case Clamp:
    case Mirror: { q.mass = 0; break; }
    case Wrap: q.pos = make_float3(0.f, 0.f, 1e-3f);
    default:;
  }
  if (axis == Axis::Y) pairs[i].key = i; else (pairs + i)->value = sqrtf(q.mass);
  Point origin = {0, 0, 0};
  p[i] = q; p[i].trail[0] = origin;
  while (true) { if (--i < 0) break; else continue; }
  int old = atomicCAS(&pairs[i].key, 'a', L'\n'), k{3}, m(4);
  const int *const cp = &pairs->key; int *&alias = (int*&)pairs;
  m = k ? old, 2 : *cp, m |= ~k & !m ^ 1'000 >> 2;
  unsigned u = unsigned(m) + (unsigned)k + static_cast<unsigned short>(m);
  long long int a1 = 0b1011; long unsigned a2 = 0777ul; short int a3 = 1; unsigned char a4 = '\x41'; signed a5 = -1;
  (void)alias; (void)u;
}
