// Members of vectors and aligned structs, one by one and copied as a whole.
#include <cuda_fp16.h>

#include <cassert>

struct P {
  float x, y, z, m;
};
struct __align__(16) A {
  float x, y, z;
  int w;
};
struct R3 {
  float x, y, z;
};
struct __align__(16) A3 {
  float x, y, z;
};
struct __align__(8) B {
  float a, b;
};
struct __align__(8) B4 {
  float a, b, c, d;
};
struct F2x2 {
  float2 a, b;
};
struct F4x2 {
  float4 a, b;
};
struct __align__(16) LL {
  long long a, b;
};
struct __align__(16) D2 {
  double a;
  int b;
  int c;
};
struct Body {
  float4 p;
  float3 v;
  float m;
};
struct __align__(16) I4 {
  int a, b, c, d;
};
struct __align__(16) arr4 {
  float v[4];
};
struct __align__(16) H8 {
  half v[8];
};
struct __align__(16) M {
  float x, y, z, w;
};
struct P7 {
  float a, b, c, d, e, f, m;
};
struct V {
  float x, y, z;
};
struct P7v {
  V p, v;
  float m;
};

#define TAKE(name, Type, ...)                       \
  __global__ void name(float* out, const Type* q) { \
    int i = threadIdx.x;                            \
    __VA_ARGS__;                                    \
  }

#define READ(name, Type, ...)                       \
  __global__ void name(float* out, const Type* q) { \
    int i = threadIdx.x;                            \
    out[i] = __VA_ARGS__;                           \
  }
#define COPY(name, Type, ...)                       \
  __global__ void name(float* out, const Type* q) { \
    int i = threadIdx.x;                            \
    Type v = q[i];                                  \
    out[i] = __VA_ARGS__;                           \
  }
#define WRITE(name, Type, ...)             \
  __global__ void name(Type* q, float v) { \
    int i = threadIdx.x;                   \
    __VA_ARGS__;                           \
  }

__global__ void deadMember(float* out, const P* in) {
  int i = threadIdx.x;
  P p = in[i];
  out[i] = p.x;
}

__global__ void rmwMember(P* a) {
  int i = threadIdx.x;
  P p = a[i];
  p.x += 1;
  a[i] = p;
}

READ(f2Members, float2, q[i].x + q[i].y)
TAKE(f2GapStore, float2, out[i] = q[i].x; out[i + 32] = q[i].y)

__global__ void f2GapStoreR(float* __restrict__ out, const float2* __restrict__ q) {
  int i = threadIdx.x;
  out[i] = q[i].x;
  out[i + 32] = q[i].y;
}

COPY(f4X, float4, v.x)
COPY(f4Xy, float4, v.x + v.y)
COPY(f4Zw, float4, v.z + v.w)
COPY(f4Yz, float4, v.y + v.z)
COPY(f4Xz, float4, v.x + v.z)
COPY(f4Xyz, float4, v.x + v.y + v.z)
COPY(f4Yzw, float4, v.y + v.z + v.w)
READ(f4Xw, float4, q[i].x + q[i].w)
READ(f4All, float4, q[i].x + q[i].y + q[i].z + q[i].w)
READ(f3All, float3, q[i].x + q[i].y + q[i].z)
TAKE(AAll, A, A a = q[i]; out[i] = a.x + a.y + a.z + a.w)
READ(AMem, A, q[i].x + q[i].w)

__global__ void stMembers(float2* q, const float* a) {
  int i = threadIdx.x;
  q[i].x = a[i];
  q[i].y = a[i + 32];
}

WRITE(stMembersC, float2, q[i].x = v; q[i].y = v * 2)
WRITE(stF4, float4, q[i].x = v; q[i].y = v * 2; q[i].z = v * 3; q[i].w = v * 4)
WRITE(stF43, float4, q[i].x = v; q[i].y = v * 2; q[i].z = v * 3)
WRITE(stP, P, q[i].x = v; q[i].y = v * 2; q[i].z = v * 3)

__global__ void f2Ifsplit(float* out, const float2* q, int n) {
  int i = threadIdx.x;
  float s = q[i].x;
  if (i < n) s += q[i].y;
  out[i] = s;
}

__global__ void uc4(int* out, const uchar4* q) {
  int i = threadIdx.x;
  out[i] = q[i].x + q[i].y + q[i].z + q[i].w;
}

__global__ void uc4xyz(int* out, const uchar4* q) {
  int i = threadIdx.x;
  out[i] = q[i].x + q[i].y + q[i].z;
}

__global__ void d2(double* out, const double2* q) {
  int i = threadIdx.x;
  out[i] = q[i].x + q[i].y;
}

