// What a condition loaded is known behind it; loads that one side of a choice alone needs; values that are
// overwritten.

#define CHOICE(name, ...)                                 \
  __global__ void name(const float* a, float* o, int n) { \
    int i = threadIdx.x;                                  \
    __VA_ARGS__;                                          \
  }

CHOICE(both, if (i < n && a[i] > 0.f) o[i] = a[i])
CHOICE(three_times, bool valid = i > n && a[i] < 200.f && a[i] > 3.f; o[i] = valid)

__global__ void same_index(const float* a, float* o, int n, int w) {
  int i = threadIdx.x;
  if (i < n && a[i * w] > 0.f) o[i] = a[i * w];
}

__global__ void index_changes(const float* a, float* o, int n, int w) {
  int i = threadIdx.x, k = w;
  if (i < n && a[i * k] > 0.f) {
    k = n;
    o[i] = a[i * k];
  }
}

__global__ void with_else(const float* a, float* o, int n) {
  int i = threadIdx.x;
  if (i < n && a[i] > 0.f)
    o[i] = a[i];
  else
    o[i] = 3;
}

CHOICE(either_leaves, if (i >= n || a[i] > 0.f) return; o[i] = a[i])

__global__ void known_before(const float* a, float* o, int n) {
  int i = threadIdx.x;
  float x = a[i];
  if (i < n)
    o[i] = 5;
  else
    o[i + 2] = a[i] + x;
}

__global__ void either_is_not(const float* a, float* o, int n) {
  int i = threadIdx.x;
  if (i >= n || a[i] > 0.f)
    o[i] = 5;
  else
    o[i] = a[i];
}

__global__ void stored_between(const float* a, float* o, int n) {
  int i = threadIdx.x;
  if (i < n && a[i] > 0.f) {
    o[i + 64] = 7;
    o[i] = a[i];
  }
}

__global__ void one_flag(const float* a, float* o, int n) {
  int i = threadIdx.x;
  bool west = i > n && a[i] < 200.f, east = i < 2 * n && a[i + 9] > 1.f;
  if (west & east) o[i] = a[i] + a[i + 9];
}

__global__ void other_flag(const float* a, float* o, int n) {
  int i = threadIdx.x;
  bool west = i > n && a[i] < 200.f, east = i < 2 * n && a[i + 9] > 1.f;
  if (west & !east) o[i] = a[i] + a[i + 9];
}

__global__ void used_twice(const float* a, float* o, int n) {
  int i = threadIdx.x;
  float x = a[i];
  if (i < n) {
    o[i] = x;
    o[i + 5] = x * x;
  }
}

CHOICE(dear_choice, float x = a[i]; o[i] = i < n ? expf(x) * x : 0.f)

__global__ void long_choice(const float4* a, const float4* b, float* o, int n) {
  int i = threadIdx.x;
  float4 x = a[i], y = b[i];
  o[i] = i < n ? x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w : 0.f;
}

__global__ void short_choice(const float* a, const float* b, float* o, int n) {
  int i = threadIdx.x;
  float x = a[i], y = b[i];
  o[i] = i < n ? (x * y + x - y) * x + y : 0.f;
}

__global__ void six_computed(const int* a, int* o, int n) {
  int i = threadIdx.x;
  int x = a[i];
  o[i] = i < n ? (((((x ^ 3) + 4) ^ 5) + 6) ^ 7) + 8 : 0;
}

__global__ void five_computed(const int* a, int* o, int n) {
  int i = threadIdx.x;
  int x = a[i];
  o[i] = i < n ? ((((x ^ 3) + 4) ^ 5) + 6) ^ 7 : 0;
}

CHOICE(value_itself, float x = a[i], y = a[i + 64]; o[i] = i < n ? expf(x) : y)
CHOICE(both_sides, float x = a[i], y = a[i + 64]; o[i] = i < n ? expf(x) + y : y)
CHOICE(behind_barrier, float x = a[i]; __syncthreads(); o[i] = i < n ? expf(x) : 0.f)
CHOICE(assigned_in_branch, float x = a[i], p = 0; if (i < n) p = x * 2 + 1 - x * x + x / 2; o[i] = p)
CHOICE(overwritten, float q = i < 7 ? a[i] : 0.f; float t = o[i + 3]; q = i < n ? t * 2 : 1.f; o[i] = q)

__global__ void unread_old(int* p, int* o) {
  int old = atomicAdd(p + threadIdx.x, 1);
  o[threadIdx.x] = 3;
}
