// What courses of today take from CUDA's libraries: views of memory with their lengths, atomics by reference, and
// the words of C++17 around them.
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_reduce.cuh>
#include <cuda/atomic>
#include <cuda/cmath>
#include <cuda/std/mdspan>
#include <cuda/std/span>
#include <cuda/std/utility>

using plane_t = cuda::std::mdspan<float, cuda::std::dextents<int, 2>>;
using BlockReduce = cub::BlockReduce<int, 64>;

[[nodiscard]] __device__ float sum_of(cuda::std::span<const float> part) {
  float sum = 0;
  for (const float& x : part) sum += x;
  return sum;
}

// Each block its 64 elements: sums of what is left and right of a thread's own.
__global__ void split_sums(cuda::std::span<float> in, cuda::std::span<float> out) {
  __shared__ float tile[64];
  const cuda::std::span<float> part = in.subspan(blockIdx.x * 64, 64);
  cuda::std::span<float> seen(tile);
  seen[threadIdx.x] = part[threadIdx.x];
  __syncthreads();
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < out.size()) out[i] = sum_of(seen.first(threadIdx.x)) - sum_of(seen.last(63 - threadIdx.x)) + part.back();
}

__device__ float cross(int cell, plane_t t) {
  const int height = t.extent(0), width = t.extent(1), column = cell % width, row = cell / width;
  if (row == 0 || column == 0 || row == height - 1 || column == width - 1) return t(row, column);
  return t(row, column - 1) + t(row, column + 1) + t(row - 1, column) + t(row + 1, column);
}
__global__ void heat(plane_t in, float* out) {
  for (int cell = blockIdx.x * blockDim.x + threadIdx.x; cell < in.size(); cell += blockDim.x * gridDim.x)
    out[cell] = cross(cell, in);
}

// A plane of 8 rows and 16 columns, its columns one after another: what lies side by side is a column.
__global__ void by_columns(const float* in, float* out) {
  using fixed_t = cuda::std::extents<int, 8, 16>;
  cuda::std::mdspan<const float, fixed_t, cuda::std::layout_left> from(in);
  cuda::std::mdspan<float, cuda::std::dextents<int, 3>> to(out, 2, 4, 16);
  static_assert(from.rank() == 2 && to.rank() == 3);
  const int column = threadIdx.x % 16, row = threadIdx.x / 16;
  to(row / 4, row % 4, column) = from(row, column) + from.stride(1) + to.stride(0);
}

// As C++23 writes it; a plain array takes the last of two indices.
__global__ void wide_index(const float* in, float* out) {
  cuda::std::mdspan<const float, cuda::std::dextents<int, 2>> from(in, 8, 4);
  const int i = threadIdx.x;
  out[i] = from[i % 8, i / 8] + in[i, 0];
}

// Bins of the block in shared memory, then added to those of the grid.
__global__ void count_bins(cuda::std::span<const int> values, cuda::std::span<int> bins) {
  __shared__ int own[8];
  if (threadIdx.x < 8) own[threadIdx.x] = 0;
  __syncthreads();
  cuda::atomic_ref<int, cuda::thread_scope_block> bin(own[values[blockIdx.x * blockDim.x + threadIdx.x] % 8]);
  bin.fetch_add(1, cuda::memory_order_relaxed);
  __syncthreads();
  if (threadIdx.x < 8) {
    cuda::std::atomic_ref<int> all(bins[threadIdx.x]);
    all += own[threadIdx.x];
  }
}

// The lock is taken in turn by compare_exchange; what it guards is a load and a store.
__global__ void references(int* word, unsigned* most, float* sum) {
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> high(*most);
  high.fetch_max(cuda::ceil_div(threadIdx.x * 7 % 64, 3u));
  cuda::atomic_ref<float, cuda::thread_scope_device>(*sum).fetch_add(0.5f);
  if (threadIdx.x == 0) {
    cuda::atomic_ref<int, cuda::thread_scope_system> own(*word);
    int expected = 5;
    const bool failed = !own.compare_exchange_strong(expected, 9);
    own.store(expected + (failed ? 100 : 0), cuda::memory_order_release);
    const int before = own.exchange(own.load(cuda::memory_order_acquire) * 2);
    own.fetch_sub(before - 1);
  }
}

