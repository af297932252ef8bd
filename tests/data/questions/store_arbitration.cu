// Shared stores whose addresses never conflict: after a global load, after arithmetic alone, and while other warps load.
__global__ void from_global(const float *in, float *out, int n) {
  __shared__ float tile[32][33];
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 32 + x, row = blockIdx.y * 32 + y;
  for (int k = 0; k < 32; k += 8) tile[y + k][x] = in[(row + k) * n + column];
  __syncthreads();
  column = blockIdx.y * 32 + x, row = blockIdx.x * 32 + y;
  for (int k = 0; k < 32; k += 8) out[(row + k) * n + column] = tile[x][y + k];
}
__global__ void from_registers(float *out, int n) {
  __shared__ float tile[32][33];
  int x = threadIdx.x, y = threadIdx.y;
  for (int k = 0; k < 32; k += 8) tile[y + k][x] = x * 0.5f + n + k;
  __syncthreads();
  if (tile[x][y] < 0) out[x] = 1;
}
__global__ void one_warp(const float *in, float *out) {
  __shared__ float row[32];
  row[threadIdx.x] = in[threadIdx.x];
  __syncwarp();
  out[threadIdx.x] = row[31 - threadIdx.x];
}
int main() {
  const int n = 4096;
  float *in, *out;
  cudaMalloc(&in, n * n * sizeof(float));
  cudaMalloc(&out, n * n * sizeof(float));
  from_global<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(in, out, n);
  from_registers<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(out, n);
  one_warp<<<1, 32>>>(in, out);
  return cudaDeviceSynchronize();
}
