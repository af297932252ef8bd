// Inline PTX that takes a word as several numbers, and that looks for bits.
#define PARTS(name)                                                                     \
  asm(name " %0, %1, %2, %3;" : "=r"(word) : "r"(a), "r"(b), "r"(c)); \
  out[slot++ * n + i] = word;
#define BITS(name, constraint, x)                                \
  asm(name " %0, %1;" : "=r"(word) : constraint(x)); \
  out[slot++ * n + i] = word;

__global__ void parts(const unsigned* in, const unsigned* other, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned a = i == 0 ? 0 : in[i] * 2654435761u >> (i & 31), b = other[i] * 2246822519u + i, c = i * 77;
  const unsigned long long wide = i == 0 ? 0 : ((unsigned long long)b << 32 | a) >> (2 * i & 63);
  unsigned word;
  int slot = 0;
  PARTS("vabsdiff4.u32.u32.u32.add")
  PARTS("vabsdiff4.s32.s32.s32")
  PARTS("vabsdiff2.u32.s32.s32.add")
  PARTS("vadd4.u32.u32.u32")
  PARTS("vadd4.s32.s32.s32.sat")
  PARTS("vsub2.u32.u32.u32.sat")
  PARTS("vsub4.s32.u32.u32")
  PARTS("vavrg4.u32.u32.u32")
  PARTS("vavrg2.s32.s32.s32")
  PARTS("vmin2.s32.s32.s32")
  PARTS("vmax4.u32.u32.u32")
  PARTS("vmax4.s32.s32.s32")
  BITS("bfind.u32", "r", a)
  BITS("bfind.s32", "r", b)
  BITS("bfind.shiftamt.u32", "r", a)
  BITS("bfind.u64", "l", wide)
  BITS("bfind.shiftamt.s64", "l", wide)
}

// ---- host
int main() { parts<<<1, 64>>>(in, other, out, 60); }
