#include "sim/cuda/library/library.h"

namespace warplens::cuda {

// BlockReduce as BLOCK_REDUCE_WARP_REDUCTIONS does it, its default: each warp by shuffles, then lane 0 of each
// stores the warp's part and thread 0 reads them all. BlockScan as BLOCK_SCAN_RAKING, its default: every
// thread stores its item, the first warp takes a segment a thread, padded where segments of an even number of
// words would meet in a bank, and writes the sums back (CUB's documentation of both, "Algorithm").
// BlockHistogram as BLOCK_HISTO_ATOMIC does it; by sorting, its default, it is declared alone.
// Left out: the other algorithms, items that are structs in shuffles, callbacks for prefixes.
const LibraryText kCub = {"cub", {"cub::"}, "class BlockReduce", R"(
namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

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

template <typename T, int LANES = 32>
struct WarpScan {
  struct TempStorage { char none; };
  TempStorage* storage;
  __device__ explicit WarpScan(TempStorage& s) : storage(&s) {}
  template <typename Op>
  __device__ void InclusiveScan(T x, T& out, Op op) {
    const int lane = int(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % LANES;
    for (int step = 1; step < LANES; step <<= 1) {
      T other = __shfl_up_sync(0xffffffffu, x, step, LANES);
      if (lane >= step) x = op(other, x);
    }
    out = x;
  }
  __device__ void InclusiveSum(T x, T& out) { InclusiveScan(x, out, cub::Sum()); }
  __device__ void ExclusiveSum(T x, T& out) {
    T all;
    InclusiveScan(x, all, cub::Sum());
    out = all - x;
  }
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

template <typename T, int X, BlockScanAlgorithm A = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1>
struct BlockScan {
  static constexpr int THREADS = X * Y * Z;
  static constexpr int RAKING = THREADS < 32 ? THREADS : 32;
  static constexpr int SEGMENT = (THREADS + RAKING - 1) / RAKING;
  static constexpr int RAKERS = (THREADS + SEGMENT - 1) / SEGMENT;
  static constexpr int PADDING = SEGMENT % 2 == 0 && SEGMENT > 2 ? 1 : 0;
  struct TempStorage {
    T grid[RAKERS * (SEGMENT + PADDING)];
    T all;
  };
  TempStorage* storage;
  __device__ explicit BlockScan(TempStorage& s) : storage(&s) {}
  template <typename Op>
  __device__ void scan(T x, T& out, T first, bool has_first, bool inclusive, Op op) {
    const int thread = thread_of_block<X, Y, Z>();
    const int place = thread + (PADDING == 1 ? thread / SEGMENT : 0);
    storage->grid[place] = x;
    __syncthreads();
    if (thread < RAKERS) {
      const int begin = thread * (SEGMENT + PADDING);
      T part = storage->grid[begin];
      for (int i = 1; i < SEGMENT; ++i) {
        if (thread * SEGMENT + i < THREADS) part = op(part, storage->grid[begin + i]);
      }
      T sum = part;
      for (int step = 1; step < 32; step <<= 1) {
        T other = __shfl_up_sync(RAKERS == 32 ? 0xffffffffu : (1u << RAKERS % 32) - 1, sum, step);
        if (thread >= step) sum = op(other, sum);
      }
      if (thread == RAKERS - 1) storage->all = sum;
      T before = __shfl_up_sync(RAKERS == 32 ? 0xffffffffu : (1u << RAKERS % 32) - 1, sum, 1);
      bool has_before = thread > 0;
      if (has_first) {
        before = has_before ? op(first, before) : first;
        has_before = true;
      }
      for (int i = 0; i < SEGMENT; ++i) {
        if (thread * SEGMENT + i >= THREADS) break;
        T item = storage->grid[begin + i];
        T next = has_before ? op(before, item) : item;
        storage->grid[begin + i] = inclusive ? next : before;
        before = next;
        has_before = true;
      }
    }
    __syncthreads();
    out = storage->grid[place];
  }
  __device__ void ExclusiveSum(T x, T& out) { scan(x, out, T(0), true, false, cub::Sum()); }
  __device__ void ExclusiveSum(T x, T& out, T& all) {
    scan(x, out, T(0), true, false, cub::Sum());
    all = storage->all;
  }
  __device__ void InclusiveSum(T x, T& out) { scan(x, out, T(0), false, true, cub::Sum()); }
  __device__ void InclusiveSum(T x, T& out, T& all) {
    scan(x, out, T(0), false, true, cub::Sum());
    all = storage->all;
  }
  template <typename Op>
  __device__ void InclusiveScan(T x, T& out, Op op) { scan(x, out, x, false, true, op); }
  template <typename Op>
  __device__ void ExclusiveScan(T x, T& out, T first, Op op) { scan(x, out, first, true, false, op); }
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
