// A ring in registers: post- and pre-increment of a struct of its own, default member values, conversion.
struct Counter {
  int value = 0;
  const static int kLimit = 5;
  __device__ Counter &operator++() {
    value = value + 1 == kLimit ? 0 : value + 1;
    return *this;
  }
  __device__ Counter operator++(int) {
    Counter old = *this;
    ++*this;
    return old;
  }
  __device__ operator int() const { return value; }
};
struct Window {
  float slots[5];
  Counter next;
  float total = 0.f;
  __device__ Window() {
    for (int i = 0; i < 5; ++i) slots[i] = 0.f;
  }
  __device__ float push(float x) {
    int at = next++;
    total += x - slots[at];
    slots[at] = x;
    return total;
  }
};
__global__ void movingSum(const float *in, float *out, int per_thread) {
  Window window;
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * per_thread;
  for (int i = 0; i < per_thread; ++i) out[first + i] = window.push(in[first + i]);
}

// ---- host
int main() { movingSum<<<1, 32>>>(in, out, 16); }
