#include <cmath>

using Activation = float (*)(float);
typedef float (*Combination)(float, float);

__device__ float relu(float x) { return x > 0.0f ? x : 0.0f; }
__device__ float leaky(float x) { return x > 0.0f ? x : 0.01f * x; }
__device__ float sum(float a, float b) { return a + b; }
__device__ float difference(float a, float b) { return a - b; }

template <typename T>
__device__ T squared(T x) {
  return x * x;
}

template <typename F>
__device__ float twice(F f, float x) {
  return f(f(x));
}

__device__ float blend(Combination combine, float a, float b) { return 0.5f * combine(a, b); }

template <Activation activate, float (*combine)(float, float)>
__global__ void layer(const float *in, const float *bias, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = combine(activate(in[i]), bias[i]);
  Activation again = squared, written = squared<float>;
  v += twice(again, in[i]) + blend(sum, in[i], v) + twice(&leaky, v);
  float (*last)(float) = fabsf;
  out[i] = v + last(in[i]) + written(v);
}

// ---- host
int main() { layer<relu, difference><<<4, 64>>>(d_in, d_bias, d_out, 200); }
