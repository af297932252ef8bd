#include <cfloat>
#include <cmath>
#include <limits>

struct Interval {
  float low, high;
};

// Overloads for types of one's own stand beside CUDA's for numbers.
__device__ Interval max(Interval a, Interval b) { return {max(a.low, b.low), max(a.high, b.high)}; }
__device__ float3 make_float3(float s) { return make_float3(s, s, s); }
__device__ float3 fmaxf(float3 a, float3 b) { return make_float3(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z)); }
__device__ float width(const Interval &i) { return i.high - i.low; }
__device__ float width(Interval &i, float grow) {
  i.high += grow;
  return width(i);
}

template <typename T>
__device__ T highest() {
  return std::numeric_limits<T>::max();
}

__global__ void bounds(const float *in, float *out, unsigned *counts, int n) {
  constexpr unsigned kWidth(4);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float best = -std::numeric_limits<float>::infinity();
  for (unsigned k = 0; k < kWidth; ++k) best = max(best, in[i * kWidth + k]);
  Interval whole = max(Interval{in[i], best}, Interval{0.25f, 0.5f});
  float3 corner = fmaxf(make_float3(whole.low), make_float3(whole.high, in[i], 0.125f));
  out[i] = width(whole, 1.0f) + corner.x + corner.y + corner.z + (best > highest<float>() ? 1.0f : 0.0f);
  counts[i] = std::numeric_limits<unsigned char>::max() + std::numeric_limits<int>::digits + (highest<short>() & 7);
}

// ---- host
int main() { bounds<<<2, 64>>>(d_in, d_out, d_counts, 100); }
