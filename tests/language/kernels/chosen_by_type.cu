// Functions that std::enable_if leaves out: by their result, a parameter or a template's parameter, members too;
// and functions of which each path returns.
template <class T>
__device__ typename std::enable_if<std::is_integral<T>::value, T>::type halved(T x) {
  return x >> 1;
}
template <class T>
__device__ typename std::enable_if<std::is_floating_point<T>::value, T>::type halved(T x) {
  return x * T(0.5);
}
template <class T>
__device__ std::enable_if_t<sizeof(T) == 4, int> width(T) {
  return 4;
}
template <class T>
__device__ std::enable_if_t<sizeof(T) == 8, int> width(T) {
  return 8;
}
template <class T>
__device__ auto kind(T) -> typename std::enable_if<(sizeof(T) > 4), int>::type {
  return 10;
}
template <class T>
__device__ auto kind(T) -> typename std::enable_if<!(sizeof(T) > 4), int>::type {
  return 20;
}
template <class T>
__device__ int by_parameter(T, typename std::enable_if<std::is_integral<T>::value, int>::type = 0) {
  return 100;
}
template <class T>
__device__ int by_parameter(T, typename std::enable_if<!std::is_integral<T>::value, int>::type = 0) {
  return 200;
}
template <class T, typename std::enable_if<std::is_integral<T>::value, int>::type = 0>
__device__ int by_template(T) {
  return 1000;
}
template <class T, typename std::enable_if<!std::is_integral<T>::value, int>::type = 0>
__device__ int by_template(T) {
  return 2000;
}
template <class T>
struct Held {
  T value;
  template <class U = T>
  __device__ typename std::enable_if<std::is_integral<U>::value, U>::type next() const {
    return value + 1;
  }
  template <class U = T>
  __device__ typename std::enable_if<!std::is_integral<U>::value, U>::type next() const {
    return value * 2;
  }
};

// Its primary template is for no one; only the specialisation is used.
template <typename T>
struct Shared {
  virtual __device__ operator T*() = 0;
  virtual ~Shared() {}
};
template <>
struct Shared<float> {
  __device__ operator float*() {
    __shared__ float room[64];
    return room;
  }
};

__device__ int found(const int* a, int n, int wanted) {
  int low = 0, high = n;
  while (true) {
    const int middle = (low + high) / 2;
    if (low >= high) return low;
    if (a[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
}
__device__ int weight(int kind) {
  switch (kind) {
    case 0:
      return 3;
    case 1:
      if (kind > 0) return 5;
    case 2: {
      return 7;
    }
    default:
      return 1;
  }
}
// These two go on behind it.
__device__ int counted(int n) {
  int turns = 0;
  for (;;) {
    if (++turns > n) break;
  }
  return turns;
}
__device__ int stepped(int kind) {
  switch (kind) {
    case 0:
      return 1;
    case 1:
      break;
    default:
      return 2;
  }
  return 4;
}

template <typename T, typename U, typename V = T>
__global__ void chosen(const T* in, U f, V* out, int* numbers, const int* sorted, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float* s = Shared<float>();
  s[threadIdx.x] = in[i] * f;
  out[i] = halved(s[threadIdx.x]) + Held<float>{in[i]}.next();
  numbers[i] = halved(i) + width(i) + width(1.0) + kind(i) + kind(2.0) + by_parameter(i) + by_parameter(f) +
               by_template(i) + by_template(f) + Held<int>{i}.next() + found(sorted, n, i) + weight(i & 3) +
               counted(i & 7) + stepped(i & 3);
}

// ---- host
int main() { chosen<float, float><<<2, 64>>>(in, 2.0f, out, numbers, sorted, 100); }
