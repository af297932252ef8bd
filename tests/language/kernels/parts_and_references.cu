// Parts without a name at any depth, objects declared with their struct, and what an assignment gives.
struct Walls {
  int id;
  union {
    struct {
      int left, right;
      union {
        struct {
          short top, bottom;
        };
        int both;
      };
    };
    int side[3];
    struct {
      int first;
    } named;
  };
  struct {
    float light;
  };
};

template <class T>
struct Pair {
  union {
    struct {
      T x, y;
    };
    T each[2];
  };
  __device__ T sum() const { return x + each[1]; }
};

__constant__ struct Limits {
  int low, high;
} limits = {2, 90};

template <class T>
struct Vec {
  T x, y;
  __device__ Vec operator+(const Vec& o) const { return {x + o.x, y + o.y}; }
  __device__ Vec& operator+=(const Vec& o) { return *this = *this + o; }
  __device__ Vec& scale(T s) { return *this = Vec{x * s, y * s}; }
  __device__ float& set(float v) { return x = v; }
};

__device__ float halved(float& x) { return x *= 0.5f; }

__global__ void parts(const Walls* in, Walls* out, Pair<float>* pairs, int n) {
  __shared__ union {
    float values[64];
    int counts[64];
  } room;
  __shared__ struct {
    int most;
  } seen;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) seen.most = limits.high;
  room.counts[threadIdx.x] = i * 3;
  __syncthreads();
  if (i >= n) return;
  Walls w = in[i];
  w.id = room.counts[63 - threadIdx.x] + seen.most + limits.low;
  w.left += w.side[1];
  w.top = w.bottom + 1;
  w.named.first ^= w.both;
  w.light = 0.5f * w.id;
  out[i] = w;
  struct {
    float a, b;
  } two = {1.0f, pairs[i].sum()};
  static const struct {
    int by;
  } step = {4};
  pairs[i].y = two.a + two.b * step.by;
}

__global__ void references(const float* in, float* out, Vec<float>* vectors, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float* again = static_cast<decltype(again)>(in);
  const unsigned bytes = sizeof(bytes) + sizeof(*again);
  out[i] = bytes + again[i];
  vectors[i] += vectors[i];
  vectors[i].scale(3.0f).x += 1.0f;
  vectors[i].set(vectors[i].y) += 2.0f;
  float x = in[i];
  float& same = (out[n + i] = x);
  same += halved(x = 3.0f) + x;
  (x += 1.0f) *= 2.0f;
  out[2 * n + i] = out[3 * n + i] = x;
}

// ---- host
int main() {
  parts<<<2, 64>>>(in, out, pairs, 100);
  references<<<2, 64>>>(in, out, vectors, 100);
}
