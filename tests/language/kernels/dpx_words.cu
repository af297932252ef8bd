// Every DPX function, on words whose halves go through the ends of their ranges: sums that wrap, what is least and
// greatest of three, below zero as zero, and which of two was taken.
#define OUT(value) out[slot++ * n + i] = (unsigned)(value);
#define THREE(op, type, T) OUT(__viadd##op##_##type((T)a, (T)b, (T)c)) OUT(__vi##op##3_##type((T)a, (T)b, (T)c))
#define FLOORED(op, type, T) \
  OUT(__viadd##op##_##type##_relu((T)a, (T)b, (T)c)) OUT(__vi##op##3_##type##_relu((T)a, (T)b, (T)c)) \
  OUT(__vi##op##_##type##_relu((T)a, (T)b))
#define CHOSEN(op, type, T) OUT(__vib##op##_##type((T)a, (T)b, &high)) OUT(high)
#define CHOSEN_TWICE(op, type) OUT(__vib##op##_##type(a, b, &high, &low)) OUT(high * 2 + low)
#define BOTH(op) \
  THREE(op, s32, int) THREE(op, u32, unsigned) THREE(op, s16x2, unsigned) THREE(op, u16x2, unsigned) \
  FLOORED(op, s32, int) FLOORED(op, s16x2, unsigned) CHOSEN(op, s32, int) CHOSEN(op, u32, unsigned) \
  CHOSEN_TWICE(op, s16x2) CHOSEN_TWICE(op, u16x2)

__global__ void dpx_words(const unsigned* in, const unsigned* other, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned ends[4] = {0x80007fffu, 0xffff8000u, 0x7fff0001u, 0x0000ffffu};
  const unsigned a = i % 3 ? in[i] * 2654435761u : ends[i / 3 & 3];
  const unsigned b = i % 7 == 0 ? a : i % 5 ? other[i] * 2246822519u + i : ends[i / 5 & 3];
  const unsigned c = (a ^ b) * 40503u;
  bool high, low;
  int slot = 0;
  BOTH(max) BOTH(min)
}

// ---- host
int main() { dpx_words<<<2, 64>>>(in, other, out, 100); }
