// A transpose through a tile whose rows are one float longer than a block is wide. PITCH is that length; a block has SIDE x SIDE threads.
template <int SIDE, int PITCH> __global__ void transpose(const float *in, float *out, int n) {
  __shared__ float tile[SIDE][PITCH];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * SIDE + y) * n + blockIdx.x * SIDE + x];
  __syncthreads();
  out[(blockIdx.x * SIDE + y) * n + blockIdx.y * SIDE + x] = tile[x][y];
}
int main() {
  const int n = 256;
  float *in, *out;
  cudaMalloc(&in, n * n * sizeof(float));
  cudaMalloc(&out, n * n * sizeof(float));
  transpose<16, 16><<<dim3(n / 16, n / 16), dim3(16, 16)>>>(in, out, n);
  transpose<16, 17><<<dim3(n / 16, n / 16), dim3(16, 16)>>>(in, out, n);
  transpose<32, 32><<<dim3(n / 32, n / 32), dim3(32, 32)>>>(in, out, n);
  transpose<32, 33><<<dim3(n / 32, n / 32), dim3(32, 32)>>>(in, out, n);
  return cudaDeviceSynchronize();
}
