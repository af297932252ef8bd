// Softmax of each row of a matrix, a thread a row. Every thread walks
// along its own row, so the lanes of a warp are a row apart: each of
// the 32 loads of a request is in a sector of its own.
__global__ void softmax_thread(float* out, const float* in, int nrows,
                               int ncols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= nrows)
    return;
  const float* x = in + row * ncols;
  float* y = out + row * ncols;
  float most = -INFINITY;
  for (int i = 0; i < ncols; ++i)
    most = fmaxf(most, x[i]);
  float sum = 0.0f;
  for (int i = 0; i < ncols; ++i)
    sum += expf(x[i] - most);
  for (int i = 0; i < ncols; ++i)
    y[i] = expf(x[i] - most) / sum;
}
