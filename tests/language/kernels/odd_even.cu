// Several kernels and helpers of one name in namespaces, default arguments, overloads.
namespace util {
namespace detail {
template <typename T> __device__ inline T pick(bool first, T a, T b) { return first ? a : b; }
}
template <typename T> __device__ inline void order(T &a, T &b) {
  const T low = detail::pick(a < b, a, b), high = detail::pick(a < b, b, a);
  a = low;
  b = high;
}
__device__ inline int offset(int i, int phase = 0) { return 2 * i + phase; }
__device__ inline float offset(float x) { return x + 0.5f; }
}  // namespace util
using namespace util;

__global__ void oddEvenSort(float *values, int n) {
  __shared__ float s[128];
  for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = values[i];
  for (int phase = 0; phase < n; ++phase) {
    __syncthreads();
    const int at = util::offset(threadIdx.x, phase & 1);
    if (at + 1 < n) order(s[at], s[at + 1]);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] = util::offset(s[i]) + offset(i) * 0.0f;
}

// ---- host
int main() { oddEvenSort<<<1, 64>>>(v, 100); }
