// What tells them apart is the extents.
const int N = 16;
__global__ void add(float* a, float* b) { b[threadIdx.x] += a[threadIdx.x]; }
__global__ void add(float a[N][N], float b[N][N]) { b[threadIdx.y][threadIdx.x] += a[threadIdx.y][threadIdx.x]; }
