// A tile of 128 x 8 halves whose long side is contiguous, read by ldmatrix.trans. SHIFT is the third number of Swizzle<3, 3, SHIFT>; 0: no swizzle.
template <int SHIFT> __device__ int place(int m, int k) {
  int offset = m + 128 * k;
  return SHIFT == 0 ? offset : offset ^ (offset >> SHIFT & 7 << 3);
}
template <int SHIFT> __global__ void transposed(const unsigned short *in, int *out) {
  __shared__ __align__(128) unsigned short tile[1024];
  int lane = threadIdx.x, a, b, c, d;
  for (int i = lane; i < 1024; i += 32) tile[place<SHIFT>(i % 128, i / 128)] = in[i];
  __syncthreads();
  unsigned row = __cvta_generic_to_shared(tile + place<SHIFT>(lane / 8 * 8, lane % 8));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(row));
  out[lane] = a + b + c + d;
}
int main() {
  unsigned short *in;
  int *out;
  cudaMalloc(&in, 1 << 16);
  cudaMalloc(&out, 1 << 16);
  transposed<0><<<1, 32>>>(in, out);
  transposed<3><<<1, 32>>>(in, out);
  transposed<4><<<1, 32>>>(in, out);
  return cudaDeviceSynchronize();
}
