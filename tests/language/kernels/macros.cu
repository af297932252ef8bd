#include <stdio.h>
#define IDX2C(i, j, ld) (((j) * (ld)) + (i))
#define SWAP(T, a, b) do { T t_ = (a); (a) = (b); (b) = t_; } while (0)
#define CLAMP(x, lo, hi) ((x) < (lo) ? (lo) : (x) > (hi) ? (hi) : (x))
#define FOR_EACH(i, n) for (int i = 0; i < (n); ++i)
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define DECLARE(type, name, value) type CAT(name, _value) = (value)
#define GLOBAL_ID                      \
  int gid = blockIdx.x * blockDim.x +  \
            threadIdx.x;               \
  if (gid >= n)                        \
  return
#ifdef __CUDA_ARCH__
#define WHERE 1
#else
#define WHERE 0
#endif
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 700 && !defined(OLD)
#define STEP 2
#elif defined(OLD)
#error "too old"
#else
#define STEP 1
#endif

#define UNARY_KERNEL(NAME, EXPRESSION)                       \
  __global__ void NAME(float *out, const float *in, int n) { \
    GLOBAL_ID;                                               \
    float x = in[gid];                                       \
    out[gid] = (EXPRESSION);                                 \
  }

UNARY_KERNEL(square_kernel, x *x)
UNARY_KERNEL(clamp_kernel, CLAMP(x, 0.25f, 0.75f))

__global__ void reversePairs(int *a, int n) {
  GLOBAL_ID;
  DECLARE(int, first, 2 * gid);
  FOR_EACH(k, STEP) {
    if (first_value + 1 < n) SWAP(int, a[IDX2C(0, gid, 2)], a[first_value + 1]);
    if (k == 0 && first_value + 1 < n) a[first_value] += WHERE;
  }
}

// ---- host
#define CHECK(x) { cudaError_t e_ = x; if (e_) { printf("%s\n", #x); exit(1); } }
int main() { CHECK(cudaSetDevice(0)); square_kernel<<<1, 64>>>(o, i, 64); reversePairs<<<1, 64>>>(a, 64); CHECK(cudaDeviceSynchronize()); }
