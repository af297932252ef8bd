// Inline PTX that looks for bits.
#define BITS(name, constraint, x)                                \
  asm(name " %0, %1;" : "=r"(word) : constraint(x)); \
  out[slot++ * n + i] = word;

__global__ void parts(const unsigned* in, const unsigned* other, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned a = i == 0 ? 0 : in[i] * 2654435761u >> (i & 31), b = other[i] * 2246822519u + i;
  const unsigned long long wide = i == 0 ? 0 : ((unsigned long long)b << 32 | a) >> (2 * i & 63);
  unsigned word;
  int slot = 0;
  BITS("bfind.u32", "r", a)
  BITS("bfind.s32", "r", b)
  BITS("bfind.shiftamt.u32", "r", a)
  BITS("bfind.u64", "l", wide)
  BITS("bfind.shiftamt.s64", "l", wide)
}

// ---- host
int main() { parts<<<1, 64>>>(in, other, out, 60); }
