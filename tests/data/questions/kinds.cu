// One of each kind of access: what each counter of Nsight Compute takes in.
#include <cuda_fp16.h>
__global__ void local_array(const int *in, float *out) {
  float t[8];
  for (int k = 0; k < 8; k++) t[k] = in[k] * .5f;
  out[threadIdx.x] = t[in[threadIdx.x] & 7];
}
__global__ void global_atomics(int *sums, int *olds) {
  olds[threadIdx.x] = atomicAdd(sums + threadIdx.x % 8, 1);
  atomicAdd(sums + 64 + threadIdx.x % 4, 1);
}
__global__ void shared_atomics(int *out) {
  __shared__ int bins[32];
  bins[threadIdx.x % 32] = 0;
  __syncthreads();
  int old = atomicAdd(bins + threadIdx.x % 8, 1);
  atomicAdd(bins + 16 + threadIdx.x % 4, 1);
  atomicCAS(bins + threadIdx.x % 32, 3, 4);
  __syncthreads();
  out[threadIdx.x] = bins[threadIdx.x % 32] + old;
}
__global__ void generic_loads(const int *in, int *out, int which) {
  __shared__ int tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int *from = which ? tile : in;
  out[threadIdx.x] = from[31 - threadIdx.x];
}
__global__ void matrix_store(const int *in, int *out) {
  __shared__ __align__(16) char tile[8 * 128];
  int lane = threadIdx.x, a = in[lane];
  unsigned row = __cvta_generic_to_shared(tile + lane % 8 * 128);
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(row), "r"(a) : "memory");
  __syncwarp();
  out[lane] = *(int *)(tile + lane * 4);
}
__global__ void few_lanes(const float *in, float *out) {
  __shared__ float tile[64];
  if (threadIdx.x < 5) tile[threadIdx.x * 2] = in[threadIdx.x * 9];
  __syncwarp();
  if (threadIdx.x % 3 == 0) out[threadIdx.x] = tile[threadIdx.x];
}
__global__ void copy_few(const char *in, int *out) {  // half of the lanes copy nothing: src-size 0
  __shared__ __align__(128) char tile[512];
  unsigned target = __cvta_generic_to_shared(tile + threadIdx.x * 16);
  int bytes = threadIdx.x % 2 ? 16 : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(target), "l"(in + threadIdx.x * 16), "r"(bytes) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncwarp();
  out[threadIdx.x] = *(int *)(tile + threadIdx.x * 16);
}
template <int STEP> __global__ void every(const float *in, float *out) { out[blockIdx.x * 64 + threadIdx.x] = in[(blockIdx.x * 64 + threadIdx.x) * STEP]; }
int main() {
  int *in, *out;
  cudaMalloc(&in, 1 << 20);
  cudaMalloc(&out, 1 << 20);
  cudaMemset(in, 0, 1 << 20);
  local_array<<<1, 32>>>(in, (float *)out);
  global_atomics<<<1, 32>>>(in + 4096, out);
  shared_atomics<<<1, 64>>>(out);
  generic_loads<<<1, 32>>>(in, out, 1);
  generic_loads<<<1, 32>>>(in, out, 0);
  matrix_store<<<1, 32>>>(in, out);
  few_lanes<<<1, 32>>>((float *)in, (float *)out);
  copy_few<<<1, 32>>>((char *)in, out);
  every<4><<<100, 64>>>((float *)in, (float *)out);
  every<1><<<100, 64>>>((float *)in, (float *)out);
  return cudaDeviceSynchronize();
}
