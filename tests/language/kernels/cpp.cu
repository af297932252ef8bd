// What C++ says of literals, operators, casts, templates, statements, declarations and macros. The simulator runs it, and
// the host's compiler: both must leave the same numbers.

// ---- the preprocessor

#define WIDTH 3
#define AREA (WIDTH * HEIGHT)
#define HEIGHT 2
#define TWICE(x) ((x) * 2)
#define SAME(x) x
#define EMPTY()
#define ONE() 1
#define PAIR(a, b) a + b
#define SUM(a, b) \
  a + /* and */ \
  b  // done
#define PASTE(a, b) a##b
#define PASTE_BOTH(a, b) PASTE(a, b)
#define LEFT le
#define RIGHT ft
#define LENGTH(x) sizeof(#x)
#define REST(first, ...) total(first, ##__VA_ARGS__)
#define ALL(...) total(__VA_ARGS__)
#define FUNCTION(x) (x * 2)
#define OBJECT FUNCTION
#ifndef PADDING
#define PADDING 1
#endif

__device__ int total(int a = 1, int b = 20, int c = 300) { return a + b + c; }
__device__ int turned(int x) { return x * 7; }

__global__ void preprocessed(long long* out) {
  int n = 5, left = 6, SAME = 8;
  *out++ = AREA, *out++ = TWICE(3) * TWICE(TWICE(n)), *out++ = SAME, *out++ = SAME (4);
  *out++ = EMPTY() ONE(), *out++ = PAIR((1, 2), 3) * 2;
  *out++ = SUM(1,
               2) * 3, *out++ = 1\
2;
  *out++ = PASTE_BOTH(LEFT, RIGHT), *out++ = PASTE(, 3), *out++ = LENGTH(n + "b");
  *out++ = REST(2), *out++ = REST(2, 3, 4), *out++ = ALL(), *out++ = OBJECT(3), *out++ = PADDING;
  int PASTE(n, 1) = 9;
  *out++ = n1;
#define left right + left
#define right left * 2
  *out++ = n1 + left;  // and no further
#undef left
#define turned(x) turned(x + 1)
  *out++ = turned(1);
#undef turned
#define n 11
  *out++ = n;
#undef n
  *out++ = n;
#define n 12
  *out++ = n;
#undef n
#ifdef NOWHERE
#if 1 / 0
#error no
#else
"open
#endif
#include <nothing>
#else
  *out++ = 13;
#endif
#if 1
#if 0
  *out++ = 0;
#else
  *out++ = 14;
#endif
#elif 1 / 0
#endif
#if WIDTH == 1
  *out++ = 1;
#elif WIDTH == 3
  *out++ = 2;
#elif WIDTH == 3 || HEIGHT == 2
  *out++ = 3;
#else
  *out++ = 4;
#endif
  *out++ = INT_MAX, *out++ = UINT_MAX, *out++ = FLT_MAX > 3.4e38f;
  *out++ = __LINE__;
}

// ---- literals

// How wide, whether it has a sign, whether it has parts.
template <typename T>
__device__ int kind(T) {
  return sizeof(T) * 100 + (static_cast<T>(-1) > static_cast<T>(0)) * 10 + (static_cast<T>(0.5) > static_cast<T>(0));
}

template __device__ int kind<short>(short);

__global__ void literals(long long* out, double* real) {
  *out++ = 0x2A, *out++ = 0b101010, *out++ = 052, *out++ = 1'000'000, *out++ = 0;
  *out++ = kind(42), *out++ = kind(7u), *out++ = kind(7UL), *out++ = kind(7llu), *out++ = kind(2147483647);
  *out++ = kind(2147483648), *out++ = 2147483648;  // decimal: never unsigned int
  *out++ = kind(0x7fffffff), *out++ = kind(0xffffffff), *out++ = 0xffffffff;
  *out++ = kind(0x100000000), *out++ = kind(4294967296u), *out++ = kind(0xffffffffffffffff), *out++ = 0xffffffffffffffff;
  *out++ = kind(1.5), *out++ = kind(1.f), *out++ = kind('a'), *out++ = kind(true);
  *real++ = 1.5, *real++ = 1.f, *real++ = .5e-1F, *real++ = 1e3, *real++ = 0x1.8p1f;
  *real++ = 1.00000005960464477539062500000001f;  // rounded once: through double it would be 1
  *out++ = 'a', *out++ = '\n', *out++ = '\x41', *out++ = '\0', *out++ = sizeof("a" "b"), *out++ = sizeof(R"x(a\n)" )x");
}

