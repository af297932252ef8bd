// The solution of an exercise on shared memory: a transpose of doubles through a tile of 32 x 32, column-major.
#define AT(row, col, rows) ((col) * (rows) + (row))

__global__ void smem_cuda_transpose(int m, const double* a, double* c) {
  __shared__ double tile[32][32];
  const int x = blockIdx.x * 32, y = blockIdx.y * 32;
  if (x + threadIdx.x < m && y + threadIdx.y < m)
    tile[threadIdx.x][threadIdx.y] = a[AT(x + threadIdx.x, y + threadIdx.y, m)];
  __syncthreads();
  if (y + threadIdx.x < m && x + threadIdx.y < m)
    c[AT(y + threadIdx.x, x + threadIdx.y, m)] = tile[threadIdx.y][threadIdx.x];
}
