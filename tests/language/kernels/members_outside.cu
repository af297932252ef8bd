// Members that are defined behind their struct, under the struct's names and under others.
namespace shapes {

template <class T, int N>
class Span {
 public:
  __host__ __device__ Span();
  __host__ __device__ Span(T low, T high);
  template <class U>
  __host__ __device__ explicit Span(const U* ends);
  __host__ __device__ T width() const;
  __host__ __device__ T width(T scale) const;
  __host__ __device__ Span& operator+=(const Span& other);
  __host__ __device__ T operator[](int i) const;
  __host__ __device__ operator T() const;
  template <class U, int STEP = 2>
  __host__ __device__ U stepped(U from) const;
  static __host__ __device__ T unit(T x = T(3));

 private:
  T low_, high_;
};

// The parameters have other names here.
template <class Number, int COUNT>
inline __host__ __device__ Span<Number, COUNT>::Span() : low_(0), high_(COUNT) {}
template <class Number, int COUNT>
inline __host__ __device__ Span<Number, COUNT>::Span(Number low, Number high) : low_(low), high_{high} {}
template <class Number, int COUNT>
template <class Other>
inline __host__ __device__ Span<Number, COUNT>::Span(const Other* ends)
    : low_(Number(ends[0])), high_(Number(ends[1])) {}
template <class T, int N>
__host__ __device__ T Span<T, N>::width(T scale) const {
  return width() * scale;
}
template <class T, int N>
__host__ __device__ T Span<T, N>::width() const {
  return high_ - low_;
}
template <class A, int B>
__host__ __device__ Span<A, B>& Span<A, B>::operator+=(const Span<A, B>& other) {
  low_ += other.low_;
  high_ += other.high_ * B;
  return *this;
}
template <class T, int N>
__host__ __device__ T Span<T, N>::operator[](int i) const {
  return i % N == 0 ? low_ : high_;
}
template <class T, int N>
__host__ __device__ Span<T, N>::operator T() const {
  return low_ * high_;
}
template <class A, int B>
template <class U, int STEP>
__host__ __device__ U Span<A, B>::stepped(U from) const {
  A sum = low_;
  for (int i = 0; i < B; i += STEP) sum += A(i);
  return from + U(sum);
}
template <class T, int N>
__host__ __device__ T Span<T, N>::unit(T x) {
  return x + T(N);
}

}  // namespace shapes

// A struct without a template, and one in it.
struct Counter {
  struct Step {
    int by;
    __host__ __device__ Step(int n);
    __host__ __device__ int twice() const;
  };
  int value;
  __host__ __device__ Counter(int start);
  __host__ __device__ void take(const Step& step);
  template <int TIMES>
  __host__ __device__ int repeated() const;
  __host__ __device__ int of(float x) const;  // defined in the other order
  __host__ __device__ float of(int x, int by = 2) const;
  __host__ __device__ static float of(float x, float by);
};
__host__ __device__ float Counter::of(float x, float by) { return x * by; }
__host__ __device__ float Counter::of(int x, int by) const { return (value + x) * 0.5f * by; }
__host__ __device__ int Counter::of(float x) const { return int(x * value); }
__host__ __device__ Counter::Counter(int start) : value(start) {}
__host__ __device__ Counter::Step::Step(int n) : by(n + 1) {}
__host__ __device__ int Counter::Step::twice() const { return 2 * by; }
__host__ __device__ void Counter::take(const Step& step) { value += step.twice(); }
template <int TIMES>
__host__ __device__ int Counter::repeated() const {
  return value * TIMES;
}
template <class T>
struct Grid {
  struct Cell {
    T weight;
    __host__ __device__ T squared() const;
  };
  __host__ __device__ T of(T x) const;
};
template <class T>
__host__ __device__ T Grid<T>::Cell::squared() const {
  return weight * weight;
}
template <class T>
__host__ __device__ T Grid<T>::of(T x) const {
  Cell cell{x};
  return cell.squared();
}

// Those of a struct that is itself specialised.
template <class T, int N>
struct Loader;
template <class T>
struct Loader<T, 2> {
  __host__ __device__ T load(const T* from) const;
};
template <>
struct Loader<float, 1> {
  __host__ __device__ float load(const float* from) const;
};
template <class U>
__host__ __device__ U Loader<U, 2>::load(const U* from) const {
  return from[0] + from[1];
}
__host__ __device__ float Loader<float, 1>::load(const float* from) const { return from[0]; }

// Specialised inside of another template: which one it is, that one's parameter says.
enum Order { Straight, Backwards };
template <typename T, int THREADS, Order ORDER>
class Reader {
  template <Order O, int UNUSED>
  struct Way;
  template <int UNUSED>
  struct Way<Straight, UNUSED> {
    __host__ __device__ T at(const T* from, int i) { return from[i]; }
  };
  template <int UNUSED>
  struct Way<Backwards, UNUSED> {
    __host__ __device__ T at(const T* from, int i) { return from[THREADS - 1 - i]; }
  };
  typedef Way<ORDER, 0> Chosen;

 public:
  __host__ __device__ T at(const T* from, int i) { return Chosen().at(from, i); }
};

__global__ void outside(const float* in, float* out, int* numbers, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float ends[2] = {in[i], in[i + 1]};
  shapes::Span<float, 4> all, some(in[i], 2.0f), read(ends);
  some += all;
  some += read;
  out[i] = some.width() + some.width(0.5f) + some[i] + float(read) + read.stepped<float>(in[i]) +
           all.stepped<double, 1>(2.0) + shapes::Span<float, 4>::unit() + shapes::Span<float, 4>::unit(1.0f);
  Counter counter(i);
  counter.take(Counter::Step(3));
  out[i] += counter.of(in[i]) / 2 + counter.of(3) / 2 + Counter::of(in[i], 0.5f);
  Grid<float>::Cell cell{in[i]};
  out[i] += Grid<float>().of(in[i]) + cell.squared() + Loader<float, 1>().load(in + i) +
            Loader<float, 2>().load(in + i) + Reader<float, 64, Backwards>().at(in, i % 64) +
            Reader<float, 64, Straight>().at(in, i % 64);
  numbers[i] = counter.repeated<2>();
}

// ---- host
int main() { outside<<<2, 64>>>(in, out, numbers, 100); }
