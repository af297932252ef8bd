// Names that several namespaces have, overloads of which one takes less, templates that are left out or only
// declared, loops through arrays.
#include <type_traits>

namespace near {
struct Step {
  float length;
};
constexpr int SPAN = 2;
__device__ float moved(float x) {
  return x + SPAN;
}
namespace inner {
__device__ float twice_moved(float x) {
  return moved(moved(x));
}
}  // namespace inner
}  // namespace near
namespace far {
struct Step {
  double length;
  float weight;
};
constexpr int SPAN = 5;
enum Way { LEFT = 3, RIGHT };
__device__ float moved(float x) {
  return x * SPAN;
}
__device__ float by(const Step& step) {
  return static_cast<float>(step.length) * step.weight;
}
}  // namespace far
namespace {
enum Way { LEFT = 7, RIGHT };
__device__ float moved(float x) {
  return x - 1;
}
}  // namespace

template <typename T>
struct Two {
  T a, b;
};
template <typename T>
__device__ T total(const T v) {
  return v;
}
template <typename T>
__device__ T total(const Two<T>& v) {
  return v.a + v.b;
}
template <typename T>
__device__ int kind(T) {
  return 1;
}
template <typename T>
__device__ int kind(T*) {
  return 2;
}
template <typename T>
__device__ int kind(const T*) {
  return 3;
}
template <typename T>
__device__ T larger(const T& a, const T& b) {
  return a < b ? b : a;
}
template <typename T, typename U>
__device__ typename std::common_type<T, U>::type larger(const T& a, const U& b) {
  return a < b ? a * 10 : b * 10;
}
template <typename T, typename std::enable_if<std::is_same<T, int>::value>::type* = nullptr>
__device__ int halved(T v) {
  return v >> 1;
}
template <typename T, typename std::enable_if<!std::is_same<T, int>::value>::type* = nullptr>
__device__ T halved(T v) {
  return v * T(0.5);
}

template <int N>
__device__ float scaled(float x);
template <>
__device__ float scaled<3>(float x) {
  return 3 * x;
}
template <>
__device__ float scaled<4>(float x) {
  return 4 * x + 1;
}

template <typename Out, typename A, typename B>
__device__ Out mixed(A a, B b);
template <>
__device__ float mixed<float, int>(int a, float b) {
  return a * b;
}
template <>
__device__ float mixed<float, float>(float a, float b) {
  return a - b;
}

template <typename T>
struct Sum {
  static __device__ T of(T a, T b) { return a + b; }
};
template <typename T>
struct Product {
  static __device__ T of(T a, T b) { return a * b; }
};
__device__ float of(float a) {  // beside the structs' own
  return a;
}
template <typename F, typename T>
__device__ T folded(T a, T b) {
  return F::of(a, F::of(b, b));
}

template <typename T, typename U>
__device__ float added(T&& a, U&& b) {
  return a + b;
}

namespace outer {
constexpr int SPAN = 11;
namespace near {
constexpr int SPAN = 13;  // another near than the file's
}
__device__ int spans() {
  return near::SPAN + 100 * far::SPAN + 1000 * SPAN;
}
}  // namespace outer
namespace far {
__device__ int only_far(int x) {
  return x + 4;
}
}  // namespace far
using far::only_far;
__device__ int first_of_two() {
  struct Pair {
    int v[3];
  };
  enum { COUNT = 4 };
  return sizeof(Pair) / 4 + COUNT;
}
__device__ int second_of_two() {
  struct Pair {
    int v[5];
  };
  enum { COUNT = 9 };
  using far::moved;
  return sizeof(Pair) / 4 + COUNT + static_cast<int>(moved(2));
}
template <typename T>
struct Pointed {
  static constexpr int kind = 1;
};
template <typename T>
struct Pointed<T*> {
  static constexpr int kind = 2;
};
template <typename T>
struct Pointed<const T*> {
  static constexpr int kind = 3;
};

__global__ void names_and_overloads(const float* in, const near::Step* steps, const far::Step* far_steps,
                                    float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i] + near::moved(1) + far::moved(2) + moved(3) + near::inner::twice_moved(1);
  x += near::SPAN + 10 * far::SPAN + 100 * far::RIGHT + 1000 * RIGHT;
  x += steps[i].length + by(far_steps[i]);
  Two<float> pair{in[i], 2};
  x += total(pair) + total(in[i]) + kind(x) + 10 * kind(&x) + 100 * kind(in);
  x += larger(in[i], 0.5f) + static_cast<float>(larger(in[i], 0.25));
  x += halved(i) + halved(x) + scaled<3>(x) + scaled<4>(in[i]);
  x += folded<Sum<float>>(x, 2.0f) + folded<Product<float>>(of(in[i]), 3.0f) + added(x, 1.0f) + added(2, in[i]);
  x += mixed<float>(i, in[i]) + mixed<float, float>(in[i], 2.0f);
  x += outer::spans() + only_far(1) + first_of_two() + 10 * second_of_two();
  x += Pointed<int>::kind + 10 * Pointed<int*>::kind + 100 * Pointed<const int*>::kind;
  union {
    float number;
    unsigned bits;
  } word;
  word.number = in[i];
  const float weights[3] = {0.5f, 0.25f, 2.0f};
  float sum = 0;
  for (float weight : weights) sum += weight * in[i];
  for (const auto& weight : weights) {
    if (weight > 1) break;
    sum -= weight;
  }
  int counts[2][2] = {{1, 2}, {3, 4}};
  for (auto& row : counts)
    for (int& count : row) count *= 2;
  out[i] = x + sum + (word.bits & 255u) + counts[0][1] + counts[1][1];
}

// ---- host
int main() {
  const float* in = nullptr;
  const near::Step* steps = nullptr;
  const far::Step* far_steps = nullptr;
  float* out = nullptr;
  const int n = 150;
  names_and_overloads<<<(n + 63) / 64, 64>>>(in, steps, far_steps, out, n);
}
