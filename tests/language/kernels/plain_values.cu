// Arithmetic, control flow, functions and pointers, each kernel full of what is easily got wrong.
__global__ void wrap(int *out, unsigned *uout, long long *lout) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, big = 2147483647 - i;
  out[i * 8 + 0] = big + i * 3;
  out[i * 8 + 1] = big * (i + 7);
  out[i * 8 + 2] = -big - 1000 * i;
  out[i * 8 + 3] = (i - 16) / 3;
  out[i * 8 + 4] = (i - 16) % 5;
  out[i * 8 + 5] = ~i ^ (i << 3) | i & 5;
  out[i * 8 + 6] = (i - 16) >> 1;
  out[i * 8 + 7] = (unsigned)(i - 16) >> 1;
  unsigned u = i - 5;
  uout[i * 4 + 0] = u / 3u;
  uout[i * 4 + 1] = u % 7u;
  uout[i * 4 + 2] = u * u + 4000000000u;
  uout[i * 4 + 3] = u / 8 + u % 16;
  lout[i * 4 + 0] = (long long)big * big;
  lout[i * 4 + 1] = big * big;
  lout[i * 4 + 2] = 1ll << (i % 50 + 5);
  lout[i * 4 + 3] = -1ll * i * 3000000000ll / 7;
}

__global__ void narrow(int *out, int n) {
  int i = threadIdx.x - 20;
  unsigned u = 7;
  unsigned char c = i;
  signed char s = i * 5;
  short h = i * 3000;
  unsigned short us = i;
  long long l = i;
  unsigned long long ul = 3;
  out += threadIdx.x * 16;
  out[0] = i < u;
  out[1] = i < (int)u;
  out[2] = i < n;
  out[3] = c < i;
  out[4] = s > 0;
  out[5] = l < ul;
  out[6] = l < u;
  out[7] = h;
  out[8] = us;
  out[9] = c + s * h;
  out[10] = (unsigned char)(c + 250);
  out[11] = c++;
  out[11] += --c * 1000;
  out[12] = s += 100;
  out[13] = h <<= 2;
  out[14] = us -= 30;
  out[15] = -u > 5 ? sizeof(l) : sizeof(short);
}

__global__ void floats(float *out, double *dout, int *iout, const float *in) {
  int i = threadIdx.x;
  float x = in[i] - 0.5f;
  out[i * 8 + 0] = x * 3.0f + 1.0f / (x + 2.0f);
  out[i * 8 + 1] = x * 3.0 + 0.1;
  out[i * 8 + 2] = i / 2 + i / 2.0f;
  out[i * 8 + 3] = -x;
  out[i * 8 + 4] = x > 0 ? x : 0;
  out[i * 8 + 5] = i;
  out[i * 8 + 6] = (unsigned)i * 4000000000u;
  out[i * 8 + 7] = x < 0.25f && x > -0.25f || x == 0.3f;
  dout[i * 2 + 0] = x / 3.0 + 1e-9;
  dout[i * 2 + 1] = x / 3.0f + 1e-9f;
  iout[i * 4 + 0] = x * 100;
  iout[i * 4 + 1] = (int)(x * 1e4) % 10;
  iout[i * 4 + 2] = (long long)(x * 1e12);
  int k = 7;
  k *= 1.5f;
  k += x;
  iout[i * 4 + 3] = k + !x;
}

// Lanes leave loops one by one.
__global__ void leave(int *out, int n) {
  int i = threadIdx.x, total = 0;
  for (int k = 0; k < n; ++k) {
    if (k == i) continue;
    if (k > i + 5) break;
    if ((k + i) % 3 == 0) {
      total += k;
    } else if (k & 1) {
      total -= 2 * k;
      continue;
    } else {
      for (int j = 0; j < i % 4; j++) {
        if (j == 2) break;
        total += 100 * j + 1;
      }
    }
    total ^= k;
  }
  int w = i;
  while (w > 3) w = w % 2 == 0 ? w / 2 : w - 3;
  do {
    total += w * w + 1;
    if (total % 7 == 0) continue;
    w--;
  } while (w > -2 && total < 100000);
  if (i == 9) return;
  out[i] = total;
  if (i > 40) return;
  out[i] += 1000000;
}

// All lanes go the same way.
__global__ void together(int *out, int n, int stop) {
  int i = threadIdx.x, total = 0, k = 0;
  while (true) {
    if (k == stop) break;
    if (k % 3 == 1) {
      k += 2;
      continue;
    }
    for (int j = k; j < n; j += 3) {
      if (j == 11) break;
      total += i * j;
    }
    ++k;
    if (k > 30) return;
  }
  out[i] = total + k;
}

