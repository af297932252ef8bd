// The block's points are read as floats, side by side, and picked apart on chip.
struct Point {
  float x, y, z;
};

__global__ void sum_aos(float* out, const Point* points, int n) {
  __shared__ float fields[3 * 1024];
  const float* all = reinterpret_cast<const float*>(points);
  int size = blockDim.x, first = 3 * size * blockIdx.x;
  for (int k = threadIdx.x; k < 3 * size; k += size)
    if (first + k < 3 * n) fields[k] = all[first + k];
  __syncthreads();
  int i = blockIdx.x * size + threadIdx.x, at = 3 * threadIdx.x;
  if (i < n)
    out[i] = fields[at] + fields[at + 1] + fields[at + 2];
}
