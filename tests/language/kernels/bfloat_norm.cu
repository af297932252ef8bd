// Root-mean-square normalisation of rows kept in bfloat16, two elements a thread: the sum is in float, the
// weights and the result in bfloat16.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

typedef __nv_bfloat16 floatX;

__global__ void rms_norm(floatX* __restrict__ out, const floatX* __restrict__ in,
                         const floatX* __restrict__ weight, int width) {
  __shared__ float partial[32];
  const __nv_bfloat162* row = reinterpret_cast<const __nv_bfloat162*>(in + blockIdx.x * width);
  const __nv_bfloat162* scale = reinterpret_cast<const __nv_bfloat162*>(weight);
  __nv_bfloat162* to = reinterpret_cast<__nv_bfloat162*>(out + blockIdx.x * width);
  float sum = 0.0f;
  for (int i = threadIdx.x; i < width / 2; i += blockDim.x) {
    const float2 x = __bfloat1622float2(row[i]);
    sum += x.x * x.x + x.y * x.y;
  }
  partial[threadIdx.x] = sum;
  __syncthreads();
  float all = 0.0f;
  for (int i = 0; i < blockDim.x; ++i) all += partial[i];
  const float factor = 1.0f / (1.0f + all / width);
  for (int i = threadIdx.x; i < width / 2; i += blockDim.x)
    to[i] = row[i] * __floats2bfloat162_rn(factor, factor) * scale[i];
}

// In place, an element a thread; the greatest of it and its neighbour.
__global__ void bias_relu(nv_bfloat16* x, const __nv_bfloat16* bias, float* widened, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const nv_bfloat16 sum = x[i] + bias[i % 8];
  x[i] = __hmax(sum, __float2bfloat16(0.25f));
  widened[i] = __bfloat162float(x[i]) + __low2float(__hadd2(__floats2bfloat162_rn(i, 1), __floats2bfloat162_rn(257, 1)));
}

// The other numbers of 16 bits.
__global__ void halves(const float* in, float* out) {
  const int i = threadIdx.x;
  const __half a = __float2half(in[i]), b = __int2half_rn(i);
  __half2 p = __floats2half2_rn(in[i], 0.5f);
  p = __hmul2(p, p);
  half kept[2];
  kept[i % 2] = __hadd(b, __float2half(2048.0f));
  out[3 * i] = __half2float(a * b);
  out[3 * i + 1] = __half2float(kept[i % 2]);
  out[3 * i + 2] = __low2float(p) + __high2float(p);
}

// ---- host
int main(void) {
  rms_norm<<<64, 32>>>(d_out, d_in, d_weight, 768);
  bias_relu<<<(n + 63) / 64, 64>>>(d_x, d_bias, d_widened, n);
  halves<<<1, 32>>>(d_widened, d_widened);
  return 0;
}
