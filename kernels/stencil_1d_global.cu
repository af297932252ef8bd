// Stencil in one dimension: the sum of an element and R neighbours on
// either side. Every thread reads all of them from global memory: the
// same elements again and again, most of them not from a sector's edge.
// `in` has R elements more at each end.
template <int R>
__global__ void stencil_1d_global(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0.0f;
  for (int j = 0; j <= 2 * R; ++j)
    sum += in[i + j];
  out[i] = sum;
}
