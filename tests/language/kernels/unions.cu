// The same bytes under several names, and structs within structs.
union Vector {
  float4 all;
  float each[4];
};
union Bits {
  float value;
  unsigned word;
  struct {
    unsigned short low, high;
  };
};
struct Tagged {
  enum Kind { Number, Index };
  struct Label {
    int kind;
    float weight;
  } label;
  union {
    float number;
    int index;
  };
  struct Sum {
    float total;
    __device__ void add(float x) { total += x; }
  };
};

template <typename T, int N>
class Window {
  template <bool CLIPPED>
  struct Column {
    T last;
    __device__ T read(const T* from, int i, int n) {
      last = CLIPPED && i >= n ? T(0) : from[i];
      return last;
    }
  };
  struct Total {
    T sum = T(0);
    int terms = 0;
  };

 public:
  __device__ T mean(const T* from, int first, int n) {
    Column<true> column;
    Total total;
    for (int k = 0; k < N; ++k) {
      total.sum += column.read(from, first + k, n);
      ++total.terms;
    }
    return total.sum / T(total.terms) + column.last;
  }
};

__global__ void seen_twice(const Vector* in, float* out, unsigned* words, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Vector v = in[i];
  float sum = 0.0f;
  for (int k = 0; k < 4; ++k) sum += v.each[k];
  Bits bits;
  bits.value = sum;
  bits.high ^= 0x8000;
  Bits one = {1.0f};
  Bits two = {.word = 0x40000000u};
  Tagged tagged;
  tagged.label.kind = i % 2 ? Tagged::Number : Tagged::Index;
  tagged.label.weight = one.value + two.value;
  if (tagged.label.kind == Tagged::Number)
    tagged.number = v.all.x;
  else
    tagged.index = i;
  Tagged::Sum total = {0.0f};
  total.add(tagged.label.kind == Tagged::Number ? tagged.number : static_cast<float>(tagged.index));
  total.add(bits.value * tagged.label.weight);
  out[i] = total.total;
  words[i] = bits.word ^ two.low;
}

__global__ void windows(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Window<float, 3> window;
  if (i < n) out[i] = window.mean(in, i, n);
}

// ---- host
int main() {
  const int n = 150;
  seen_twice<<<(n + 63) / 64, 64>>>(vectors, out, words, n);
  windows<<<2, 64>>>(in, out, 100);
}
