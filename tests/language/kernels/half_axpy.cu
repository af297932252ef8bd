#include <cuda_fp16.h>

__global__ void haxpy(int n, half a, const half *x, half *y) {
  int start = threadIdx.x + blockDim.x * blockIdx.x;
  int stride = blockDim.x * gridDim.x;
#if __CUDA_ARCH__ >= 530
  int n2 = n / 2;
  half2 *x2 = (half2 *)x, *y2 = (half2 *)y;
  for (int i = start; i < n2; i += stride) y2[i] = __hadd2(__hmul2(x2[i], x2[i]), y2[i]);
  if (start == 0 && (n % 2)) y[n - 1] = __hadd(__hmul(a, x[n - 1]), y[n - 1]);
#else
  for (int i = start; i < n; i += stride) {
    y[i] = __float2half(__half2float(a) * __half2float(x[i]) + __half2float(y[i]));
  }
#endif
}

__global__ void widen(const __half *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __half2float(in[i]) * 0.5f;
}

// ---- host
int main(void) {
  const int n = 100;
  const half a = __float2half(2.0f);
  haxpy<<<(n + 255) / 256, 256>>>(n, a, d_x, d_y);
  return 0;
}
