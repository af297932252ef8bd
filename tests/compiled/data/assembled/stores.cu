// Stores of neighbours into shared memory, and what stands between them.
#define KERNEL(NAME) extern "C" __global__ void __launch_bounds__(256) NAME
#define BLOCK(X, Y) __block_size__((X, Y, 1))

// The words FIRST .. FIRST + COUNT - 1 of every STRIDE, in steps of BY.
template <int Stride, int First, int Count, int By = 1>
__device__ void store(float* s, const float* in) {
  for (int i = First; i != First + Count * By; i += By) s[Stride * threadIdx.x + i] = in[threadIdx.x + 1000 * i];
}
template <class T>
__device__ void read_back(const T* s, T* out) {
  __syncthreads();
  out[threadIdx.x] = s[255 - threadIdx.x];
}

#define NEIGHBOURS(NAME, STRIDE, FIRST, COUNT, BY) \
  KERNEL(NAME)(const float* in, float* out) {      \
    __shared__ float s[STRIDE * 256];              \
    store<STRIDE, FIRST, COUNT, BY>(s, in);        \
    read_back(s, out);                             \
  }

NEIGHBOURS(four, 4, 0, 4, 1)
NEIGHBOURS(four_backwards, 4, 3, 4, -1)
NEIGHBOURS(three, 4, 0, 3, 1)
NEIGHBOURS(upper_three, 4, 1, 3, 1)
NEIGHBOURS(two, 4, 0, 2, 1)
NEIGHBOURS(middle_two, 4, 1, 2, 1)
NEIGHBOURS(upper_two, 4, 2, 2, 1)
NEIGHBOURS(pair, 2, 0, 2, 1)
NEIGHBOURS(six, 8, 0, 6, 1)
NEIGHBOURS(eight, 8, 0, 8, 1)
NEIGHBOURS(every_other, 8, 0, 4, 2)
NEIGHBOURS(unaligned, 5, 0, 4, 1)
NEIGHBOURS(unaligned_pair, 3, 0, 2, 1)
NEIGHBOURS(only_pairs_aligned, 6, 0, 4, 1)

KERNEL(of_a_float4)(const float4* in, float* out) {
  __shared__ float s[1024];
  const int t = threadIdx.x;
  const float4 v = in[t];
  s[4 * t] = v.x, s[4 * t + 2] = v.z, s[4 * t + 1] = v.y, s[4 * t + 3] = v.w;
  read_back(s, out);
}
KERNEL(of_a_float4_looped)(const float4* in, float* out, int n) {
  __shared__ float s[4096];
  for (int i = threadIdx.x; i < 40 * n; i += 256) {
    const float4 v = in[i];
    s[4 * i] = v.x, s[4 * i + 1] = v.y, s[4 * i + 2] = v.z, s[4 * i + 3] = v.w;
  }
  read_back(s, out);
}
KERNEL(one_number)(float* out) {
  __shared__ float s[1024];
  for (int i = 0; i < 4; ++i) s[4 * threadIdx.x + i] = 3;
  read_back(s, out);
}
KERNEL(doubles)(const double* in, double* out) {
  __shared__ double s[512];
  for (int i = 0; i < 2; ++i) s[2 * threadIdx.x + i] = in[threadIdx.x + 1000 * i];
  read_back(s, out);
}
KERNEL(halves)(const unsigned short* in, unsigned short* out) {
  __shared__ unsigned short s[1024];
  for (int i = 0; i < 4; ++i) s[4 * threadIdx.x + i] = in[threadIdx.x + 1000 * i];
  read_back(s, out);
}
KERNEL(integers_and_floats)(const float* in, const int* more, float* out) {
  __shared__ float s[1024];
  const int t = threadIdx.x;
  for (int i = 0; i < 4; i += 2) s[4 * t + i] = in[t + i], ((int*)s)[4 * t + i + 1] = more[t + i];
  read_back(s, out);
}
KERNEL(in_dynamic_memory)(const float* in, float* out) {
  extern __shared__ float s[];
  store<4, 0, 4>(s, in);
  read_back(s, out);
}
KERNEL(two_rows)(const float* in, float* out) {
  __shared__ float s[2048];
  const int t = threadIdx.x;
  for (int i = 0; i < 2; ++i) s[2 * t + i] = in[t + i], s[2 * t + 1024 + i] = in[t + 7 * i];
  read_back(s, out);
}
KERNEL(four_rows)(const float4* in, float* out) {
  __shared__ float s[4][256];
  const int t = threadIdx.x;
  const float4 v = in[t];
  s[0][t] = v.x, s[1][t] = v.y, s[2][t] = v.z, s[3][t] = v.w;
  read_back(s[0], out);
}
KERNEL(each_from_the_last)(const float* in, float* out) {
  __shared__ float s[1024];
  float x = in[threadIdx.x];
  for (int i = 0; i < 4; ++i) s[4 * threadIdx.x + i] = x, x = x * x + 1;
  read_back(s, out);
}
struct Four {
  float x, y, z, w;
};
KERNEL(struct_of_four)(const float4* in, float* out) {
  __shared__ Four s[256];
  const float4 v = in[threadIdx.x];
  s[threadIdx.x] = {v.x, v.y, v.z, v.w};
  __syncthreads();
  out[threadIdx.x] = s[255 - threadIdx.x].x;
}
struct Three {
  float x, y, z;
};
KERNEL(struct_of_three)(const float4* in, float* out) {
  __shared__ Three s[256];
  const float4 v = in[threadIdx.x];
  s[threadIdx.x] = {v.x, v.y, v.z};
  __syncthreads();
  out[threadIdx.x] = s[255 - threadIdx.x].x;
}

