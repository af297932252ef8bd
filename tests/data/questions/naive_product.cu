// C = A B, an element a thread: a warp's 32 threads take 32 columns of one row of C, or 32 rows of one column.
__global__ void by_columns(const float *a, const float *b, float *c, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
__global__ void by_rows(const float *a, const float *b, float *c, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
int main() {
  const int n = 256;
  float *a, *b, *c;
  cudaMalloc(&a, n * n * sizeof(float));
  cudaMalloc(&b, n * n * sizeof(float));
  cudaMalloc(&c, n * n * sizeof(float));
  by_columns<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(a, b, c, n);
  by_columns<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n);
  by_rows<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(a, b, c, n);
  return cudaDeviceSynchronize();
}
