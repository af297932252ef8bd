// Bits moved by memcpy and memset: in variables they cost nothing, in memory a request a byte.
#include <string.h>

struct alignas(16) Packet {
  float payload[4];
};

__device__ Packet packed(int4 bits) {
  Packet p;
  memcpy(&p.payload, &bits, sizeof(bits));
  return p;
}

__global__ void scale_packets(float4* out, const int4* in, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Packet p = packed(in[i]);
  for (int k = 0; k < 4; ++k) p.payload[k] = p.payload[k] * factor;
  float4 result;
  memcpy(&result, p.payload, sizeof(result));
  Packet one;
  memset(&one, 0, sizeof one);
  one.payload[1] = 1.0f;
  int4 words;
  memcpy(&words, &one, sizeof(words));
  result.x += words.y == __float_as_int(1.0f) && words.x == 0 && words.w == 0;
  out[i] = result;
}

__global__ void copy_rows(float* out, const float* in) {
  memcpy(out + 4 * threadIdx.x, in + 4 * threadIdx.x, 4 * sizeof(float));
  memset(out + 4 * (blockDim.x + threadIdx.x), threadIdx.x, 4);
}

// ---- host
int main(void) {
  scale_packets<<<(n + 63) / 64, 64>>>(d_out, d_in, 0.5f, n);
  copy_rows<<<1, 32>>>(d_out, d_in);
  return 0;
}