// Variables keep what a lane saw last when it left.
__global__ void last_seen(int *out, int n) {
  int i = threadIdx.x, last = -1, count = 0;
  for (int k = 0; k < n; ++k) {
    last = k;
    if (k * k > i) break;
    count = k + 1;
  }
  int after = last * 2, seen = 0;
  for (int k = 0; k < n; ++k) {
    int inner = k + 1;
    if (i % (k + 2) == 0) continue;
    seen = inner;
    if (k == 6) break;
  }
  int step = 0;
  for (int k = 0; k < 8; ++k) {
    if (i < 4 * k) {
      step = k;
      break;
    }
    step += 2;
    if (k == 5) step = 70;
  }
  out[i * 4] = last;
  out[i * 4 + 1] = count + after;
  out[i * 4 + 2] = seen;
  out[i * 4 + 3] = step;
}

__global__ void switches(int *out, int which) {
  int i = threadIdx.x, r = 0;
  switch (i % 7) {
    case 0: r = 1; break;
    case 1:
    case 2: r += 10;
    case 3:
      r += 100;
      if (i > 20) break;
      r += 1000;
    default: r += 5; break;
    case 5:
      for (int k = 0; k < 5; ++k) {
        if (k == i % 4) break;
        switch (k) {
          case 1: continue;
          case 3: r += 7;
        }
        r += k;
      }
  }
  switch (which) {
    case 0: r += 1 << 20; break;
    case 1:
      if (i & 1) break;
      r += 1 << 21;
    case 2: r += 1 << 22; break;
    default: r = -r;
  }
  out[i] = r;
}

// in[] has n elements: reading on would be an error.
__global__ void short_circuits(int *out, const int *in, int n) {
  int i = threadIdx.x, hits = 0, calls = 0;
  if (i < n && in[i] > 3) hits += 1;
  if (i >= n || in[i] == 2) hits += 10;
  bool both = i % 2 == 0 && ++calls && i % 3 == 0 && ++calls > 1;
  bool either = i % 5 == 0 || (calls += 10, i % 7 == 0) || n / (i % 4 + 1) == 2;
  int picked = i < n ? in[i] : -1, divided = i % 3 ? 100 / (i % 3) : 0;
  out[i * 3] = hits + both * 100 + either * 1000;
  out[i * 3 + 1] = calls + picked * 100;
  out[i * 3 + 2] = divided + (i > 3 ? i < 10 ? 1 : 2 : 3);
}

__device__ int clamp_to(int v, int lo, int hi) {
  if (v < lo) return lo;
  if (v > hi) return hi;
  return v;
}
__device__ int steps_to_one(int n, int limit) {
  int steps = 0;
  while (n != 1) {
    if (steps == limit) return -1;
    n = n % 2 ? 3 * n + 1 : n / 2;
    ++steps;
  }
  return steps;
}
__device__ void swap_values(int &a, int &b) {
  int t = a;
  a = b;
  b = t;
}
__device__ int twice(int v) {
  v *= 2;
  return v;
}
__device__ void accumulate(int *where, int v) { *where += clamp_to(v, -5, 12) + twice(v); }
__device__ float mix(float a, float b = 2.0f) { return a * b; }
__device__ int first_of(const int *p, int n, int v) {
  for (int k = 0; k < n; ++k)
    if (p[k] == v) return k;
  return n;
}
template <typename T> __device__ const T &larger(const T &a, const T &b) {
  if (a < b)
    return b;
  else
    return a;
}
__device__ const int &nth(const int *p, int i) {
  if (i > 2) return p[1];
  return p[i];
}
__global__ void functions(int *out, const int *in, int n) {
  int i = threadIdx.x, a = clamp_to(i - 10, 0, 20), c = steps_to_one(i + 1, 20), local = 3;
  if (i & 1) swap_values(a, c);
  accumulate(&local, i - 8);
  accumulate(&out[i * 5 + 4], i);
  out[i * 5] = a;
  out[i * 5 + 1] = c;
  out[i * 5 + 2] = local + clamp_to(clamp_to(i, 3, 9) * twice(i), 0, 100);
  out[i * 5 + 3] = mix(i) + mix(i, 0.5f) + first_of(in, n, i / 3) + larger(i, 9) + larger(2.5f, (float)i) * 10 + nth(in, i / 8);
}

template <typename T> __device__ T square(T v) { return v * v; }
template <int N> __device__ int power(int v) {
  if constexpr (N == 0)
    return 1;
  else
    return v * power<N - 1>(v);
}
template <typename T, int N, bool Up> __device__ void fill(T *p, T start) {
  for (int k = 0; k < N; ++k) p[k] = Up ? start + k : start - k;
}
constexpr int log2_of(int n) { return n <= 1 ? 0 : 1 + log2_of(n / 2); }
constexpr int kTable[4] = {3, 1, 4, 1};
template <int BX, typename T> __global__ void tables(T *out) {
  constexpr int rows = BX * 2 + 1;
  T local[rows];
  fill<T, rows, true>(local, T(threadIdx.x));
  T sum = 0;
  for (int k = 0; k < rows; ++k) sum += square(local[k]) * T(kTable[k % 4]);
  out[threadIdx.x] = sum + power<3>(threadIdx.x) + log2_of(BX * 8);
}