// ---- operators, casts, names

struct Pair {
  int first, second;
};
struct Node {
  int value, values[4];
  Pair pair;
  Node* next;
  __device__ int* at(int a, int b) { return values + a + b; }
};
template <int W, typename T>
__device__ T loaded(const T* p) {
  return p[W];
}
template <bool B, typename T>
__device__ int chosen(T p) {
  return B ? p[1] : -1;
}

__global__ void operators(long long* out, double* real) {
  int a = 13, b = 6, c = 5, d = 3, e = 9, f = 2, x[4] = {40, 41, 42, 43}, *p = x, *q = x + 2;
  *out++ = a + b * c - d, *out++ = a << 1 + 2 < b, *out++ = (a & b == c | d ^ e), *out++ = (a || b && !c);
  *out++ = (a = b += c ? d : e, f), *out++ = a, *out++ = b;
  *out++ = (a ? b : c ? d : e), *out++ = (a - b - c), *out++ = (a >> 3 >= 1), *out++ = (a >>= b >> 1), *out++ = a;
  *p++ = *&*q, *out++ = x[0], *out++ = p - x, *out++ = *++p, *out++ = *p--, *out++ = (*p)++, *out++ = x[1];
  *out++ = -x[2]-- - -x[3], *out++ = x[2], *out++ = ~c % 4, *out++ = -7 / 2 * 10 + -7 % 3;
  Node last{1, {2, 3, 4, 5}, {6, 7}, nullptr}, node{8, {}, {9, 10}, &last}, *at = &node;
  *out++ = -at->next->pair.second++, *out++ = last.pair.second, *out++ = at->next->at(1, 2)[-1], *out++ = (&last)[0].pair.first;
  *out++ = (a and not b or c xor d), *out++ = (a bitand b bitor compl c);
  *real++ = (float)a * 0.5, *real++ = float(a) / 2 + int(3.7f), *real++ = static_cast<int>(2.9) + const_cast<int*>(p)[1];
  *out++ = (unsigned long long int)-1 > 5, *out++ = ((Pair*)x)[1].first, *out++ = (*(const Pair*)&x[2]).second;
  *out++ = reinterpret_cast<Pair*>(&x[1])[0].second, *out++ = Pair{1, 2}.second, *out++ = (d) * f, *out++ = (d)-1;
  *out++ = sizeof(float) * sizeof a + sizeof(x[0]);
  int half = e / 2;  // a variable that is called as a type is a variable
  *out++ = (half) * 2, *out++ = (half)-2;
  *out++ = loaded<2>(x), *out++ = loaded<(4 > 2), int>(x) > 3, *out++ = chosen<(2 > 4)>(x), *out++ = chosen<true>(x);
  if (c < d && d > (3)) *out++ = 1;
  bool less = c < 3, more = d > (2);
  *out++ = less * 2 + more, *out++ = ((c < d) > 3), *out++ = std::min(a, std::max(c, 1));
}

// ---- statements

__global__ void statements(long long* out) {
  int n = 5, m = 0;
  if (n) m = 1; else if (m) { n = 2; } else ;
  *out++ = m;
  if constexpr (4 > 3) m = 2;
  for (int i = 0, j = 1; i < n; ++i, j *= 2) { if (i == 2) continue; m += j; }
  *out++ = m;
  for (;;) break;
  for (n = 0;; n++) { if (n > 6) break; }
  while (n > 1) n >>= 1;
  do { n--; } while (n > 0); ;
  *out++ = n;
#pragma unroll 4
  for (;;) if (++n > 3) break;
  [[maybe_unused]] int unused; if (n) [[likely]] n = 40;
  *out++ = n;
  for (int way = 0; way < 9; ++way)
    switch (way) { case 1: case 1 + 1: m = 1; break; default: { m += 2; } case 7: m += 100; }
  *out++ = m;
  if (int x = n) *out++ = x;
  if (int x = n; x > 50) *out++ = x; else *out++ = x + 1;
  switch (int x = n) { case 40: *out++ = x; }
  n * m; n & m; n < m; Node{};
  again: *out++ = 15;
}

