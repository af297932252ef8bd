#include <type_traits>
template <typename T> struct Traits;
template <> struct Traits<float> { using Wide = double; static constexpr int lanes = 4; };
template <> struct Traits<int> { using Wide = long long; static constexpr int lanes = 2; };

template <typename T, int N> struct Pack {
  T v[N];
  __device__ T &operator[](int i) { return v[i]; }
  __device__ const T &operator[](int i) const { return v[i]; }
  __device__ T sum() const {
    T s = 0;
    for (int i = 0; i < N; ++i) s += v[i];
    return s;
  }
};

template <int N> __host__ __device__ constexpr int log2i() {
  if constexpr (N <= 1) {
    return 0;
  } else {
    return 1 + log2i<N / 2>();
  }
}
constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }

template <typename T> __device__ typename Traits<T>::Wide widen(T x) { return static_cast<typename Traits<T>::Wide>(x); }

template <typename T, int PER_THREAD, bool ADD = true>
__global__ void packs(const T *in, T *out, int n) {
  constexpr int kLanes = Traits<T>::lanes;
  static_assert(PER_THREAD % kLanes == 0, "whole packs");
  const int base = (blockIdx.x * blockDim.x + threadIdx.x) * PER_THREAD;
  T total = T();
#pragma unroll
  for (int p = 0; p < ceil_div(PER_THREAD, kLanes); ++p) {
    Pack<T, kLanes> pack;
    for (int i = 0; i < kLanes; ++i) pack[i] = base + p * kLanes + i < n ? in[base + p * kLanes + i] : T(0);
    total += pack.sum();
  }
  auto wide = widen(total);
  if (ADD) wide += log2i<PER_THREAD>();
  if (base < n) out[base / PER_THREAD] = static_cast<T>(wide);
}

// ---- host
int main() { packs<float, 8><<<2, 32>>>(in, out, 500); packs<int, 4, false><<<2, 32>>>(a, b, 256); }