__global__ void copyf4X(float4* out, const float4* q) {
  int i = threadIdx.x;
  float4 v = q[i];
  v.x += 1;
  out[i] = v;
}

__global__ void rmwf4(float4* q) {
  int i = threadIdx.x;
  float4 v = q[i];
  v.x += 1;
  q[i] = v;
}

TAKE(cast4, float, float4 v = reinterpret_cast<const float4*>(q)[i]; out[i] = v.x + v.z)
READ(AXy, A, q[i].x + q[i].y)
READ(AXz, A, q[i].x + q[i].z)
READ(AXyz, A, q[i].x + q[i].y + q[i].z)
READ(AYzw, A, q[i].w + q[i].y + q[i].z)
READ(AZw, A, q[i].w + q[i].z)
READ(A3Xyz, A3, q[i].x + q[i].y + q[i].z)
READ(BAb, B, q[i].a + q[i].b)
READ(BB, B, q[i].b)
READ(B4All, B4, q[i].a + q[i].b + q[i].c + q[i].d)
READ(B4Bc, B4, q[i].b + q[i].c)
COPY(F2x2All, F2x2, v.a.x + v.a.y + v.b.x + v.b.y)
COPY(F4x2All, F4x2, v.a.x + v.a.y + v.b.x + v.b.y)

__global__ void LLAb(long long* out, const LL* q) {
  int i = threadIdx.x;
  out[i] = q[i].a + q[i].b;
}

__global__ void D2All(double* out, const D2* q) {
  int i = threadIdx.x;
  out[i] = q[i].a + q[i].b + q[i].c;
}

TAKE(BodyAll, Body, Body b = q[i]; out[i] = b.p.x + b.p.y + b.p.z + b.v.x + b.v.y + b.v.z + b.m)

__global__ void I4All(int* out, const I4* q) {
  int i = threadIdx.x;
  out[i] = q[i].a + q[i].b + q[i].c + q[i].d;
}

TAKE(sink, float4, float4 v = q[i]; float s = v.x; if (v.x > 0) s += v.y + v.z + v.w; out[i] = s)

__global__ void sink2(float* out, const float4* q, int n) {
  int i = threadIdx.x;
  float4 v = q[i];
  if (i < n) out[i] = v.x + v.y + v.z + v.w;
}

__global__ void sink1(float* out, const float* q, int n) {
  int i = threadIdx.x;
  float v = q[i];
  if (i < n) out[i] = v;
}

TAKE(twoptrCast, float, const float4* p = (const float4*)q; out[i] = p[i].x + p[i].y + p[i].z + p[i].w)
READ(h2, half2, __half2float(q[i].x) + __half2float(q[i].y))
TAKE(h2f, half2, float2 f = __half22float2(q[i]); out[i] = f.x + f.y)

__global__ void s2(int* out, const short2* q) {
  int i = threadIdx.x;
  out[i] = q[i].x + q[i].y;
}

__global__ void stGap(float2* q, const float* __restrict__ a) {
  int i = threadIdx.x;
  q[i].x = a[i];
  q[i].y = a[i + 32];
}

WRITE(stB, B, q[i].a = v; q[i].b = v)
WRITE(stA, A, q[i].x = v; q[i].y = v; q[i].z = v; q[i].w = i)
WRITE(stF3, float3, q[i].x = v; q[i].y = v; q[i].z = v)
WRITE(stYz, float4, q[i].y = v; q[i].z = v)
WRITE(stXz, float4, q[i].x = v; q[i].z = v)
WRITE(stTwice, float, q[i] = v; q[i] = v + 1)
WRITE(stTwiceSync, float, q[i] = v; __syncthreads(); q[i] = v + 1)

__global__ void stSameShared(float* q, float v) {
  __shared__ float t[32];
  int i = threadIdx.x;
  q[i] = v;
  t[i] = v;
  __syncthreads();
  q[i] = t[i ^ 1];
}

__global__ void f3Copy(float3* o, const float3* q) {
  int i = threadIdx.x;
  o[i] = q[i];
}