struct Particle {
  float3 position;
  float mass;
  int tags[2];
};
struct Pair {
  int a;
  short b;
};
__device__ Pair make_pair_of(int v) {
  Pair p;
  p.a = v;
  p.b = v * 300;
  return p;
}
__device__ void bump(Pair &p, int by) { p.a += by; }
__device__ float norm(const float3 &v) { return v.x * v.x + v.y * v.y + v.z * v.z; }
__global__ void structs(float *out, int *iout) {
  int i = threadIdx.x;
  Particle *particles = reinterpret_cast<Particle *>(out);
  Particle p = {{1.0f * i, 2.0f, 3.0f}, 4.0f, {i, i + 1}};
  p.position.y += p.mass;
  p.tags[i % 2] += 50;
  particles[i] = p;
  particles[i].position.z = norm(particles[i].position);
  float4 v = make_float4(i, i + 1, i + 2, i + 3);
  v.w = v.x + v.y;
  float4 w = v;
  w.z *= 2;
  float2 f = {v.x, w.z};
  f = make_float2(f.y, f.x);
  Pair q = make_pair_of(i), r = q;
  bump(r, 5);
  if (i % 2) q = r;
  iout[i * 4] = q.a + q.b;
  iout[i * 4 + 1] = r.a;
  iout[i * 4 + 2] = f.x * 10 + f.y;
  iout[i * 4 + 3] = w.x + w.y + w.z + w.w + sizeof(Particle) + sizeof(Pair);
}

// A reference whose address is taken lies in memory, with the variable that it stands for.
__device__ float &part(float4 &v, int i) { return reinterpret_cast<float *>(&v)[i]; }
__device__ float part(const float4 &v, int i) { return reinterpret_cast<const float *>(&v)[i]; }
__device__ void put(float4 &v, int i, float x) { part(v, i) = x; }
__global__ void vectors(float *out, const float *in, int *bytes) {
  int i = threadIdx.x;
  float4 v = reinterpret_cast<const float4 *>(in)[i];
  const float4 before = v;
  put(v, i % 4, 10.0f + i);
  v.x += v.w + part(v, i % 4) + part(before, 3 - i % 4) * 100;
  *(float4 *)&out[4 * i] = v;
  reinterpret_cast<float2 *>(out)[2 * i + 1].y = v.y * 3;
  float4 *o = (float4 *)(out + 128);
  o[i] = reinterpret_cast<const float4 *>(&in[64])[i % 16];
  o[i].z += 1;
  uchar4 c;
  c.x = i;
  c.y = i * 2;
  c.z = 255 - i;
  c.w = 7;
  reinterpret_cast<uchar4 *>(bytes)[i] = c;
  double2 d = {1.5 * i, -2.0};
  reinterpret_cast<double2 *>(bytes + 32)[i] = d;
}

// Of what the first call gives only the last component is used, and only after the second call.
__device__ float4 pick(const float *in, int i) {
  const float4 *all = reinterpret_cast<const float4 *>(in);
  if (i % 3 == 0) return all[i / 2];
  return all[i];
}
__global__ void two_vectors(float *out, const float *in) {
  int i = threadIdx.x;
  out[i] = pick(in, i).w - pick(in, (i + 1) % 32).x;
}

__global__ void into_locals(int *out, const int *in, long long *lout, int n) {
  int i = threadIdx.x, sum = 0;
  const int *p = in + i, *end = in + n;
  while (p < end) {
    sum += *p++;
    p += 7;
  }
  int *q = &out[2 * i];
  *q = sum;
  q[1] = *(in + i % n) - in[n - 1 - i % n];
  lout[i] = (p - in) * 1000 + (q - out) + (q > out) + (p == end);
  int a[2][3] = {{1, 2, 3}, {4}};
  int *flat = &a[0][0];
  flat[i % 6] += 10;
  int &chosen = a[i % 2][i % 3];
  chosen += 100;
  int x = i;
  int *px = &x;
  *px *= 3;
  const int (*rows)[8] = (const int (*)[8])in;
  out[2 * i] += rows[i / 8 % 4][i % 8] + reinterpret_cast<int (*)[1][3]>(flat)[i % 2][0][i % 3];
  out[2 * i + 1] += a[0][0] + a[0][1] * 2 + a[0][2] * 3 + a[1][0] * 4 + a[1][1] * 5 + a[1][2] * 6 + x;
}

__global__ void walking(int *out, const int *in, int n) {
  int i = threadIdx.x, k = 0;
  in += i;
  out += i * 2;
  out[0] = in[k++];
  out[0] += in[++k] * 100;
  out[1] = k-- + n;
  *out++ += 5;
  int v = *out, w = (v = 3, v + 1);
  *out = w += v *= 2;
  unsigned long long wide = (unsigned long long)i << 33 | 1;
  out[0] += (int)(wide >> 30) + (wide > 4294967296ull);
}

// ---- host
int main() { wrap<<<2, 48>>>(out, uout, lout); }