// ---- declarations

template <int BX, const unsigned BY = (BX > 4), typename T = float, class U = Pair, bool B = true>
__device__ __forceinline__ int parameters(const T* __restrict__ a, float b[], int c[][2], int (*d)[2], int = 3,
                                              const T* const none = nullptr) {
  T x = T(BX);
  return x + BY + sizeof(U) + B + a[0] + b[1] + c[0][1] + d[1][0] + (none == nullptr);
}
__device__ auto trailing() -> int;
static __device__ int trailing(int x) noexcept;
[[nodiscard]] inline __device__ __attribute__((always_inline)) int trailing(int x) noexcept { return x + trailing(); }
__device__ auto trailing() -> int { return 17; }
__device__ Pair operator+(Pair a, const Pair& b) { return {a.first + b.first, a.second + b.second}; }
constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }
constexpr int product(int n) { int r = 1; for (int i = 2; i <= n; i++) r *= i; return r; }
constexpr int digits(unsigned n) { int r = 0; do { r++; } while (n /= 10); return r; }
constexpr int divisor(int n) { for (int d = 2; d < n; ++d) { if (n % d) continue; return d; } return n; }
template <int N> struct Smallest { static constexpr int value = divisor(N); };
constexpr int kN = 1 << 4;
const int kA = 2, kB = kA;
__constant__ int table[4] = {1};
using Real = double;
typedef unsigned long long int Wide;
enum Mode { First, Fourth = 4, Fifth };
enum class Small : unsigned char { Letter };
typedef struct { int a; } Unnamed;
struct Config {
  static constexpr int BM = 4, BN = BM * 2;
  float tile[BN] = {};
  float x;
  __device__ Config(float v) : x{v} {}
  __device__ float norm() const { return x * x; }
};
namespace outer {
namespace b::c {
__device__ int deep() { return 18; }
}
namespace {
__device__ int unnamed() { return b::c::deep() + outer::b::c::deep(); }
}
}

__global__ void declarations(long long* out, double* real) {
  int n = 5, x = 1, *p = &x, **q{&p}, y(2);
  const unsigned u = 1u; unsigned int const v = u;
  auto w = n; auto* s = &w; const auto& r = w;
  constexpr int K = 3; static const int L = K;
  volatile int* z = &x;
  *out++ = **q + y + u + v + *s + r + L + *z;
  long unsigned int long a1 = -1; short int unsigned a2 = -1; signed a3 = -1; char unsigned a5 = -1; signed char a6 = -1;
  int const long a7 = -1;
  *out++ = kind(a1), *out++ = kind(a2), *out++ = kind(a3), *out++ = kind(a5), *out++ = kind(a6), *out++ = kind(a7);
  float t[4][2] = {{0.5f}, {1, 2,}}; int k[] = {1, 2}, rows[2][2] = {{1, 2}, {3, 4}}; float empty[3] = {};
  *real++ = t[0][0] + t[1][1] + t[3][0] + empty[2], *out++ = sizeof(k) + k[1];
  using T = float; typedef unsigned int U; T one = T(1); U two = (U)-2;
  *real++ = one, *out++ = two;
  struct Local { int a, b[2]; } local = {1}; local.b[1] = 4;
  *out++ = local.a + local.b[0] + local.b[1];
  *out++ = parameters<5>(t[1], t[1], rows, rows), *out++ = parameters<1, 9, float, int, false>(t[0], t[1], &rows[1], rows);
  *out++ = trailing(2), *out++ = (Pair{1, 2} + Pair{3, 4}).second, *out++ = ceil_div(10, 4), *out++ = kN + kB + table[0] + table[3];
  *out++ = First + Fourth * 10 + Fifth * 100, *out++ = sizeof(Small) + static_cast<int>(Small::Letter), *out++ = Unnamed{19}.a;
  switch (static_cast<Small>(x - 1)) { case Small::Letter: *out++ = 20; break; default: *out++ = 21; }
  int BM = 1;
  *out++ = Config::BM + Config::BN + BM + sizeof(Config), *real++ = Config(3).norm(), *out++ = sizeof(Real) + sizeof(Wide);
  *out++ = outer::unnamed();
  static_assert(digits(99) == 2, "");
  constexpr int factorial = product(5) + 1;
  int numbers[digits(1234)] = {factorial};
  *out++ = numbers[0] + (int)sizeof(numbers) + Smallest<35>::value;
}

