typedef enum { kKeep, kNegate } Mode;
typedef struct alignas(8) {
  float x, y;
} Point;

constexpr int kRows(2);

template <typename T>
struct Pair {
  T a, b;
  __device__ T sum() const;
  __device__ bool operator==(const Pair &o) const { return a == o.a && b == o.b; }
  __device__ bool operator!=(const Pair &o) const { return !operator==(o); }
};

template <typename T>
__device__ T Pair<T>::sum() const {
  return a + b;
}

__device__ float total(const float rows[kRows][4]) {
  float s = 0.0f;
  for (int r = 0; r < kRows; ++r)
    for (int c = 0; c < 4; ++c) s += rows[r][c];
  return s;
}

__global__ void forms(const Point *in, float *out, Mode mode, int n) {
  extern __shared__ float scratch[];
  int i = threadIdx.x;
  Pair<float> p{in[i].x, in[i].y}, q{in[i].y, in[i].x};
  float rows[kRows][4];
  for (int r = 0; r < kRows; ++r)
    for (int c = 0; c < 4; ++c) rows[r][c] = p.a * r + p.b * c;
  scratch[i] = total(rows) + p.sum();
  __syncthreads();
  float v = scratch[n - 1 - i] + (p != q ? 1.0f : 0.0f) + (p.operator==(p) ? 2.0f : 0.0f);
  out[i] = mode == kNegate ? -v : v;
}

// ---- host
int main() { forms<<<1, 64, 256>>>(d_in, d_out, kNegate, 64); }
