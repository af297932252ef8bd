__device__ __forceinline__ unsigned morton(unsigned x, unsigned y) {
  auto spread = x, other = y;
  unsigned result = 0;
  for (unsigned bit = 0; bit < 8; ++bit) result |= (spread >> bit & 1u) << (2 * bit) | (other >> bit & 1u) << (2 * bit + 1);
  return result;
}
__global__ void bits(unsigned *out, int *counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned active = __ballot_sync(0xffffffffu, i % 3 == 0);
  if (i >= n) return;
  out[i] = morton(threadIdx.x, blockIdx.x) ^ __brev(i) ^ active;
  counts[i] = __popc(out[i]) * 100 + __clz(out[i]) + __ffs(i);
}

// ---- host
int main() { bits<<<2, 64>>>(o, c, 100); }
