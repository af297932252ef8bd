// Small instructions as inline PTX: bytes and fields of bits, what the lanes of a warp tell each other, halves in
// pairs, numbers of eight bits, cache operators, hints.
#include <cstdint>

__global__ void words(const unsigned* a, const unsigned* b, unsigned* out) {
  int i = threadIdx.x;
  unsigned x = a[i] * 0x9E3779B1u, y = b[i] * 0x85EBCA77u + 0x1234567u, d[12];
  asm("prmt.b32 %0, %1, %2, 0x7531;" : "=r"(d[0]) : "r"(x), "r"(y));
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(d[1]) : "r"(x), "r"(y), "r"(0x40c8u + (i & 7)));
  asm("bfe.u32 %0, %1, %2, 7;" : "=r"(d[2]) : "r"(x), "r"(i));
  asm("bfe.s32 %0, %1, %2, 5;" : "=r"(d[3]) : "r"(x), "r"(i));
  asm("bfi.b32 %0, %1, %2, %3, 9;" : "=r"(d[4]) : "r"(x), "r"(y), "r"(i));
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(d[5]) : "r"(x), "r"(y), "r"(i + 8));
  asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(d[6]) : "r"(x), "r"(y), "r"(i + 8));
  asm("dp4a.s32.u32 %0, %1, %2, %3;" : "=r"(d[7]) : "r"(x), "r"(y), "r"(i));
  asm("dp2a.hi.s32.s32 %0, %1, %2, %3;" : "=r"(d[8]) : "r"(x), "r"(y), "r"(i));
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(d[9]) : "r"(x), "r"(y), "r"(0xff00ff00u));
  asm("{\n.reg .b16 lo, hi;\nmov.b32 {lo, hi}, %1;\nmov.b32 %0, {hi, lo};\n}" : "=r"(d[10]) : "r"(x));
  asm("mad.lo.u32 %0, %1, %2, 7;" : "=r"(d[11]) : "r"(x), "r"(y));
  for (int k = 0; k < 12; ++k) out[k * 32 + i] = d[k];
}

__global__ void lanes(const int* in, unsigned* out) {
  int i = threadIdx.x;
  int x = in[i];
  unsigned d[9] = {};
  asm volatile("{\n.reg .pred p;\nelect.sync %0|p, 0xffffff00;\n@p mov.u32 %1, 1;\n}" : "+r"(d[0]), "+r"(d[1]));
  asm volatile("{\n.reg .pred p;\nsetp.gt.s32 p, %1, 500;\nvote.sync.ballot.b32 %0, p, 0xffffffff;\n}" : "=r"(d[2]) : "r"(x));
  asm volatile("{\n.reg .pred p, q;\nsetp.gt.s32 p, %1, -1;\nvote.sync.all.pred q, p, 0xffffffff;\nselp.u32 %0, 1, 0, q;\n}"
               : "=r"(d[3])
               : "r"(x));
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(d[4]) : "r"(x & 3));
  asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(d[5]) : "r"(x));
  asm volatile("shfl.sync.bfly.b32 %0, %1, 5, 0x1f, 0xffffffff;" : "=r"(d[6]) : "r"(x));
  asm volatile("shfl.sync.up.b32 %0, %1, 1, 0x1800, 0xffffffff;" : "=r"(d[7]) : "r"(x));
  asm volatile("activemask.b32 %0;" : "=r"(d[8]));
  for (int k = 0; k < 9; ++k) out[k * 32 + i] = d[k];
}

// Whole numbers, so that nothing is rounded.
__global__ void small_floats(unsigned* out) {
  int i = threadIdx.x;
  float low = i % 7 - 3, high = i % 5;
  unsigned x, y, d[5];
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(x) : "f"(high), "f"(low));
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(y) : "f"(low + 1.0f), "f"(high - 2.0f));
  asm("fma.rn.f16x2 %0, %1, %2, %1;" : "=r"(d[0]) : "r"(x), "r"(y));
  asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(d[1]) : "r"(x), "r"(y));
  asm("neg.f16x2 %0, %1;" : "=r"(d[2]) : "r"(x));
  unsigned short e;
  asm("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;" : "=h"(e) : "r"(x));
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(d[3]) : "h"(e));
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(e) : "f"(2.0f), "f"(-1.0f));
  d[4] = e;
  for (int k = 0; k < 5; ++k) out[k * 32 + i] = d[k];
}

__global__ void hints(const float4* in, float4* out, long long* times) {
  unsigned long long policy;
  asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  asm volatile("prefetch.global.L2 [%0];" ::"l"(in + 64));
  float4 v, w;
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(in + threadIdx.x));
  asm volatile("ld.global.L2::cache_hint.v4.f32 {%0, %1, %2, %3}, [%4], %5;"
               : "=f"(w.x), "=f"(w.y), "=f"(w.z), "=f"(w.w)
               : "l"(in + 32 + threadIdx.x), "l"(policy));
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("st.global.cs.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(out + threadIdx.x), "f"(v.x), "f"(w.y), "f"(v.z), "f"(w.w)
               : "memory");
  asm volatile("st.global.L1::no_allocate.v2.f32 [%0], {%1, %2};" ::"l"(out + 32 + threadIdx.x), "f"(v.y), "f"(w.x));
  asm volatile("griddepcontrol.launch_dependents;");
  asm volatile("nanosleep.u32 100;");
  __stcs(out + 64 + threadIdx.x, __ldcs(in + threadIdx.x));
  long long start, now;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(start));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  if (threadIdx.x == 0) times[0] = now - start;
}

void run(const unsigned* a, unsigned* out, float4* v) {
  words<<<1, 32>>>(a, a, out);
  lanes<<<1, 32>>>(nullptr, out);
  small_floats<<<1, 32>>>(out);
  hints<<<1, 32>>>(v, v, nullptr);
}
