// What types have to meet, arrays as parameters of templates, lambdas with template parameters, a destructor that
// does nothing.
#include <concepts>

template <typename T, typename... Types>
concept OneOf = (std::same_as<T, Types> || ...);
template <typename T>
concept Number = OneOf<T, int, float> && requires(T a, T b) { a + b; };

template <typename T>
  requires Number<T> && (sizeof(T) == 4)
struct Sum {
  T value = 0;
  __device__ ~Sum() {}
  template <std::integral I>
  __device__ void add(T x, I times) {
    value += x * times;
  }
};

template <Number T, int N>
__device__ T dot(const T a[N], const T (&b)[N]) {
  Sum<T> sum;
  for (int i = 0; i < N; ++i) sum.add(a[i], int(b[i]));
  return sum.value;
}

// `T sums[2]` and `T rows[][4]` are pointers.
template <typename T>
__device__ void into(const T rows[][4], T sums[2], int row)
  requires std::floating_point<T>
{
  const T steps[4] = {1, 2, 3, 4};
  sums[row] += dot<T, 4>(rows[row], steps);
}

template <typename T>
using Function = T (*)(T);
template <typename T>
__device__ T halved(T x) {
  return x / 2;
}
template <typename T, Function<T> f>
__device__ T applied(T x) {
  return f(x);
}

template <Number T>
__global__ void constrained(const T* in, T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 8 > n) return;
  T rows[2][4], sums[2][2] = {};
  for (int k = 0; k < 8; ++k) rows[k / 4][k % 4] = in[i + k];
  into(rows, sums[0], 0);
  into(rows, sums[1], 1);
  const auto raised = [&]<int BY, typename U>(U x) { return x + U(BY) + rows[0][0]; };
  out[i] = raised.template operator()<3>(sums[0][0]) - applied<T, halved>(sums[1][1]);
}

// ---- host
int main() { constrained<float><<<2, 64>>>(in, out, 128); }
