// What inline PTX is used for beside tensor cores: loads that say where to be kept, predicates instead of branches,
// lanes and masks, fused and packed arithmetic, copies that fill with zeros.
#include <cstdint>

__device__ __forceinline__ void ldg128(float& x, float& y, float& z, float& w, const float* p) {
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(x), "=f"(y), "=f"(z), "=f"(w)
               : "l"(p));
}

__device__ __forceinline__ float load_if(const float* p, bool guard) {
  float x;
  asm volatile(
      "{\n"
      "  .reg .pred p;\n"
      "  setp.ne.b32 p, %2, 0;\n"
      "  mov.b32 %0, 0;  // what is not loaded\n"
      "  @p ld.global.f32 %0, [%1];\n"
      "}\n"
      : "=f"(x)
      : "l"(p), "r"((int)guard));
  return x;
}

__device__ __forceinline__ unsigned lane_id() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

__global__ void ptx_loads(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x, y, z, w;
  ldg128(x, y, z, w, in + 4 * i);
  const float kept = load_if(in + i, i < n);
  float sum;
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(sum) : "f"(x), "f"(y), "f"(z + w));
  asm volatile("st.global.cs.v2.f32 [%0], {%1, %2};" ::"l"(out + 2 * i), "f"(sum), "f"(kept) : "memory");
}

__global__ void ptx_integers(const unsigned* in, unsigned* out) {
  const int i = threadIdx.x;
  unsigned x = in[i], y = in[i + 32], below, mixed, high;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(mixed) : "r"(x), "r"(y), "r"(below));
  asm("mul.hi.u32 %0, %1, %2;" : "=r"(high) : "r"(x), "r"(y));
  unsigned long long wide;
  asm("{ .reg .b64 t; mul.wide.u32 t, %1, %2; add.u64 %0, t, 5; }" : "=l"(wide) : "r"(x), "r"(y));
  unsigned low, upper;
  asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(upper) : "l"(wide));
  unsigned shifted;
  asm("shl.b32 %0, %1, %2;" : "=r"(shifted) : "r"(x), "r"(y & 63));
  int larger;
  asm("{ .reg .pred p; setp.gt.s32 p, %1, %2; selp.s32 %0, %1, %2, p; }" : "=r"(larger) : "r"(x), "r"(y));
  out[i] = mixed + lane_id();
  out[32 + i] = high ^ low ^ upper;
  out[64 + i] = shifted;
  out[96 + i] = (unsigned)larger;
  asm volatile("red.global.add.u32 [%0], %1;" ::"l"(out + 128), "r"(1));
}

// 24 values, rounded up to 32 with zeros; the last copy is of 8 bytes and 8 zeros.
__global__ void ptx_fill(const float* in, float* out, int count) {
  __shared__ __align__(16) float tile[128];
  const int i = threadIdx.x;
  const int left = (count - 4 * i) * 4;
  const int bytes = left < 0 ? 0 : left > 16 ? 16 : left;
  unsigned to = (unsigned)__cvta_generic_to_shared(tile + 4 * i);
  const float* from = bytes > 0 ? in + 4 * i : in;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes));
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  for (int j = 0; j < 4; ++j) out[j * 32 + i] = tile[j * 32 + i];
}

// ---- host
void run(const float* in, float* out, int n) {
  ptx_loads<<<(n + 63) / 64, 64>>>(in, out, n);
  ptx_fill<<<1, 32>>>(in, out, n);
}
