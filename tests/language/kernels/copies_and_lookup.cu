// Structs that count their copies, names that are declared behind their use, bases that a template's plain
// names do not reach, specialisations that a condition chooses.
#include <cstdint>
#include <type_traits>

// ---- copies

struct Counted {
  int copies = 0;
  float v;
  __device__ explicit Counted(float x) : v(x) {}
  __device__ Counted(const Counted& other) : copies(other.copies + 1), v(other.v) {}
};
struct Holder {
  Counted part;
  int weight;
  __device__ Holder(float x) : part(x), weight(2) {}
};
__device__ Counted made(float x) {
  Counted one(x);
  one.v += 1;
  return one;  // made where the result is to be
}
__device__ Counted either(bool first) {
  Counted a(1), b(2);
  if (first) return a;
  return b;
}
__device__ Counted given_back(Counted given) {
  return given;
}
__device__ Counted part_of(const Holder& holder) {
  return holder.part;
}
__device__ int copies_of(Counted by_value) {
  return by_value.copies;
}
__device__ int copies_seen(const Counted& by_reference) {
  return by_reference.copies;
}

// ---- conversions

struct Length {
  int taken;
  __device__ Length(double) : taken(1) {}
  __device__ explicit Length(int) : taken(2) {}
};
__device__ int taken(const Length& length) {
  return length.taken;
}
struct Sum {
  __device__ int operator+(int) const { return 3; }
};
__device__ int operator+(Sum, double) {
  return 5;
}

// ---- long and long long

template <typename T>
struct Rank {
  static const int value = 1;
};
template <>
struct Rank<long> {
  static const int value = 2;
};
template <>
struct Rank<long long> {
  static const int value = 3;
};
__device__ int width(unsigned long) {
  return 4;
}
__device__ int width(unsigned long long) {
  return 5;
}

// ---- where names are declared

__device__ int chosen(long) {
  return 1;
}
__device__ int early() {
  return chosen(1);
}
template <typename T>
__device__ int early_template(T x) {
  return chosen(x);
}
__device__ int chosen(int) {
  return 7;
}
__device__ int late() {
  return chosen(1);
}
namespace room {
__device__ int before() {
  return chosen(1) + 100;
}
__device__ int chosen(int) {
  return 9;
}
__device__ int after() {
  return chosen(1) + 100;
}
const int SIZE = 3;
}  // namespace room
namespace other_room {
const int SIZE = 5;
}

// ---- bases

__device__ int named() {
  return 3;
}
const int COUNT = 5;
template <typename T>
struct Base {
  static const int COUNT = 2;
  __device__ int named() { return 6; }
  __device__ int taken(int) { return 8; }
};
template <typename T>
struct Derived : Base<T> {
  __device__ int plain() { return named() + COUNT; }
  __device__ int own() { return this->named() + Base<T>::COUNT; }
};

// ---- templates

template <typename T, typename = void>
struct Sized {
  static const int value = 1;
};
template <typename T>
struct Sized<T, typename std::enable_if<sizeof(T) == 8>::type> {
  static const int value = 2;
};
template <typename T, typename = void>
struct Typed {
  static const int value = 3;
};
template <typename T>
struct Typed<T, std::void_t<typename T::type>> {
  static const int value = 4;
};
struct WithType {
  using type = int;
};
template <typename T, int N>
struct Block {};
template <typename T>
struct Inside {
  static const int value = 1;
};
template <typename T, int N>
struct Inside<Block<T, N>> {
  static const int value = N + static_cast<int>(sizeof(T));
};
template <typename T>
__device__ int constness(T&&) {
  return std::is_const<std::remove_reference_t<T>>::value ? 10 : 20;
}
__device__ int overloaded(const int&) {
  return 30;
}
template <typename T>
__device__ int overloaded(T&&) {
  return 40;
}
template <typename T>
__device__ int referred(T&) {
  return 50;
}
template <typename T>
__device__ int referred(const T&) {
  return 60;
}

__global__ void copies_and_lookup(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Counted first(in[i]);
  const Counted second = first;
  Counted third(second), fourth{third};
  auto fifth = fourth;
  Counted pair[2] = {fifth, Counted(1)};
  Holder holder(in[i]);
  Holder again = holder;
  auto seen = [=]() { return first.copies; };
  Counted chosen_one = in[i] > 0 ? first : holder.part;
  int sum = second.copies + 10 * fifth.copies + 100 * pair[0].copies + 1000 * pair[1].copies;
  sum += again.part.copies + 10 * copies_of(first) + 100 * copies_seen(first) + 1000 * seen();
  sum += chosen_one.copies + 10 * made(in[i]).copies + 100 * either(in[i] > 0).copies;
  sum += 1000 * given_back(first).copies + 10000 * part_of(holder).copies + copies_of(Counted(3));

  Length length = 1;
  sum += length.taken + 10 * Length(1).taken + 100 * taken(2);
  sum += (Sum() + 1) + 10 * (Sum() + 1.0);

  const std::uint64_t bits = 3;
  sum += Rank<long>::value + 10 * Rank<long long>::value + 100 * Rank<decltype(1L + 1)>::value +
         1000 * Rank<decltype(1LL + 1L)>::value + 10000 * Rank<decltype(in - in)>::value;
  sum += width(bits) + 10 * width(bits * 2) + 100 * width(sizeof(int)) + 1000 * width(1ull << 3) +
         10000 * width(bits * 2ull);
  sum += std::is_same<std::size_t, unsigned long long>::value ? 1 : 2;

  sum += early() + 10 * early_template(1) + 100 * late() + room::before() + 10 * room::after();
  {
    using namespace room;
    sum += SIZE;
  }
  {
    using namespace other_room;
    sum += 10 * SIZE;
  }
  Derived<float> derived;
  sum += derived.plain() + 10 * derived.own() + 100 * derived.taken(1);

  sum += Sized<double>::value + 10 * Sized<float>::value + 100 * Typed<WithType>::value +
         1000 * Typed<int>::value;
  sum += Inside<Block<short, 5>>::value + 100 * Inside<int>::value;
  int changed = 3;
  const int fixed = 4;
  sum += constness(changed) + 10 * constness(fixed) + 100 * constness(5);
  sum += overloaded(changed) + 10 * overloaded(fixed) + referred(changed) + 10 * referred(fixed);
  decltype((changed)) reference = changed;
  decltype(changed) copy = changed;
  float held[2] = {1, 2};
  decltype(held[0]) element = held[1];
  reference = 8;
  element += 5;
  out[i] = static_cast<float>(sum % 65536 + changed + copy) + held[1];
}

// ---- host
int main() {
  const float* in = nullptr;
  float* out = nullptr;
  const int n = 150;
  copies_and_lookup<<<(n + 63) / 64, 64>>>(in, out, n);
}
