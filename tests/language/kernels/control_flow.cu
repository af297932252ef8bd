// switch with falling through, do-while, continue, nested breaks, commas, ternaries.
__device__ int collatz(unsigned n) {
  int steps = 0;
  do {
    if (n == 1u) break;
    n = n & 1 ? 3 * n + 1 : n >> 1;
    ++steps;
  } while (steps < 64);
  return steps;
}
__device__ int classify(int v) {
  switch (v & 7) {
    case 0:
    case 1:
      v += 10;
    case 2:
      v *= 2;
      break;
    case 3: {
      int t = v;
      while (t > 4) t -= 3;
      return t;
    }
    default:
      if (v > 100) return -1;
      v = -v;
    case 7:
      v ^= 0x55;
  }
  return v;
}
__global__ void flow(int *out, int n) {
  int id = threadIdx.x + blockIdx.x * blockDim.x, acc = 0;
  for (int i = 0, j = n; i < j; ++i, --j) {
    if (i % 3 == id % 3) continue;
    for (int k = 0;; ++k) {
      if (k > id) break;
      if ((acc += k, acc > 500)) break;
    }
    acc += i * j;
  }
  bool odd = id % 2 != 0, big = acc > 300;
  out[id] = (odd ? collatz(id + 1) : classify(id)) + (odd && big || !odd && !big ? acc : -acc);
}

// ---- host
int main() { flow<<<2, 48>>>(out, 12); }
