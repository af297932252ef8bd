// mma.sync on every type of input: one warp, one product, registers as they lie in memory.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdint>

template <typename T>
__device__ unsigned int word(const T* values, int i) {
  return reinterpret_cast<const unsigned int*>(values)[i];
}

// a: [register][lane], b and c likewise; d = a b + c.
__global__ void mma_half(const half* a, const half* b, const half* c, unsigned int* d) {
  const int lane = threadIdx.x;
  uint32_t d0, d1;
  asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};"
      : "=r"(d0), "=r"(d1)
      : "r"(word(a, lane)), "r"(word(a, 32 + lane)), "r"(word(a, 64 + lane)), "r"(word(a, 96 + lane)),
        "r"(word(b, lane)), "r"(word(b, 32 + lane)), "r"(word(c, lane)), "r"(word(c, 32 + lane)));
  d[lane] = d0;
  d[32 + lane] = d1;
}

__global__ void mma_brain(const __nv_bfloat16* a, const __nv_bfloat16* b, float* d) {
  const int lane = threadIdx.x;
  float r[4] = {1.0f, 2.0f, 3.0f, 4.0f};
  asm("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+f"(r[0]), "+f"(r[1]), "+f"(r[2]), "+f"(r[3])
      : "r"(word(a, lane)), "r"(word(a, 32 + lane)), "r"(word(b, lane)));
  for (int i = 0; i < 4; ++i) d[i * 32 + lane] = r[i];
}

__global__ void mma_tf32(const float* a, const float* b, float* d) {
  const int lane = threadIdx.x;
  uint32_t ra[4], rb[2];
  for (int i = 0; i < 4; ++i) asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(ra[i]) : "f"(a[i * 32 + lane]));
  for (int i = 0; i < 2; ++i) asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rb[i]) : "f"(b[i * 32 + lane]));
  float r[4] = {};
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(r[0]), "+f"(r[1]), "+f"(r[2]), "+f"(r[3])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
  for (int i = 0; i < 4; ++i) d[i * 32 + lane] = r[i];
}

__global__ void mma_bytes(const signed char* a, const unsigned char* b, int* d) {
  const int lane = threadIdx.x;
  int r[4] = {lane, 0, -lane, 7};
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+r"(r[0]), "+r"(r[1]), "+r"(r[2]), "+r"(r[3])
      : "r"(word(a, lane) ^ 0x80008000u), "r"(word(a, 32 + lane) ^ 0x00800080u), "r"(word(a, 64 + lane)),
        "r"(word(a, 96 + lane) ^ 0x80808080u), "r"(word(b, lane)), "r"(word(b, 32 + lane)));
  for (int i = 0; i < 4; ++i) d[i * 32 + lane] = r[i];
}

// The upper eight rows alone.
__global__ void mma_eight_rows(const unsigned char* a, const signed char* b, int* d) {
  const int lane = threadIdx.x;
  int r[2] = {lane, -lane};
  asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.u8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+r"(r[0]), "+r"(r[1])
               : "r"(word(a, lane)), "r"(word(b, lane) ^ 0x80800080u));
  for (int i = 0; i < 2; ++i) d[i * 32 + lane] = r[i];
}

// ---- host
void run(const half* a, const half* b, const half* c, unsigned int* d) {
  mma_half<<<1, 32>>>(a, b, c, d);
}
