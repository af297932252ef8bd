// Names that templates make: variables and aliases with parameters, types that are worked out.
constexpr int WARP = 32;
constexpr unsigned int TILES((96 - 1) / (WARP - 1));

template <typename T>
constexpr T LARGEST = T(1000);
template <typename T, int N>
__constant__ T weights[N] = {T(1), T(2), T(3)};
template <typename Key, typename Value>
constexpr Value EMPTY = ~Value(0) - sizeof(Key);

template <typename T, int N>
struct Array {
  T item[N];
  __device__ T& operator[](int i) { return item[i]; }
};
template <int N>
using Floats = Array<float, N>;
using Row = float[4];
typedef int Pair[2];

template <typename T>
struct Limits {
  Limits() = default;
  __device__ explicit Limits(T most) : high(most), low(T(0)) {}
  T high, low;
};

template <bool WIDE>
using Word = std::conditional_t<WIDE, long long, int>;

template <typename T>
__device__ T scaled(T x) {
  if constexpr (std::is_same_v<T, unsigned>)
    return x * 2;
  else if constexpr (std::is_floating_point<T>::value)
    return x * T(0.5);
  else
    return x + 1;
}

struct Range {
  int begin, end, step = 1;
  float scale;
};

template <typename T, bool WIDE>
__global__ void names(const T* __restrict__ in, float* out, unsigned* words, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Floats<4> few;
  Row row = {1.0f, 2.0f, 4.0f, 8.0f};
  Pair pair = {i % 4, i % 3};
  for (int k = 0; k < 4; ++k) few[k] = row[k] * weights<float, 3>[k % 3];
  Limits<T> limits;
  limits.high = LARGEST<T>;
  limits.low = T(1);
  Limits<T> small(T(3));
  const Range range = {.begin = pair[0], .end = 4, .scale = 0.25f};
  decltype(in[i] * 2) sum = 0;
  for (int k = range.begin; k < range.end; k += range.step) sum += few[k] * range.scale;
  Word<WIDE> wide = i;
  wide <<= 31;
  out[i] = static_cast<float>(sum + scaled(in[i]) + limits.low + small.high - limits.high);
  words[i] = scaled(static_cast<unsigned>(i)) + static_cast<unsigned>(wide >> 30) + EMPTY<char, unsigned short> +
             alignof(double) + alignof(Range) + TILES + scaled(pair[1]);
}

// ---- host
int main() {
  const int n = 150;
  names<float, true><<<(n + 63) / 64, 64>>>(in, out, words, n);
  names<int, false><<<(n + 63) / 64, 64>>>(numbers, out, words, n);
}
