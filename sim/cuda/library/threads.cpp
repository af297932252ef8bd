#include "sim/cuda/library/library.h"

namespace warplens::cuda {

// cuda::atomic_ref, cuda::barrier and cuda::pipeline have it in common.
const LibraryText kThreadScopes = {
    "cuda/scopes", {"atomic_ref", "cuda::atomic<", "cuda::std::atomic<", "thread_scope", "cuda/barrier", "cuda/pipeline"}, "", R"(
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

// <cooperative_groups.h> (CUDA C++ Programming Guide, "Cooperative Groups"): blocks, tiles of up to 32 threads,
// grids and clusters. memcpy_async() is built in (sim/lower/builtins/group_copy.cpp), and there at once for
// those who wait. Left out: groups of the threads that happen to be active, tiles of several warps, scans.
const LibraryText kGroups = {"cooperative_groups.h", {"cooperative_groups", "cg::"}, "", R"(
namespace cooperative_groups {
// A block, or a tile of so many threads.
struct thread_group {
  unsigned int lanes;
  __device__ unsigned int size() const { return lanes == 0 ? blockDim.x * blockDim.y * blockDim.z : lanes; }
  __device__ unsigned int num_threads() const { return size(); }
  __device__ unsigned int thread_rank() const {
    const unsigned int rank = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    return lanes == 0 ? rank : __lane_index() & (lanes - 1);
  }
  __device__ void sync() const {
    if (lanes == 0) __syncthreads();
    else __syncwarp();
  }
};

struct thread_block {
  __device__ static unsigned int size() { return blockDim.x * blockDim.y * blockDim.z; }
  __device__ static unsigned int num_threads() { return size(); }
  __device__ static unsigned int thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  __device__ static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  __device__ static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __device__ static dim3 group_dim() { return blockDim; }
  __device__ static dim3 dim_threads() { return blockDim; }
  __device__ static void sync() { __syncthreads(); }
  __device__ operator thread_group() const { return thread_group{0}; }
};

template <unsigned int N, typename Parent = thread_block>
struct thread_block_tile {
  __device__ static constexpr unsigned int size() { return N; }
  __device__ static constexpr unsigned int num_threads() { return N; }
  __device__ static unsigned int thread_rank() { return N == 32 ? __lane_index() : __lane_index() & (N - 1); }
  __device__ static unsigned int meta_group_rank() { return thread_block::thread_rank() / N; }
  __device__ static unsigned int meta_group_size() { return (thread_block::size() + (N - 1)) / N; }
  __device__ static void sync() { __syncwarp(); }
  template <typename T>
  __device__ T shfl(T v, int lane) const { return __shfl(v, lane, N); }
  template <typename T>
  __device__ T shfl_up(T v, unsigned int delta) const { return __shfl_up(v, delta, N); }
  template <typename T>
  __device__ T shfl_down(T v, unsigned int delta) const { return __shfl_down(v, delta, N); }
  template <typename T>
  __device__ T shfl_xor(T v, int mask) const { return __shfl_xor(v, mask, N); }
  __device__ unsigned int ballot(bool flag) const {
    if constexpr (N == 32) return __ballot(flag);
    else return (__ballot(flag) >> (__lane_index() & ~(N - 1))) & ((1u << (N % 32)) - 1);
  }
  __device__ int any(bool flag) const {
    if constexpr (N == 32) return __any(flag);
    else return ballot(flag) != 0;
  }
  __device__ int all(bool flag) const {
    if constexpr (N == 32) return __all(flag);
    else return ballot(!flag) == 0;
  }
  __device__ operator thread_group() const { return thread_group{N}; }
};

__device__ inline thread_block this_thread_block() { return thread_block{}; }
__device__ inline thread_group tiled_partition(const thread_group&, unsigned int n) { return thread_group{n}; }
template <unsigned int N, typename G>
__device__ inline thread_block_tile<N> tiled_partition(const G&) {
  static_assert(N <= 32 && (N & (N - 1)) == 0 && N > 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
  return thread_block_tile<N>{};
}
template <typename G>
__device__ inline void sync(const G& group) { group.sync(); }
template <typename G>
__device__ inline void wait(const G& group) { group.sync(); }
template <int N, typename G>
__device__ inline void wait_prior(const G& group) { group.sync(); }

template <typename T>
struct plus { __device__ T operator()(T a, T b) const { return a + b; } };
template <typename T>
struct less { __device__ T operator()(T a, T b) const { return min(a, b); } };
template <typename T>
struct greater { __device__ T operator()(T a, T b) const { return max(a, b); } };
template <typename T>
struct bit_and { __device__ T operator()(T a, T b) const { return a & b; } };
template <typename T>
struct bit_or { __device__ T operator()(T a, T b) const { return a | b; } };
template <typename T>
struct bit_xor { __device__ T operator()(T a, T b) const { return a ^ b; } };
// A butterfly: every lane ends with the result.
template <unsigned int D, typename G, typename T, typename F>
__device__ inline T reduce_from(const G& tile, T v, F op) {
  if constexpr (D == 0) return v;
  else return reduce_from<D / 2>(tile, op(v, tile.shfl_xor(v, D)), op);
}
template <unsigned int N, typename P, typename T, typename F>
__device__ inline T reduce(const thread_block_tile<N, P>& tile, T v, F op) { return reduce_from<N / 2>(tile, v, op); }
}
)"};
// Those of several blocks.
const LibraryText kGridGroups = {"cooperative_groups.h",
                                 {"this_grid", "grid_group", "this_cluster", "cluster_group"},
                                 "",
                                 R"(
namespace cooperative_groups {
struct grid_group {
  __device__ static void sync() { __grid_sync(); }
  __device__ static bool is_valid() { return true; }
  __device__ static unsigned long long num_blocks() { return gridDim.x * ((unsigned long long)gridDim.y * gridDim.z); }
  __device__ static unsigned long long block_rank() {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  __device__ static unsigned long long size() { return num_blocks() * thread_block::size(); }
  __device__ static unsigned long long num_threads() { return size(); }
  __device__ static unsigned long long thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  __device__ static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __device__ static dim3 group_dim() { return gridDim; }
  __device__ static dim3 dim_blocks() { return gridDim; }
};

#define OF_CLUSTER(name, reg) \
  __device__ static unsigned int name() { \
    unsigned int value = 0; \
    asm("mov.u32 %0, %%cluster_" reg ";" : "=r"(value)); \
    return value; \
  }
struct cluster_group {
  OF_CLUSTER(block_rank, "ctarank")
  OF_CLUSTER(num_blocks, "nctarank")
  OF_CLUSTER(index_x, "ctaid.x") OF_CLUSTER(index_y, "ctaid.y") OF_CLUSTER(index_z, "ctaid.z")
  OF_CLUSTER(side_x, "nctaid.x") OF_CLUSTER(side_y, "nctaid.y") OF_CLUSTER(side_z, "nctaid.z")
  __device__ static dim3 block_index() { return dim3(index_x(), index_y(), index_z()); }
  __device__ static dim3 dim_blocks() { return dim3(side_x(), side_y(), side_z()); }
  __device__ static unsigned int size() { return thread_block::size() * num_blocks(); }
  __device__ static unsigned int num_threads() { return size(); }
  __device__ static unsigned int thread_rank() {
    return thread_block::size() * block_rank() + thread_block::thread_rank();
  }
  // Whoever waits waits for all, so that to arrive is nothing.
  __device__ static unsigned int barrier_arrive() { return 0; }
  __device__ static void barrier_wait(unsigned int = 0) { asm volatile("barrier.cluster.wait.aligned;" ::: "memory"); }
  __device__ static void sync() { barrier_wait(); }
  template <typename T>
  __device__ static T* map_shared_rank(T* p, unsigned int rank) { return (T*)__map_shared_rank(p, rank); }
  __device__ static unsigned int query_shared_rank(const void* p) { return __query_shared_rank(p); }
};
#undef OF_CLUSTER
__device__ inline grid_group this_grid() { return grid_group{}; }
__device__ inline cluster_group this_cluster() { return cluster_group{}; }
}
)"};

// HIP's words for CUDA's (HIP documentation, "HIP C++ language extensions"): a warp here has 32 threads.
const LibraryText kHip = {"hip/hip_runtime.h", {"hip/hip_", "hipThreadIdx_x"}, "define hipThreadIdx_x", R"(
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
)"};

}  // namespace warplens::cuda
