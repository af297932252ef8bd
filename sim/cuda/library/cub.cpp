#include "sim/cuda/library/library.h"

namespace warplens::cuda {

// BlockReduce as BLOCK_REDUCE_WARP_REDUCTIONS does it, its default: each warp by shuffles, then lane 0 of each
// stores the warp's part and thread 0 reads them all (CUB's documentation, "Algorithm").
// BlockHistogram as BLOCK_HISTO_ATOMIC does it; by sorting, its default, it is declared alone.
// Left out: the other algorithms, scans, items that are structs in shuffles.
const LibraryText kCub = {"cub", {"cub::"}, "class BlockReduce", R"(
namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

struct Sum {
  template <typename T>
  __host__ __device__ T operator()(const T& a, const T& b) const { return a + b; }
};
struct Max {
  template <typename T>
  __host__ __device__ T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
struct Min {
  template <typename T>
  __host__ __device__ T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};

template <int X, int Y, int Z>
__device__ int thread_of_block() {
  return Z * Y == 1 ? int(threadIdx.x) : int((threadIdx.z * Y + threadIdx.y) * X + threadIdx.x);
}

template <typename T, int LANES = 32>
struct WarpReduce {
  struct TempStorage { char none; };
  TempStorage* storage;
  __device__ explicit WarpReduce(TempStorage& s) : storage(&s) {}
  template <typename Op>
  __device__ T Reduce(T x, Op op, int valid) {
    const int lane = int(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % LANES;
    for (int step = 1; step < LANES; step <<= 1) {
      T other = __shfl_down_sync(0xffffffffu, x, step, LANES);
      if (lane + step < valid) x = op(x, other);
    }
    return x;
  }
  template <typename Op>
  __device__ T Reduce(T x, Op op) { return Reduce(x, op, LANES); }
  __device__ T Sum(T x) { return Reduce(x, cub::Sum(), LANES); }
  __device__ T Sum(T x, int valid) { return Reduce(x, cub::Sum(), valid); }
};

template <typename T, int X, BlockReduceAlgorithm A = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1>
struct BlockReduce {
  static constexpr int THREADS = X * Y * Z;
  static constexpr int WARPS = (THREADS + 31) / 32;
  struct TempStorage {
    char warps[WARPS];
    T parts[WARPS];
    T prefix;
  };
  TempStorage* storage;
  __device__ explicit BlockReduce(TempStorage& s) : storage(&s) {}
  template <typename Op>
  __device__ T Reduce(T x, Op op, int valid) {
    const int thread = thread_of_block<X, Y, Z>();
    const int lane = thread % 32, warp = thread / 32;
    const int lanes = valid - warp * 32 < 32 ? valid - warp * 32 : 32;
    for (int step = 1; step < 32; step <<= 1) {
      T other = __shfl_down_sync(0xffffffffu, x, step);
      if (lane + step < lanes) x = op(x, other);
    }
    if (lane == 0) storage->parts[warp] = x;
    __syncthreads();
    if (thread == 0) {
      for (int next = 1; next < WARPS; ++next) {
        if (next * 32 < valid) x = op(x, storage->parts[next]);
      }
    }
    return x;
  }
  template <typename Op>
  __device__ T Reduce(T x, Op op) { return Reduce(x, op, THREADS); }
  template <int N, typename Op>
  __device__ T Reduce(T (&items)[N], Op op) {
    T x = items[0];
    for (int i = 1; i < N; ++i) x = op(x, items[i]);
    return Reduce(x, op, THREADS);
  }
  __device__ T Sum(T x) { return Reduce(x, cub::Sum(), THREADS); }
  __device__ T Sum(T x, int valid) { return Reduce(x, cub::Sum(), valid); }
  template <int N>
  __device__ T Sum(T (&items)[N]) {
    T x = items[0];
    for (int i = 1; i < N; ++i) x = x + items[i];
    return Reduce(x, cub::Sum(), THREADS);
  }
};

template <typename T, int X, int N, int BINS, int A = BLOCK_HISTO_SORT, int Y = 1, int Z = 1>
struct BlockHistogram;
template <typename T, int X, int N, int BINS, int Y, int Z>
struct BlockHistogram<T, X, N, BINS, BLOCK_HISTO_ATOMIC, Y, Z> {
  struct TempStorage { char none; };
  TempStorage* storage;
  __device__ explicit BlockHistogram(TempStorage& s) : storage(&s) {}
  template <typename C>
  __device__ void InitHistogram(C* bins) {
    for (int i = thread_of_block<X, Y, Z>(); i < BINS; i += X * Y * Z) bins[i] = 0;
  }
  template <typename C>
  __device__ void Composite(T (&items)[N], C* bins) {
    for (int i = 0; i < N; ++i) atomicAdd(bins + items[i], C(1));
  }
  template <typename C>
  __device__ void Histogram(T (&items)[N], C* bins) {
    InitHistogram(bins);
    __syncthreads();
    Composite(items, bins);
  }
};

}  // namespace cub
)"};

}  // namespace warplens::cuda
