#include <cstdint>
#include <climits>
__global__ void arithmetic(const uint32_t *in, int64_t *wide, uint8_t *narrow, unsigned long long *bits, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint32_t u = in[i] * 2654435761u;
  int s = (int)u;
  int16_t h = static_cast<int16_t>(u >> 3);
  uint8_t b = u;
  int8_t c = -b;
  wide[i] = (int64_t)s * h + (s >> 5) - (u >> 5) + (INT_MAX - i) % 1000 + (c < b) + (u > s);
  narrow[i] = (b << 2) + c + (h & 0xf0) + ~b;
  bits[i] = (1ULL << (i % 64)) ^ ((unsigned long long)u << 17) | (u % 7 == 0 ? UINT64_MAX : 0x1234'5678'9abcULL);
  wide[i] += s / 3 + s % 3 + -7 / 2 + (h <<= 1) + (b += 300) + sizeof(int64_t) + '\n';
}

// ---- host
int main() { arithmetic<<<1, 128>>>(in, w, n, b, 128); return 0; }