// What stands between the first store and the others.
#define BETWEEN(NAME, WHAT)                              \
  KERNEL(NAME)(const float* in, float* out, int n) {     \
    __shared__ float s[4096], other[256];                \
    const int t = threadIdx.x;                           \
    s[4 * t] = in[t];                                    \
    WHAT;                                                \
    store<4, 1, 3>(s, in);                               \
    read_back(s, out);                                   \
    out[t + 256] = other[(t + 1) % 256];                 \
  }
BETWEEN(a_store_into_another_array, other[t] = in[t + 5000])
BETWEEN(a_store_at_another_index, s[n * t] = 2)
BETWEEN(a_store_farther_on, s[4 * t + 512] = in[t + 77])
BETWEEN(a_store_to_global_memory, out[t + 512] = 1)
BETWEEN(a_load, out[t + 512] = s[(t * 7) % 256])
BETWEEN(a_load_of_another_array, out[t + 512] = other[(t * 7) % 256])
BETWEEN(a_load_farther_on, out[t + 512] = s[4 * t + 512])
BETWEEN(a_branch, if (t < n) out[t + 512] = sinf(in[t + 77]))
BETWEEN(a_barrier, __syncthreads())
BETWEEN(a_fence, __threadfence_block())
BETWEEN(a_shuffle, out[t + 512] = __shfl_xor_sync(~0u, in[t], 1))
BETWEEN(an_atomic_on_shared_memory, atomicAdd(&other[t], 1.0f))
BETWEEN(an_atomic_on_global_memory, atomicAdd(&out[t + 512], 1.0f))

KERNEL(under_one_condition)(const float* in, float* out, int n) {
  __shared__ float s[1024];
  if (threadIdx.x < 2 * n) store<4, 0, 4>(s, in);
  read_back(s, out);
}
KERNEL(each_under_its_own)(const float* in, float* out, int n) {
  __shared__ float s[1024];
  for (int i = 0; i < 4; ++i)
    if (4 * threadIdx.x + i < 9 * n) s[4 * threadIdx.x + i] = in[threadIdx.x + i];
  read_back(s, out);
}

// A corner turn with loads of 16 bytes.
template <int X, int Y, int Pad>
__device__ void turn(float* out, const float* in, int n) {
  constexpr int kSide = 4 * X;
  __shared__ float tile[kSide][kSide + Pad];
  const int x = 4 * threadIdx.x, columns = 8 * n, rows = 8 * n;
  for (int y = threadIdx.y; y < kSide; y += Y)
    if (y < rows && x < columns) {
      const float4 v = *(const float4*)&in[y * columns + x];
      tile[y][x] = v.x, tile[y][x + 1] = v.y, tile[y][x + 2] = v.z, tile[y][x + 3] = v.w;
    }
  __syncthreads();
  for (int y = threadIdx.y; y < kSide; y += Y)
    if (y < columns && x < rows)
      *(float4*)&out[y * rows + x] = make_float4(tile[x][y], tile[x + 1][y], tile[x + 2][y], tile[x + 3][y]);
}
#define TURN(X, Y, PAD)                                                                                      \
  extern "C" __global__ void BLOCK(X, Y) turn_##X##_##Y##_##PAD(float* out, const float* in, int n) { \
    turn<X, Y, PAD>(out, in, n);                                                                             \
  }
TURN(16, 16, 0)
TURN(16, 16, 1)
TURN(16, 16, 2)
TURN(16, 16, 4)
TURN(8, 8, 0)
TURN(8, 32, 0)
TURN(16, 4, 0)
TURN(8, 8, 2)