// ---- types that look alike and are not, and where members lie

template <class T> struct Name { static constexpr int value = 0; };
template <> struct Name<char> { static constexpr int value = 1; };
template <> struct Name<signed char> { static constexpr int value = 2; };
template <> struct Name<unsigned char> { static constexpr int value = 3; };
template <> struct Name<int> { static constexpr int value = 4; };
template <class T> __device__ int name_by(T) { return Name<T>::value; }
__device__ int overload(int) { return 10; }
__device__ int overload(char) { return 11; }
__device__ int overload(signed char) { return 12; }
__device__ int overload(unsigned char) { return 13; }
__device__ int pointed(int) { return 20; }
__device__ int pointed(int*) { return 21; }

constexpr int kSixteen = 16;
struct Late { float x; alignas(16) int end; };
struct Behind { int x alignas(16); int end; };
struct Gnu { int x, y, end; } __attribute__((aligned(16)));
struct __attribute__((aligned)) Most { char x; int end; };
struct alignas(kSixteen) Named { float x, y; int end; };
struct alignas(sizeof(float) * 4) Sum { float x, y; int end; };
struct alignas(double) AsDouble { int x, y, end; };
struct alignas(8) Nothing {};
struct Holds { char x; Nothing nothing; char end; };
template <typename T>
__device__ void place(long long*& out) {
  T held = {};
  *out++ = sizeof(T), *out++ = (char*)&held.end - (char*)&held;
}

__global__ void types(long long* out) {
  auto c = 'x';
  const int* p = nullptr;
  auto none = nullptr;
  int x = 0, *q = &x;
  *out++ = sizeof(c), *out++ = sizeof('x' + 'y'), *out++ = name_by('x'), *out++ = name_by((signed char)1);
  *out++ = name_by((unsigned char)1), *out++ = name_by('x' + 1), *out++ = overload('x'), *out++ = overload((signed char)'x');
  *out++ = overload((char)200), *out++ = overload(static_cast<short>(1)), *out++ = sizeof(nullptr), *out++ = sizeof(none);
  *out++ = pointed(nullptr), *out++ = pointed(0), *out++ = p == nullptr, *out++ = nullptr != p ? 1 : 2;
  *out++ = (q != nullptr ? q : nullptr) == q, *out++ = '\xff', *out++ = '\xff' < 0;
  *out++ = sizeof(L'x') * 100 + sizeof(u'x') * 10 + sizeof(U'x'), *out++ = L'\xff', *out++ = u'x' - U'y' < 0, *out++ = u8'z';
  switch (c) { case 'w': *out++ = 1; break; case 'x': *out++ = 2; break; }
  signed char s = 127;
  s += 1;
  *out++ = s;
  place<Late>(out), place<Behind>(out), place<Gnu>(out), place<Most>(out), place<Named>(out), place<Sum>(out);
  place<AsDouble>(out), place<Holds>(out);
}

// ---- host

int main() {
  long long* out;
  double* real;
  cudaMalloc(&out, 128 * sizeof(long long));
  cudaMalloc(&real, 32 * sizeof(double));
  preprocessed<<<1, 1>>>(out);
  literals<<<1, 1>>>(out, real);
  operators<<<1, 1>>>(out, real);
  statements<<<1, 1>>>(out);
  declarations<<<1, 1>>>(out, real);
  types<<<1, 1>>>(out);
}