READ(ldMX, M, q[i].x)
WRITE(stMX, M, q[i].x = v * 2)
READ(ldMY, M, q[i].y)
WRITE(stMY, M, q[i].y = v * 3)
READ(ldMXy, M, q[i].x + q[i].y)
WRITE(stMXy, M, q[i].x = v * 2; q[i].y = v * 3)
READ(ldMZ, M, q[i].z)
WRITE(stMZ, M, q[i].z = v * 4)
READ(ldMXz, M, q[i].x + q[i].z)
WRITE(stMXz, M, q[i].x = v * 2; q[i].z = v * 4)
READ(ldMYz, M, q[i].y + q[i].z)
WRITE(stMYz, M, q[i].y = v * 3; q[i].z = v * 4)
READ(ldMXyz, M, q[i].x + q[i].y + q[i].z)
WRITE(stMXyz, M, q[i].x = v * 2; q[i].y = v * 3; q[i].z = v * 4)
READ(ldMW, M, q[i].w)
WRITE(stMW, M, q[i].w = v * 5)
READ(ldMXw, M, q[i].x + q[i].w)
WRITE(stMXw, M, q[i].x = v * 2; q[i].w = v * 5)
READ(ldMYw, M, q[i].y + q[i].w)
WRITE(stMYw, M, q[i].y = v * 3; q[i].w = v * 5)
READ(ldMXyw, M, q[i].x + q[i].y + q[i].w)
WRITE(stMXyw, M, q[i].x = v * 2; q[i].y = v * 3; q[i].w = v * 5)
READ(ldMZw, M, q[i].z + q[i].w)
WRITE(stMZw, M, q[i].z = v * 4; q[i].w = v * 5)
READ(ldMXzw, M, q[i].x + q[i].z + q[i].w)
WRITE(stMXzw, M, q[i].x = v * 2; q[i].z = v * 4; q[i].w = v * 5)
READ(ldMYzw, M, q[i].y + q[i].z + q[i].w)
WRITE(stMYzw, M, q[i].y = v * 3; q[i].z = v * 4; q[i].w = v * 5)
READ(ldMXyzw, M, q[i].x + q[i].y + q[i].z + q[i].w)
WRITE(stMXyzw, M, q[i].x = v * 2; q[i].y = v * 3; q[i].z = v * 4; q[i].w = v * 5)
READ(ldFloat4X, float4, q[i].x)
WRITE(stFloat4X, float4, q[i].x = v * 2)
READ(ldFloat4Y, float4, q[i].y)
WRITE(stFloat4Y, float4, q[i].y = v * 3)
READ(ldFloat4Xy, float4, q[i].x + q[i].y)
WRITE(stFloat4Xy, float4, q[i].x = v * 2; q[i].y = v * 3)
READ(ldFloat4Z, float4, q[i].z)
WRITE(stFloat4Z, float4, q[i].z = v * 4)
READ(ldFloat4Xz, float4, q[i].x + q[i].z)
WRITE(stFloat4Xz, float4, q[i].x = v * 2; q[i].z = v * 4)
READ(ldFloat4Yz, float4, q[i].y + q[i].z)
WRITE(stFloat4Yz, float4, q[i].y = v * 3; q[i].z = v * 4)
READ(ldFloat4Xyz, float4, q[i].x + q[i].y + q[i].z)
WRITE(stFloat4Xyz, float4, q[i].x = v * 2; q[i].y = v * 3; q[i].z = v * 4)
READ(ldFloat4W, float4, q[i].w)
WRITE(stFloat4W, float4, q[i].w = v * 5)
READ(ldFloat4Xw, float4, q[i].x + q[i].w)
WRITE(stFloat4Xw, float4, q[i].x = v * 2; q[i].w = v * 5)
READ(ldFloat4Yw, float4, q[i].y + q[i].w)
WRITE(stFloat4Yw, float4, q[i].y = v * 3; q[i].w = v * 5)
READ(ldFloat4Xyw, float4, q[i].x + q[i].y + q[i].w)
WRITE(stFloat4Xyw, float4, q[i].x = v * 2; q[i].y = v * 3; q[i].w = v * 5)
READ(ldFloat4Zw, float4, q[i].z + q[i].w)
WRITE(stFloat4Zw, float4, q[i].z = v * 4; q[i].w = v * 5)
READ(ldFloat4Xzw, float4, q[i].x + q[i].z + q[i].w)
WRITE(stFloat4Xzw, float4, q[i].x = v * 2; q[i].z = v * 4; q[i].w = v * 5)
READ(ldFloat4Yzw, float4, q[i].y + q[i].z + q[i].w)
WRITE(stFloat4Yzw, float4, q[i].y = v * 3; q[i].z = v * 4; q[i].w = v * 5)
READ(ldFloat4Xyzw, float4, q[i].x + q[i].y + q[i].z + q[i].w)
WRITE(stFloat4Xyzw, float4, q[i].x = v * 2; q[i].y = v * 3; q[i].z = v * 4; q[i].w = v * 5)
TAKE(cpMX, M, M p = q[i]; out[i] = p.x)
TAKE(cpMY, M, M p = q[i]; out[i] = p.y)
TAKE(cpMXy, M, M p = q[i]; out[i] = p.x + p.y)
TAKE(cpMZ, M, M p = q[i]; out[i] = p.z)
TAKE(cpMXz, M, M p = q[i]; out[i] = p.x + p.z)
TAKE(cpMYz, M, M p = q[i]; out[i] = p.y + p.z)
TAKE(cpMXyz, M, M p = q[i]; out[i] = p.x + p.y + p.z)
TAKE(cpMW, M, M p = q[i]; out[i] = p.w)
TAKE(cpMXw, M, M p = q[i]; out[i] = p.x + p.w)
TAKE(cpMYw, M, M p = q[i]; out[i] = p.y + p.w)
TAKE(cpMXyw, M, M p = q[i]; out[i] = p.x + p.y + p.w)
TAKE(cpMZw, M, M p = q[i]; out[i] = p.z + p.w)
TAKE(cpMXzw, M, M p = q[i]; out[i] = p.x + p.z + p.w)
TAKE(cpMYzw, M, M p = q[i]; out[i] = p.y + p.z + p.w)
TAKE(cpMXyzw, M, M p = q[i]; out[i] = p.x + p.y + p.z + p.w)

