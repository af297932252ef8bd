// Barriers that are objects: arriving early and waiting late, a copy that is waited for, producers and consumers
// in one block.
#include <cooperative_groups.h>
#include <cuda/barrier>

#include <utility>

namespace cg = cooperative_groups;

__global__ void early_late(const float* in, float* out, int n) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ float tile[128];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = in[i];
  auto token = bar.arrive();
  float own = tile[threadIdx.x] * 2.0f;  // needs nobody else's
  bar.wait(std::move(token));
  float sum = own;
  for (int turn = 0; turn < 3; ++turn) {
    sum += tile[(threadIdx.x + 33 * (turn + 1)) % 128];
    bar.arrive_and_wait();
    tile[threadIdx.x] = sum;
    bar.arrive_and_wait();
  }
  if (i < n) out[i] = sum;
}

__global__ void copy_and_wait(const int* in, int* out, int tiles) {
  extern __shared__ int buffer[];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  int sum = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    cuda::memcpy_async(block, buffer, in + tile * block.size(), sizeof(int) * block.size(), bar);
    bar.arrive_and_wait();
    sum += buffer[block.size() - 1 - threadIdx.x];
    block.sync();
  }
  out[threadIdx.x] = sum;
}

using barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ void produce(barrier ready[], barrier filled[], float* buffer, const float* in, int tiles) {
  for (int i = 0; i < tiles; ++i) {
    ready[i % 2].arrive_and_wait();
    buffer[32 * (i % 2) + threadIdx.x] = 2.0f * in[32 * i + threadIdx.x];
    barrier::arrival_token token = filled[i % 2].arrive();
    (void)token;
  }
}

__device__ void consume(barrier ready[], barrier filled[], float* buffer, float* out, int tiles) {
  auto first = ready[0].arrive();
  auto second = ready[1].arrive();
  (void)first;
  (void)second;
  for (int i = 0; i < tiles; ++i) {
    filled[i % 2].arrive_and_wait();
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 64) out[32 * i + lane] = buffer[32 * (i % 2) + 31 - lane] + 1.0f;
    ready[i % 2].arrive();
  }
}

__global__ void producer_consumer(const float* in, float* out, int tiles) {
  __shared__ float buffer[64];
  __shared__ barrier bars[4];  // two are ready to be filled, two are filled
  if (threadIdx.x < 4) init(bars + threadIdx.x, blockDim.x);
  __syncthreads();
  if (threadIdx.x < 32)
    produce(bars, bars + 2, buffer, in, tiles);
  else
    consume(bars, bars + 2, buffer, out, tiles);
}

void run(const float* in, float* out, const int* numbers, int* sums) {
  early_late<<<2, 128>>>(in, out, 200);
  copy_and_wait<<<1, 64, 64 * sizeof(int)>>>(numbers, sums, 5);
  producer_consumer<<<1, 96>>>(in, out, 6);
}
