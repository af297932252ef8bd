#include "sim/cuda/library/library.h"

namespace warplens::cuda {

// cuRAND's XORWOW generator with the state as the library has it, 48 bytes, which kernels load and store
// (Marsaglia, "Xorshift RNGs", 2003; cuRAND's documentation of seeding). Left out: the jump to a subsequence,
// for which threads begin elsewhere here, so that they draw other numbers; other generators are given this one.
const LibraryText kRandomNumbers = {"curand_kernel.h", {"curand_kernel", "curandState"}, "struct curandState", R"(
struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandStateXORWOW_t;
__device__ inline unsigned int curand(curandStateXORWOW* s) {
  const unsigned int t = s->v[0] ^ (s->v[0] >> 2);
  s->v[0] = s->v[1];
  s->v[1] = s->v[2];
  s->v[2] = s->v[3];
  s->v[3] = s->v[4];
  s->v[4] = (s->v[4] ^ (s->v[4] << 4)) ^ (t ^ (t << 1));
  s->d += 362437;
  return s->v[4] + s->d;
}
__device__ inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                                   unsigned long long offset, curandStateXORWOW* s) {
  __curand_subsequence();
  const unsigned int low = (unsigned int)seed ^ 0xaad26b49u ^ (unsigned int)subsequence * 0x9e3779b9u;
  const unsigned int high = (unsigned int)(seed >> 32) ^ 0xf7dcefddu ^ (unsigned int)offset * 0x85ebca6bu;
  const unsigned int a = 1099087573u * low, b = 2591861531u * high;
  s->d = 6615241u + b + a;
  s->v[0] = 123456789u + a;
  s->v[1] = 362436069u ^ a;
  s->v[2] = 521288629u + b;
  s->v[3] = 88675123u ^ b;
  s->v[4] = 5783321u + a;
  s->boxmuller_flag = 0;
  s->boxmuller_flag_double = 0;
  s->boxmuller_extra = 0.0f;
  s->boxmuller_extra_double = 0.0;
}
__device__ inline float curand_uniform(curandStateXORWOW* s) {
  return curand(s) * 2.3283064e-10f + 2.3283064e-10f / 2.0f;
}
__device__ inline double curand_uniform_double(curandStateXORWOW* s) {
  const unsigned long long x = curand(s);
  const unsigned long long y = curand(s);
  return (x ^ (y << 21)) * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2.0;
}
__device__ inline float4 curand_uniform4(curandStateXORWOW* s) {
  const float x = curand_uniform(s), y = curand_uniform(s), z = curand_uniform(s), w = curand_uniform(s);
  return make_float4(x, y, z, w);
}
__device__ inline float2 curand_normal2(curandStateXORWOW* s) {
  const float u = curand_uniform(s), v = curand(s) * 1.4629181e-09f + 1.4629181e-09f / 2.0f;
  const float r = sqrtf(-2.0f * logf(u));
  return make_float2(r * sinf(v), r * cosf(v));
}
__device__ inline float curand_normal(curandStateXORWOW* s) {
  if (s->boxmuller_flag != 1) {
    const float2 both = curand_normal2(s);
    s->boxmuller_extra = both.y;
    s->boxmuller_flag = 1;
    return both.x;
  }
  s->boxmuller_flag = 0;
  return s->boxmuller_extra;
}
__device__ inline double curand_normal_double(curandStateXORWOW* s) {
  const double u = curand_uniform_double(s), v = 2.0 * curand_uniform_double(s);
  return sqrt(-2.0 * log(u)) * sin(3.141592653589793 * v);
}
__device__ inline float curand_log_normal(curandStateXORWOW* s, float mean, float deviation) {
  return expf(mean + deviation * curand_normal(s));
}
)"};

}  // namespace warplens::cuda
