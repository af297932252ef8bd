// Functions that are made where they are used: lambdas, a variable of a function that lasts, reductions by one's own
// operation.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

template <typename F>
__device__ void for_each(int first, int last, F f) {
  for (int i = first; i < last; ++i) f(i);
}

struct Scale {
  float by;
  __device__ float twice(float x) const {
    auto once = [this](float v) { return v * by; };
    return once(once(x));
  }
};

// By reference, by value (n is 3 in `before`, whatever it is later), with an initial value, with auto, with early
// returns; a nested one.
__global__ void sums(const float *in, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int last = 3;
  float sum = 0.0f;
  auto before = [=](int k) { return k < last ? in[i + k] : 0.0f; };
  last = 5;
  for_each(0, last, [&](int k) { sum += before(k); });
  const auto clamp = [lower = -0.5f, &n](auto x) -> float {
    if (x < lower) return lower;
    if (x > n) return n;
    return x;
  };
  auto both = [&](float x) {
    auto square = [](auto v) { return v * v; };
    return clamp(x) + square(x) + square(2);
  };
  Scale scale{0.5f};
  out[i] = both(sum) + scale.twice(sum);
}

__device__ int next_number() {
  static __device__ int calls = 100;
  return atomicAdd(&calls, 1);
}

// Each thread has a number of its own; which one depends on the order.
__global__ void numbers(int *seen) {
  const int mine = next_number() - 100;
  atomicAdd(&seen[mine], 1);
}

struct Best {
  float value;
  int at;
};

// Which lane has the most, by a lambda; the same by a number of 32 bits of the warp.
__global__ void most(const float *in, Best *best, int *counts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const Best mine{in[i], (int)threadIdx.x % 32};
  const Best of_all = cg::reduce(tile, mine, [](const Best &a, const Best &b) { return a.value > b.value ? a : b; });
  const int over = __reduce_add_sync(0xffffffffu, in[i] > 0.5f ? 1 : 0);
  const int last = __reduce_max_sync(0xffffffffu, in[i] > 0.5f ? (int)tile.thread_rank() : -1);
  if (tile.thread_rank() == 0) {
    best[i / 32] = of_all;
    counts[2 * (i / 32)] = over;
    counts[2 * (i / 32) + 1] = last;
  }
}

// ---- host
int main() {
  sums<<<2, 64>>>(in, out, 2);
  numbers<<<2, 64>>>(seen);
  most<<<2, 64>>>(in, best, counts);
}
