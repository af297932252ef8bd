// Four 8x8 matrices of halves by one ldmatrix. PITCH is the distance of their rows in bytes.
template <int PITCH> __global__ void four_matrices(const int4 *in, int *out) {
  __shared__ __align__(16) char tile[16 * PITCH + 16];
  int lane = threadIdx.x, a, b, c, d;
  for (int i = lane; i < PITCH + 1; i += 32) ((int4 *)tile)[i] = in[i];
  __syncthreads();
  unsigned row = __cvta_generic_to_shared(tile + lane % 16 * PITCH + lane / 16 * 16);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(row));
  out[lane] = a + b + c + d;
}
int main() {
  int4 *in;
  int *out;
  cudaMalloc(&in, 1 << 16);
  cudaMalloc(&out, 1 << 16);
  four_matrices<64><<<1, 32>>>(in, out);
  four_matrices<128><<<1, 32>>>(in, out);
  four_matrices<144><<<1, 32>>>(in, out);
  return cudaDeviceSynchronize();
}
