// Base classes: their members, functions, types and constructors, where they lie; and partial specialisations.
struct Point {
  using Scalar = float;
  static constexpr int AXES = 2;
  float x, y;
  __host__ __device__ Point(float a, float b) : x(a), y(b) {}
  __host__ __device__ float sum() const { return x + y; }
  __host__ __device__ static int axes() { return AXES; }
};
struct Tag {
  __host__ __device__ int number() const { return 7; }
};
struct Moving : public Point, private Tag {
  float speed;
  __host__ __device__ explicit Moving(float a) : Point(a, 1.0f), speed(a * 2) {}
  __host__ __device__ float all() const { return sum() + speed + x + Point::sum() + Point::axes() + number(); }
};

template <typename T>
struct Holder {
  T value;
  __host__ __device__ explicit Holder(T v) : value(v) {}
  __host__ __device__ T get() const { return value; }
};
template <typename T>
struct Scaled : Holder<T> {
  using Holder<T>::get;
  int times;
  __host__ __device__ Scaled(T v, int n) : Holder<T>(v), times(n) {}
  __host__ __device__ T product() const { return this->get() * times + Holder<T>::get() + this->value; }
};

// The int lies in the padding of the base, which is no plain old data.
class Padded {
 public:
  __host__ __device__ Padded() : wide(1.5), narrow(2) {}
  double wide;
  int narrow;
};
struct Filled : Padded {
  int more = 3;
};
struct PlainPadded {
  double wide;
  int narrow;
};
struct Behind : PlainPadded {
  int more;
};

template <typename Self>
struct Doubles {
  __host__ __device__ float doubled() const { return 2 * static_cast<const Self*>(this)->once(); }
};
struct Single : Doubles<Single> {
  float v;
  __host__ __device__ float once() const { return v; }
};

__host__ __device__ inline float by_reference(const Point& p) { return p.x - p.y; }
__host__ __device__ inline void move(Point& p) { p.y += 3.0f; }
__host__ __device__ inline float by_pointer(const Tag* tag, const Point* p) { return p->x * tag->number(); }

__global__ void derived(const float* in, float* out, Behind* kept, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Moving moving(in[i]);
  move(moving);
  Scaled<float> scaled(2.0f, i);
  Filled filled;
  Single single;
  single.v = in[i];
  Moving::Scalar sum = moving.all() + by_reference(moving) + scaled.product() + filled.narrow + filled.more;
  sum += single.doubled() + Moving::AXES + by_pointer(reinterpret_cast<Tag*>(&moving), &moving);
  out[i] = sum + sizeof(Moving) * 100 + sizeof(Filled) * 1000 + sizeof(Behind) * 10000;
  kept[i].wide = 0.5;
  kept[i].narrow = i;
  kept[i].more = 2 * i;
}

template <typename T>
struct Traits {
  static constexpr int LEVEL = 0;
  typedef T Bare;
};
template <typename T>
struct Traits<T*> {
  static constexpr int LEVEL = Traits<T>::LEVEL + 1;
  typedef typename Traits<T>::Bare Bare;
};
template <typename T, int N>
struct Steps {
  __host__ __device__ static float run(const float* p) { return *p + Steps<T, N - 1>::run(p + 1); }
};
template <typename T>
struct Steps<T, 0> {
  __host__ __device__ static float run(const float*) { return sizeof(T); }
};
template <typename A, typename B>
struct Pick {
  __host__ __device__ static int which() { return 1; }
};
template <typename A>
struct Pick<A, A> {
  __host__ __device__ static int which() { return 2; }
};
template <typename A>
struct Pick<A, float> {
  __host__ __device__ static int which() { return 3; }
};
template <typename A>
struct Pick<Holder<A>, int> {
  __host__ __device__ static int which() { return 4 + sizeof(A); }
};

template <typename P>
__global__ void partial(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  typename Traits<P>::Bare x = in[i] * 8;
  out[i] = x + Traits<P>::LEVEL * 100 + Traits<int**>::LEVEL * 1000 + Steps<double, 3>::run(in + i) +
           Pick<int, char>::which() + 10 * Pick<char, char>::which() + 20 * Pick<int, float>::which() +
           30 * Pick<Holder<double>, int>::which();
}

// ---- host
int main() {
  derived<<<3, 64>>>(in, out, kept, 150);
  partial<float*><<<3, 64>>>(in, out, 150);
  partial<int><<<3, 64>>>(in, out, 150);
}
