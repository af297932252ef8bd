// Bit fields: in memory and in registers, of every integer's size, signed and not, in unions and nested
// structs.
#include <cstdint>

struct Cell {
  unsigned kind : 3;
  unsigned count : 7;
  unsigned id : 22;
};
struct Mixed {
  unsigned char low : 3, high : 5;
  unsigned short part : 9;
  int delta : 6;
  int : 0;
  int next : 4;
  float weight;
};
struct Wide {
  unsigned long long at : 40, length : 20;
  unsigned flags : 5;
};
struct Flags {
  bool first : 1, second : 1;
  unsigned char : 3;
  unsigned char rest : 3;
  int number;
};
enum Mode { IDLE, BUSY, DONE, LOST };
struct Tight {
  char c;
  int n : 4;
  Mode mode : 2;
};
union Word {
  float number;
  struct {
    unsigned mantissa : 23;
    unsigned exponent : 8;
    unsigned sign : 1;
  };
};
struct Counter {
  unsigned value : 4;
  unsigned step : 4;
  __device__ Counter(unsigned v, unsigned s) : value(v), step(s) {}
  __device__ unsigned next() {
    value += step;
    return value;
  }
  __device__ unsigned doubled() const { return 2 * value; }
};
template <typename T>
__device__ int sign_of(T v) {
  return v - 5 < 0 ? 1 : 2;
}
__device__ int taken(const unsigned& v) {
  return static_cast<int>(v) + 1;
}

__global__ void bit_fields(const Cell* cells, Mixed* mixed, Wide* wide, Flags* flags, Tight* tights,
                           const float* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Cell cell = cells[i];
  int sum = cell.kind + 10 * cells[i].count + static_cast<int>(cell.id % 1000);
  sum += (cell.kind - 5 < 0 ? 1000 : 2000);  // promoted to int
  auto kept = cell.kind;
  sum += (kept - 5 < 0 ? 4000 : 8000);  // unsigned
  sum += sign_of(cell.kind) + taken(cell.kind);

  mixed[i].low = i;
  mixed[i].high += 3;
  mixed[i].delta = i - 16;
  mixed[i].next = mixed[i].delta + 1;
  mixed[i].part++;
  mixed[i].weight = static_cast<float>(mixed[i].delta) + static_cast<float>(mixed[i].high);
  Mixed copy = mixed[i];
  copy.delta -= 2;
  sum += copy.delta + copy.part + copy.next;
  mixed[i] = copy;

  wide[i].at = (static_cast<unsigned long long>(i) << 33) + 7;
  wide[i].length = wide[i].at >> 33;
  sum += static_cast<int>(wide[i].length) + (wide[i].length - 1 < 0 ? 100 : 200);
  wide[i].flags = wide[i].flags + 1 & 31;

  Flags flag = {};
  flag.first = i & 4;
  flag.second = !flag.first;
  flag.rest = i;
  flag.number = flag.first ? flag.rest : -1;
  flags[i] = flag;
  if (flags[i].second) sum += 16;

  tights[i].n = i - 3;
  tights[i].mode = static_cast<Mode>(i & 3);
  sum += tights[i].n + 100 * tights[i].mode + tights[i].c;

  Word word;
  word.number = in[i];
  word.exponent += 1;
  sum += static_cast<int>(word.exponent);
  Counter counter(i, 3);
  counter.next();
  sum += static_cast<int>(counter.next() + counter.doubled());
  out[i] = sum + static_cast<int>(word.number * 8);
}

// ---- host
int main() {
  const Cell* cells = nullptr;
  Mixed* mixed = nullptr;
  Wide* wide = nullptr;
  Flags* flags = nullptr;
  Tight* tights = nullptr;
  const float* in = nullptr;
  int* out = nullptr;
  const int n = 150;
  bit_fields<<<(n + 63) / 64, 64>>>(cells, mixed, wide, flags, tights, in, out, n);
}
