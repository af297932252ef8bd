#include <functional>
template <typename T> struct Sum {
  static constexpr int kind = 0;
  static __host__ __device__ T identity() { return T(0); }
  __host__ __device__ T operator()(const T &a, const T &b) const { return a + b; }
};
template <typename T> struct Max {
  static constexpr int kind = 1;
  static __host__ __device__ T identity() { return T(-1000000); }
  __host__ __device__ T operator()(const T &a, const T &b) const { return a > b ? a : b; }
};
template <typename T> struct ScaledSum {
  using value_type = T;
  T scale;
  __host__ __device__ explicit ScaledSum(T s) : scale(s) {}
  static __host__ __device__ T identity() { return T(); }
  __host__ __device__ T operator()(T a, T b) const { return a + scale * b; }
};

template <typename Op, typename T> __device__ T warp_all(T v, Op op) {
  for (int m = 16; m; m >>= 1) v = op(v, __shfl_xor_sync(~0u, v, m));
  return v;
}

template <typename Op, typename T = float>
__global__ void reduceRows(const T *in, T *out, int columns) {
  Op op;
  T v = Op::identity();
  for (int c = threadIdx.x; c < columns; c += 32) v = op(v, in[blockIdx.x * columns + c]);
  v = warp_all(v, op);
  if (threadIdx.x == 0) out[blockIdx.x] = v + (Op::kind == 1 ? T(0) : T(1));
}

__global__ void scaled(const float *in, float *out) {
  ScaledSum<float> op(0.5f);
  typename ScaledSum<float>::value_type v = ScaledSum<float>::identity();
  for (int i = 0; i < 4; ++i) v = op(v, in[threadIdx.x * 4 + i]);
  out[threadIdx.x] = v;
}

// ---- host
template <class F> void run(F f) { reduceRows<Sum<float>><<<8, 32>>>(in, out, 100); scaled<<<1, 32>>>(in, out); }
