// Sums of neighbours in shared memory, each with one thing that may keep the assembler from joining their loads.
#define KERNEL(NAME) extern "C" __global__ void __launch_bounds__(256) NAME(const float* in, float* out, int n)
#define FILLED(T, COUNT)                                                                       \
  __shared__ T s[COUNT];                                                           \
  const int t = threadIdx.x;                                                                   \
  for (int i = t; i < (COUNT); i += 256) s[i] = (T)in[(blockIdx.x * (COUNT) + i) % 65536];     \
  __syncthreads();
#define RESULT out[blockIdx.x * 256 + t]

KERNEL(two) { FILLED(float, 512) RESULT = s[2 * t] + s[2 * t + 1]; }
KERNEL(three) { FILLED(float, 768) RESULT = s[3 * t] + s[3 * t + 1] + s[3 * t + 2]; }
KERNEL(four) { FILLED(float, 1024) RESULT = s[4 * t] + s[4 * t + 1] + s[4 * t + 2] + s[4 * t + 3]; }
KERNEL(eight) {
  FILLED(float, 2048)
  float sum = 0;
  for (int i = 0; i < 8; ++i) sum += s[8 * t + i];
  RESULT = sum;
}
KERNEL(first_three) { FILLED(float, 1024) RESULT = s[4 * t] + s[4 * t + 1] + s[4 * t + 2]; }
KERNEL(last_three) { FILLED(float, 1024) RESULT = s[4 * t + 1] + s[4 * t + 2] + s[4 * t + 3]; }
KERNEL(middle_two) { FILLED(float, 1024) RESULT = s[4 * t + 1] + s[4 * t + 2]; }
KERNEL(outer_two) { FILLED(float, 1024) RESULT = s[4 * t] + s[4 * t + 3]; }
KERNEL(every_other) { FILLED(float, 1024) RESULT = s[4 * t] + s[4 * t + 2]; }
KERNEL(all_but_second) { FILLED(float, 1024) RESULT = s[4 * t] + s[4 * t + 2] + s[4 * t + 3]; }
KERNEL(backwards) { FILLED(float, 1024) RESULT = s[4 * t + 3] + s[4 * t + 2] * (s[4 * t + 1] - s[4 * t]); }
KERNEL(doubles) { FILLED(double, 512) RESULT = float(s[2 * t] + s[2 * t + 1]); }
KERNEL(doubles4) { FILLED(double, 1024) RESULT = float(s[4 * t] + s[4 * t + 1] + s[4 * t + 2] + s[4 * t + 3]); }
KERNEL(chars) { FILLED(unsigned char, 1024) RESULT = s[4 * t] + s[4 * t + 1] + s[4 * t + 2] + s[4 * t + 3]; }
KERNEL(shorts) { FILLED(short, 1024) RESULT = s[4 * t] + s[4 * t + 1] + s[4 * t + 2] + s[4 * t + 3]; }
KERNEL(shorts2) { FILLED(short, 512) RESULT = s[2 * t] + s[2 * t + 1]; }
KERNEL(int_and_float) {
  FILLED(float, 512)
  RESULT = s[2 * t] + __uint_as_float(((unsigned*)s)[2 * t + 1] & 0x7fffffff) + float(((int*)s)[2 * t + 1]);
}
KERNEL(store_to_other) {
  __shared__ float other[256];
  FILLED(float, 1024)
  const float first = s[4 * t] + s[4 * t + 1];
  other[t ^ 1] = first;
  RESULT = first + s[4 * t + 2] + s[4 * t + 3];
  out[1024 + blockIdx.x * 256 + t] = other[t];
}
KERNEL(store_to_same) {
  FILLED(float, 1024)
  const float first = s[4 * t];
  s[4 * ((t * 7) & 255)] = 2;
  RESULT = first + s[4 * t + 1] + s[4 * t + 2] + s[4 * t + 3];
}
KERNEL(store_to_global) {
  FILLED(float, 1024)
  const float first = s[4 * t] + s[4 * t + 1];
  out[1024 + blockIdx.x * 256 + t] = first;
  RESULT = first + s[4 * t + 2] + s[4 * t + 3];
}
KERNEL(barrier_between) {
  FILLED(float, 1024)
  const float first = s[4 * t] + s[4 * t + 1];
  __syncthreads();
  RESULT = first + s[4 * t + 2] + s[4 * t + 3];
}
KERNEL(warp_barrier_between) {
  FILLED(float, 1024)
  const float first = s[4 * t] + s[4 * t + 1];
  __syncwarp();
  RESULT = first + s[4 * t + 2] + s[4 * t + 3];
}
KERNEL(shuffle_between) {
  FILLED(float, 1024)
  const float first = __shfl_xor_sync(~0u, s[4 * t] + s[4 * t + 1], 1);
  RESULT = first + s[4 * t + 2] + s[4 * t + 3];
}
KERNEL(in_branch) {
  FILLED(float, 1024)
  float sum = 0;
  if (in[t] > 0) sum = s[4 * t] + s[4 * t + 1] + s[4 * t + 2] + s[4 * t + 3];
  RESULT = sum;
}
KERNEL(half_in_branch) {
  FILLED(float, 1024)
  float sum = s[4 * t] + s[4 * t + 1];
  if (__float_as_int(in[t]) & 1) sum *= s[4 * t + 2] - s[4 * t + 3];
  RESULT = sum;
}
KERNEL(rolled) {
  FILLED(float, 1024)
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i) sum += s[(4 * t + 4 * i) & 1023] * s[((4 * t + 4 * i) & 1023) + 1];
  RESULT = sum;
}
KERNEL(runtime_length) {
  FILLED(float, 4096)
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += s[16 * t + i];
  RESULT = sum;
}
KERNEL(rolled_known) {
  FILLED(float, 4096)
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < 16; ++i) sum += s[16 * t + i];
  RESULT = sum;
}
KERNEL(stencil) {
  FILLED(float, 260)
  RESULT = s[t] + s[t + 1] + s[t + 2] + s[t + 3] + s[t + 4];
}
KERNEL(weights) {
  __shared__ float weight[9];
  FILLED(float, 264)
  if (t < 9) weight[t] = in[t];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 9; ++i) sum += weight[i] * s[t + i];
  RESULT = sum;
}
KERNEL(weights_by_row) {
  __shared__ float weight[64];
  FILLED(float, 264)
  if (t < 64) weight[t] = in[t];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 8; ++i) sum += weight[(t / 32) * 8 + i] * s[t + i];
  RESULT = sum;
}
struct Three { float x, y, z; };
struct Four { float x, y, z, w; };
KERNEL(structs3) {
  FILLED(float, 768)
  const Three p = ((Three*)s)[t];
  RESULT = p.x * p.y + p.z;
}
KERNEL(structs4) {
  FILLED(float, 1024)
  const Four p = ((Four*)s)[t];
  RESULT = p.x * p.y + p.z * p.w;
}
KERNEL(structs4_xw) {
  FILLED(float, 1024)
  const Four p = ((Four*)s)[t], q = ((Four*)s)[t ^ 1];
  RESULT = p.x * q.y + q.x * p.y;
}
KERNEL(repeated) {
  FILLED(float, 1024)
  const float a = s[t] * s[t + 256];
  out[1024 + t] = a;
  RESULT = a + s[t] * s[t + 512];
}
KERNEL(by_xor) {
  FILLED(float, 1024)
  const int base = (t ^ (t >> 3)) & 255;
  RESULT = s[base * 4] - s[base * 4 + 1] * s[base * 4 + 2] - s[base * 4 + 3];
}
KERNEL(by_xor_low) {
  FILLED(float, 1024)
  RESULT = s[(4 * t) ^ 0] - s[(4 * t) ^ 1] * s[(4 * t) ^ 2] - s[(4 * t) ^ 3];
}
KERNEL(far_apart) {
  FILLED(float, 1024)
  float x = s[4 * t];
  for (int i = 0; i < 24; ++i) x = x * x + in[i];
  float y = s[4 * t + 1];
  for (int i = 0; i < 24; ++i) y = y * x + in[i + 24];
  RESULT = x + y;
}
KERNEL(sub_histograms) {
  __shared__ int counts[8][256];
  const int t = threadIdx.x;
  for (int i = 0; i < 8; ++i) counts[i][t] = 0;
  __syncthreads();
  atomicAdd(&counts[t / 32][(__float_as_int(in[blockIdx.x * 256 + t]) * 7) & 255], 1);
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 8; ++i) sum += counts[i][t];
  RESULT = float(sum);
}
KERNEL(volatile_tree) {
  __shared__ volatile float v[512];
  const int t = threadIdx.x;
  v[t] = in[t], v[t + 256] = in[t + 256];
  __syncthreads();
  RESULT = v[2 * t] + v[2 * t + 1];
}
KERNEL(softmax_row) {
  FILLED(float, 2048)
  float most = s[8 * t], sum = 0;
  for (int i = 1; i < 8; ++i) most = fmaxf(most, s[8 * t + i]);
  for (int i = 0; i < 8; ++i) sum += __expf(s[8 * t + i] - most);
  RESULT = sum;
}
KERNEL(written_between) {
  FILLED(float, 1024)
  float4 mine;
  mine.x = s[4 * t], mine.y = s[4 * t + 1];
  s[4 * t] = mine.y;
  mine.z = s[4 * t + 2], mine.w = s[4 * t + 3];
  RESULT = mine.x + mine.y * mine.z - mine.w + s[4 * ((t + 1) & 255)];
}
KERNEL(after_odd_array) {
  __shared__ float odd[5];
  FILLED(float, 1024)
  if (t < 5) odd[t] = in[t];
  __syncthreads();
  RESULT = odd[t % 5] + odd[0] * odd[1] - odd[2] * odd[3] + s[4 * t] + s[4 * t + 1] + s[4 * t + 2] + s[4 * t + 3];
}
KERNEL(dynamic) {
  extern __shared__ float d[];
  const int t = threadIdx.x;
  for (int i = t; i < 1024; i += 256) d[i] = in[i];
  __syncthreads();
  RESULT = d[4 * t] + d[4 * t + 1] + d[4 * t + 2] + d[4 * t + 3];
}