struct Place {
  int row, column;
};
[[nodiscard]] __device__ constexpr Place place_of(int i) { return {i / 10, i % 10}; }

__global__ void bindings(float2* pairs, int* out) {
  const auto [row, column] = place_of(threadIdx.x);
  auto& [low, high] = pairs[threadIdx.x];
  if (low > high) cuda::std::swap(low, high);
  auto [x, y] = pairs[threadIdx.x];
  x += 1;
  int both[2] = {row, column};
  auto&& [first, second] = both;
  first *= 100;
  [[maybe_unused]] int unused [[maybe_unused]] = 0;
  switch (second) {
    case 0:
      first += 7;
      [[fallthrough]];
    default:
      first += x > y;
  }
  if (first > 1000) [[unlikely]] first = -1;
  const Place places[2] = {{1, 2}, {3, 4}};
  for (const auto& [r, c] : places) first += r * c;
  out[threadIdx.x] = both[0] + column;
}

template <typename T>
__global__ void reduced(const T* in, T* out) {
  T extern __shared__ items[];
  __shared__ typename BlockReduce::TempStorage storage;
  items[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  cudaGridDependencySynchronize();
  const T sum = BlockReduce(storage).Sum(items[63 - threadIdx.x] * (threadIdx.x + 1));
  cudaTriggerProgrammaticLaunchCompletion();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void histogram(const int* in, int* bins) {
  using histogram_t = cub::BlockHistogram<int, 64, 2, 8, cub::BlockHistogramAlgorithm::BLOCK_HISTO_ATOMIC>;
  __shared__ typename histogram_t::TempStorage storage;
  __shared__ int own[8];
  int items[2] = {in[threadIdx.x] % 8, in[threadIdx.x + 64] % 3};
  histogram_t(storage).Histogram(items, own);
  __syncthreads();
  if (threadIdx.x < 8) bins[threadIdx.x] = own[threadIdx.x];
}

int main() {
  plane_t plane(a, 20, 30);
  heat<<<4, 64>>>(plane, out);
}

// Thread i draws what one thread would draw as its numbers 5 i and those behind.
__global__ void philox(unsigned* out, float* uniform) {
  curandStatePhilox4_32_10_t state;
  curand_init(0x123456789abcdefull, 7, 5 * threadIdx.x, &state);
  for (int k = 0; k < 5; ++k) out[5 * threadIdx.x + k] = curand(&state);
  if (threadIdx.x == 0) out[160] = sizeof(state);
  uniform[threadIdx.x] = 0 * curand_normal(&state) + curand_uniform4(&state).y;
}

__global__ void by_hip(const int* in, int* out) {
  HIP_DYNAMIC_SHARED(int, tile)
  tile[hipThreadIdx_x] = in[hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x];
  __syncthreads();
  out[hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x] = tile[hipBlockDim_x - 1 - hipThreadIdx_x] * hipGridDim_x;
}

// Numbers of eight bits, rounding towards zero and up, two words shifted as one.
__global__ void rounded(const unsigned* in, float* out, unsigned* words) {
  const int i = threadIdx.x;
  const unsigned x = in[i] * 2654435761u;
  words[i] = (__funnelshift_l(x, 3u * i, i + 9) ^ __funnelshift_rc(x, 5u * i, i + 20)) + __sad(i, 40, x);
  const float a = 1 + i / 3.0f, b = 1 / (3.0f + i);
  out[i] = float(__nv_fp8_e4m3(a)) + (__fadd_ru(a, b) - __fadd_rz(a, b)) * (1 << 20) + __fmul_rd(a, 2);
}

// Pairs of warps, each with a barrier of its own; the first pair tells the second that its words are there.
__global__ void by_pairs(const int* in, int* out) {
  __shared__ int words[128], first[64];
  const int i = threadIdx.x, pair = i / 64;
  words[i] = in[i];
  asm volatile("bar.sync %0, 64;" ::"r"(pair + 1) : "memory");
  int x = words[i ^ 63];
  if (pair == 0) {
    first[i] = x;
    asm volatile("bar.arrive 3, 128;" ::: "memory");
  } else {
    asm volatile("bar.sync 3, 128;" ::: "memory");
    x += first[i - 64];
  }
  out[i] = x;
}
