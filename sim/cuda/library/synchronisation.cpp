#include "sim/cuda/library/library.h"

namespace warplens::cuda {

// cuda::atomic_ref, cuda::barrier and cuda::pipeline have it in common.
const LibraryText kThreadScopes = {"cuda/scopes",
                                   {"atomic_ref", "cuda::atomic<", "cuda::std::atomic<", "cuda/barrier",
                                    "cuda/pipeline", "cuda::barrier", "cuda::pipeline", "cuda::make_pipeline",
                                    "cuda::aligned_size_t"},
                                   "",
                                   R"(
namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
}
)"};

// <cuda/barrier> and <cuda/pipeline> (https://nvidia.github.io/cccl/libcudacxx) over mbarrier. A pipeline of
// a thread waits for its own copies alone, and those are there at once. One of a block has two barriers a
// stage, as libcu++ of CUDA 13 has: producers arrive at the first, consumers at the second. Left out: other
// scopes, completion functions, what a barrier may be asked beside its phases.
const LibraryText kBarriers = {"cuda/barrier",
                               {"cuda/barrier", "cuda/pipeline", "cuda::barrier", "cuda::pipeline",
                                "cuda::make_pipeline", "cuda::aligned_size_t"},
                               "struct pipeline_shared_state",
                               R"(
namespace cuda {
template <int S> struct barrier;
template <>
struct barrier<thread_scope_block> {
  typedef uint64_t arrival_token;
  uint64_t word;
  __device__ unsigned int address() const { return (unsigned int)__cvta_generic_to_shared(this); }
  __device__ arrival_token arrive(unsigned int count = 1) {
    arrival_token phase = 0;
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], %2;" : "=l"(phase) : "r"(address()), "r"(count) : "memory");
    return phase;
  }
  __device__ bool try_wait(arrival_token phase) const {
    unsigned int done = 0;
    asm volatile("{ .reg .pred p; mbarrier.try_wait.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }" : "=r"(done)
                 : "r"(address()), "l"(phase) : "memory");
    return done;
  }
  __device__ bool try_wait_parity(bool parity) const {
    unsigned int done = 0;
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }" : "=r"(done)
                 : "r"(address()), "r"((unsigned int)parity) : "memory");
    return done;
  }
  __device__ void wait(arrival_token phase) const { try_wait(phase); }
  __device__ void wait_parity(bool parity) const { try_wait_parity(parity); }
  __device__ void arrive_and_wait() { wait(arrive()); }
};
__device__ inline void init(barrier<thread_scope_block>* bar, unsigned int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar->address()), "r"(count) : "memory");
}

template <size_t N>
struct aligned_size_t {
  static constexpr size_t align = N;
  size_t value;
  __host__ __device__ explicit constexpr aligned_size_t(size_t bytes) : value(bytes) {}
  __host__ __device__ constexpr operator size_t() const { return value; }
};

enum class pipeline_role : bool { consumer, producer };
template <int S, int N> struct pipeline_shared_state;
template <int N>
struct pipeline_shared_state<thread_scope_block, N> {
  barrier<thread_scope_block> stages[2 * N];
  uint64_t users;
};
template <int S> struct pipeline;
template <>
struct pipeline<thread_scope_thread> {
  __device__ void producer_acquire() {}
  __device__ void producer_commit() {}
  __device__ void consumer_wait() {}
  __device__ void consumer_release() {}
  __device__ bool quit() { return true; }
};
template <>
struct pipeline<thread_scope_block> {
  unsigned int head, tail, depth;
  barrier<thread_scope_block>* stages;
  __device__ void producer_acquire() {
    if (head >= depth) stages[2 * (head % depth) + 1].wait(head / depth - 1);
  }
  __device__ void producer_commit() { stages[2 * (head++ % depth)].arrive(); }
  __device__ void consumer_wait() { stages[2 * (tail % depth)].wait(tail / depth); }
  __device__ void consumer_release() { stages[2 * (tail++ % depth) + 1].arrive(); }
  __device__ bool quit() { return true; }
};
__device__ inline pipeline<thread_scope_thread> make_pipeline() { return pipeline<thread_scope_thread>(); }
// `third`: how many of the block's first threads produce, or whether this one does.
template <typename G, int N, typename P>
__device__ inline pipeline<thread_scope_block> make_pipeline(const G& group, pipeline_shared_state<thread_scope_block, N>* state, P third) {
  unsigned int producers = third;
  if constexpr (is_same_v<P, bool>) producers = __syncthreads_count(third);
  const unsigned int others = group.size() - producers;
  if (group.thread_rank() == 0) {
    for (int i = 0; i < N; ++i) {
      init(&state->stages[2 * i], producers);
      init(&state->stages[2 * i + 1], others == 0 ? producers : others);
    }
  }
  group.sync();
  return pipeline<thread_scope_block>{0, 0, N, state->stages};
}
template <typename G, int N>
__device__ inline pipeline<thread_scope_block> make_pipeline(const G& group, pipeline_shared_state<thread_scope_block, N>* state) {
  return make_pipeline(group, state, (unsigned int)group.size());
}
template <int N, typename P>
__device__ inline void pipeline_consumer_wait_prior(P&) {}
template <typename P, typename B>
__device__ inline void pipeline_producer_commit(P&, B&) {}
}
)"};

}  // namespace warplens::cuda
