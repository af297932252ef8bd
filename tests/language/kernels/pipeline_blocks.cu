// Pipelines: two stages that all threads fill and use, a thread's own, and one with producers and consumers.
#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

template <int kStages>
__global__ void staged_sum(const int* in, int* out, int batches) {
  auto block = cg::this_thread_block();
  extern __shared__ int shared[];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope::thread_scope_block, kStages> state;
  auto pipeline = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int compute = 0, fetch = 0; compute < batches; ++compute) {
    for (; fetch < batches && fetch < compute + kStages; ++fetch) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, shared + (fetch % kStages) * block.size(), in + fetch * block.size(),
                         sizeof(int) * block.size(), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    sum += shared[(compute % kStages) * block.size() + (threadIdx.x + compute) % block.size()];
    pipeline.consumer_release();
  }
  out[threadIdx.x] = sum;
}

__global__ void own_pipeline(const float4* in, float4* out, int n) {
  __shared__ float4 tile[2][64];
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  const auto bytes = cuda::aligned_size_t<16>(sizeof(float4));
  int steps = n / 64;
  pipe.producer_acquire();
  cuda::memcpy_async(&tile[0][threadIdx.x], &in[threadIdx.x], bytes, pipe);
  pipe.producer_commit();
  for (int step = 0; step < steps; ++step) {
    if (step + 1 < steps) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[(step + 1) % 2][threadIdx.x], &in[(step + 1) * 64 + threadIdx.x], bytes, pipe);
      pipe.producer_commit();
      cuda::pipeline_consumer_wait_prior<1>(pipe);
    } else {
      cuda::pipeline_consumer_wait_prior<0>(pipe);
    }
    __syncthreads();
    float4 v = tile[step % 2][63 - threadIdx.x];
    out[step * 64 + threadIdx.x] = make_float4(v.w, v.z, v.y, v.x);
    pipe.consumer_release();
    __syncthreads();
  }
}

__global__ void parts(const float* in, float* out, int rounds) {
  constexpr int kStages = 2;
  auto block = cg::this_thread_block();
  __shared__ float buffer[kStages][32];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const bool produces = threadIdx.x < 32;
  auto pipe = cuda::make_pipeline(block, &state,
                                  produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  if (produces) {
    for (int i = 0; i < rounds; ++i) {
      pipe.producer_acquire();
      buffer[i % kStages][threadIdx.x] = in[i * 32 + threadIdx.x];
      pipe.producer_commit();
    }
  } else {
    for (int i = 0; i < rounds; ++i) {
      pipe.consumer_wait();
      int lane = threadIdx.x - 32;
      out[i * 32 + lane] = buffer[i % kStages][lane ^ 1] + static_cast<float>(i);
      pipe.consumer_release();
    }
  }
}

void run(const int* in, int* out, const float4* vectors, float4* turned) {
  staged_sum<2><<<1, 64, 2 * 64 * sizeof(int)>>>(in, out, 6);
  own_pipeline<<<1, 64>>>(vectors, turned, 256);
  parts<<<1, 64>>>(nullptr, nullptr, 5);
}
