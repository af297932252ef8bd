#include "sim/cuda/library/library.h"

namespace warplens::cuda {

// nvcuda::wmma over PTX's wmma (PTX ISA, "Warp Level Matrix Multiply-Accumulate"): fragments are arrays of a
// thread's own, in the order of the instruction's registers. Of bfloat16 they have as many as of halves, of
// which half repeat the others. Left out: double, sub-byte and packed types.
const LibraryText kMatrixFragments = {"mma.h", {"wmma"}, "", R"(
namespace nvcuda { namespace wmma {
enum layout_t { mem_row_major, mem_col_major };
struct row_major { static constexpr bool by_rows = true; };
struct col_major { static constexpr bool by_rows = false; };
struct matrix_a { static constexpr int use = 0; };
struct matrix_b { static constexpr int use = 1; };
struct accumulator { static constexpr int use = 2; };
namespace precision { struct tf32 {}; }
template <typename T> struct element_of { using type = T; };
template <> struct element_of<precision::tf32> { using type = float; };
template <typename U, int M, int N, int K, typename T, typename L = void>
struct __align__(16) fragment {
  static constexpr int num_elements =
      U::use == 2 ? 8 : sizeof(T) == 2 ? 16 : (U::use == 0 ? M : N) * K / 32;
  typename element_of<T>::type x[num_elements];
};
template <typename U, int M, int N, int K, typename T, typename L>
__device__ inline void fill_fragment(fragment<U, M, N, K, T, L>& f, const typename element_of<T>::type& v) {
  for (int i = 0; i < f.num_elements; ++i) f.x[i] = v;
}
__device__ inline float __float_to_tf32(float x) {
  unsigned int bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return __uint_as_float(bits);
}

#define ONE(how, r) how(r[0])
#define TWO(how, r) how(r[0]), how(r[1])
#define FOUR(how, r) how(r[0]), how(r[1]), how(r[2]), how(r[3])
#define EIGHT(how, r) how(r[0]), how(r[1]), how(r[2]), how(r[3]), how(r[4]), how(r[5]), how(r[6]), how(r[7])
#define LOAD(use, U, M, N, K, T, t, count, registers) \
  template <typename L> \
  __device__ inline void load_matrix_sync(fragment<U, M, N, K, T, L>& f, const element_of<T>::type* p, unsigned int ldm) { \
    unsigned int* r = (unsigned int*)f.x; \
    if constexpr (L::by_rows) \
      asm volatile("wmma.load." use ".sync.aligned.row.m" #M "n" #N "k" #K "." t " " registers : count("=r", r) : "l"(p), "r"(ldm)); \
    else \
      asm volatile("wmma.load." use ".sync.aligned.col.m" #M "n" #N "k" #K "." t " " registers : count("=r", r) : "l"(p), "r"(ldm)); \
  }
#define RESULT(M, N, K, T, t, W, c, count, load, store) \
  __device__ inline void load_matrix_sync(fragment<accumulator, M, N, K, T>& f, const T* p, unsigned int ldm, layout_t layout) { \
    W* r = (W*)f.x; \
    if (layout == mem_row_major) \
      asm volatile("wmma.load.c.sync.aligned.row.m" #M "n" #N "k" #K "." t " " load : count("=" c, r) : "l"(p), "r"(ldm)); \
    else \
      asm volatile("wmma.load.c.sync.aligned.col.m" #M "n" #N "k" #K "." t " " load : count("=" c, r) : "l"(p), "r"(ldm)); \
  } \
  __device__ inline void store_matrix_sync(T* p, const fragment<accumulator, M, N, K, T>& f, unsigned int ldm, layout_t layout) { \
    const W* r = (const W*)f.x; \
    if (layout == mem_row_major) \
      asm volatile("wmma.store.d.sync.aligned.row.m" #M "n" #N "k" #K "." t " " store :: count(c, r), "l"(p), "r"(ldm)); \
    else \
      asm volatile("wmma.store.d.sync.aligned.col.m" #M "n" #N "k" #K "." t " " store :: count(c, r), "l"(p), "r"(ldm)); \
  }
#define MULTIPLY(M, N, K, T, types, R, c, a_count, b_count, registers) \
  template <typename A, typename B> \
  __device__ inline void mma_sync(fragment<accumulator, M, N, K, R>& d, const fragment<matrix_a, M, N, K, T, A>& a, \
                                  const fragment<matrix_b, M, N, K, T, B>& b, const fragment<accumulator, M, N, K, R>& s) { \
    const unsigned int *p = (const unsigned int*)a.x, *q = (const unsigned int*)b.x; \
    asm volatile("wmma.mma.sync.aligned.row.col.m" #M "n" #N "k" #K "." types " {%0,%1,%2,%3,%4,%5,%6,%7}, " registers \
                 ", {%8,%9,%10,%11,%12,%13,%14,%15};" \
                 : EIGHT("=" c, d.x) : EIGHT(c, s.x), a_count("r", p), b_count("r", q)); \
  }
#define R1 "{%0}, [%1], %2;"
#define R2 "{%0,%1}, [%2], %3;"
#define R4 "{%0,%1,%2,%3}, [%4], %5;"
#define R8 "{%0,%1,%2,%3,%4,%5,%6,%7}, [%8], %9;"
#define S4 "[%4], {%0,%1,%2,%3}, %5;"
#define S8 "[%8], {%0,%1,%2,%3,%4,%5,%6,%7}, %9;"
#define FACTORS(M, N, T, t, a_count, a_registers, b_count, b_registers) \
  LOAD("a", matrix_a, M, N, 16, T, t, a_count, a_registers) LOAD("b", matrix_b, M, N, 16, T, t, b_count, b_registers)
// A product of halves is given those of their registers that do not repeat others.
#define HALVES(M, N, a_count, b_count, registers) \
  FACTORS(M, N, __half, "f16", EIGHT, R8, EIGHT, R8) FACTORS(M, N, __nv_bfloat16, "bf16", EIGHT, R8, EIGHT, R8) \
  MULTIPLY(M, N, 16, __half, "f32.f32", float, "f", a_count, b_count, registers) \
  MULTIPLY(M, N, 16, __nv_bfloat16, "f32.bf16.bf16.f32", float, "f", a_count, b_count, registers) \
  RESULT(M, N, 16, float, "f32", float, "f", EIGHT, R8, S8) RESULT(M, N, 16, int, "s32", int, "r", EIGHT, R8, S8) \
  RESULT(M, N, 16, __half, "f16", unsigned int, "r", FOUR, R4, S4)
#define BYTES(M, N, a_count, a_registers, b_count, b_registers, registers) \
  FACTORS(M, N, signed char, "s8", a_count, a_registers, b_count, b_registers) \
  FACTORS(M, N, unsigned char, "u8", a_count, a_registers, b_count, b_registers) \
  MULTIPLY(M, N, 16, signed char, "s32.s8.s8.s32", int, "r", a_count, b_count, registers) \
  MULTIPLY(M, N, 16, unsigned char, "s32.u8.u8.s32", int, "r", a_count, b_count, registers)
HALVES(16, 16, FOUR, FOUR, "{%16,%17,%18,%19}, {%20,%21,%22,%23}")
HALVES(32, 8, EIGHT, TWO, "{%16,%17,%18,%19,%20,%21,%22,%23}, {%24,%25}")
HALVES(8, 32, TWO, EIGHT, "{%16,%17}, {%18,%19,%20,%21,%22,%23,%24,%25}")
BYTES(16, 16, TWO, R2, TWO, R2, "{%16,%17}, {%18,%19}")
BYTES(32, 8, FOUR, R4, ONE, R1, "{%16,%17,%18,%19}, {%20}")
BYTES(8, 32, ONE, R1, FOUR, R4, "{%16}, {%17,%18,%19,%20}")
LOAD("a", matrix_a, 16, 16, 8, precision::tf32, "tf32", FOUR, R4)
LOAD("b", matrix_b, 16, 16, 8, precision::tf32, "tf32", FOUR, R4)
RESULT(16, 16, 8, float, "f32", float, "f", EIGHT, R8, S8)
MULTIPLY(16, 16, 8, precision::tf32, "f32.tf32.tf32.f32", float, "f", FOUR, FOUR, "{%16,%17,%18,%19}, {%20,%21,%22,%23}")

// Of halves sums are floats too, which are rounded once at the end.
template <int M, int N, int K, typename D, typename A, typename B, typename C>
__device__ inline void mma_sync(fragment<accumulator, M, N, K, D>& d, const fragment<matrix_a, M, N, K, __half, A>& a,
                                const fragment<matrix_b, M, N, K, __half, B>& b, const fragment<accumulator, M, N, K, C>& c) {
  fragment<accumulator, M, N, K, float> sums;
  for (int i = 0; i < 8; ++i) sums.x[i] = c.x[i];
  mma_sync(sums, a, b, sums);
  for (int i = 0; i < 8; ++i) d.x[i] = sums.x[i];
}
} }
)"};

}  // namespace warplens::cuda