__global__ void ucX(int* out, const uchar4* q) {
  int i = threadIdx.x;
  out[i] = q[i].x;
}

__global__ void ucXy(int* out, const uchar4* q) {
  int i = threadIdx.x;
  out[i] = q[i].x + q[i].y;
}

__global__ void d4Xy(double* out, const double4* q) {
  int i = threadIdx.x;
  out[i] = q[i].x + q[i].y;
}

__global__ void d4St(double4* out, double v) {
  int i = threadIdx.x;
  out[i].x = v;
  out[i].y = v;
  out[i].z = v;
  out[i].w = v;
}

TAKE(f4ldgX, float4, float4 v = __ldg(&q[i]); out[i] = v.x)
TAKE(f4ldgXy, float4, float4 v = __ldg(&q[i]); out[i] = v.x + v.y)
TAKE(ldgTwo, float, out[i] = __ldg(&q[i]); out[i + 5] = __ldg(&q[i]))
TAKE(ldcgDead, float, float v = __ldcg(&q[i]); out[i] = 1)
READ(ldcgTwo, float, __ldcg(&q[i]) + __ldcg(&q[i]))
TAKE(ldgBarrier, float, float s = __ldg(&q[i]); __syncthreads(); out[i] = s + __ldg(&q[i]))
TAKE(ldcsStore, float, out[i] = __ldcs(&q[i]); out[i + 5] = __ldcs(&q[i]))
TAKE(ldcvBarrier, float, float s = __ldcv(&q[i]); __syncthreads(); out[i] = s + __ldcv(&q[i]))
READ(ldgAndPlain, float, q[i] + __ldg(&q[i]))

__global__ void f2mIfst(float* out, const float2* q, int n) {
  int i = threadIdx.x;
  float a = q[i].x;
  if (i < n) atomicAdd(out, 1);
  out[i] = a + q[i].y;
}

__global__ void ldStLd(float* a) {
  int i = threadIdx.x;
  float s = a[i];
  a[i + 1] = 2;
  a[i] = s + a[i];
}

__global__ void rmw7(P7* a) {
  int i = threadIdx.x;
  P7 p = a[i];
  p.a += 1;
  a[i] = p;
}

__global__ void rmw7v(P7v* a) {
  int i = threadIdx.x;
  P7v p = a[i];
  p.p.x += 1;
  a[i] = p;
}

__global__ void rmw7if(P7* a) {
  int i = threadIdx.x;
  P7 p = a[i];
  if (p.a < 0) {
    p.a = -p.a;
    p.b = -p.b;
  }
  a[i] = p;
}

__global__ void rmw7use(P7* a, float* o) {
  int i = threadIdx.x;
  P7 p = a[i];
  p.a += 1;
  a[i] = p;
  o[i] = p.m;
}

__global__ void rmw7use2(P7* a, float* o) {
  int i = threadIdx.x;
  P7 p = a[i];
  p.a += p.m;
  a[i] = p;
}

__global__ void rmw7guard(P7* a, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  P7 p = a[i];
  p.a += 1;
  a[i] = p;
}

__global__ void rmw2(float* a) {
  int i = threadIdx.x;
  float t = a[i];
  float u = a[i + 1];
  a[i] = u;
  a[i + 1] = u;
}

__global__ void rmwb(float* a, int n) {
  int i = threadIdx.x;
  float t = a[i];
  if (i < n) atomicAdd((int*)a + 700, 1);
  a[i] = t;
}

__global__ void rmwc(float* a, float* __restrict__ o, int n) {
  int i = threadIdx.x;
  float t = a[i];
  if (i < n) o[0] = 2;
  a[i] = t;
}
