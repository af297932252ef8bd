// Layer norm of each row, a thread a row: less its mean, divided by
// its deviation, times a weight, plus a bias. The lanes are a row
// apart in `in` and `out`: 32 sectors a request. Weight and bias are
// the same address for all lanes: one sector.
__global__ void layer_norm_thread(float* out, const float* in,
                                  const float* weight,
                                  const float* bias, int nrows,
                                  int ncols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= nrows)
    return;
  const float* x = in + row * ncols;
  float* y = out + row * ncols;
  float mean = 0.0f;
  for (int i = 0; i < ncols; ++i)
    mean += x[i];
  mean /= ncols;
  float variance = 0.0f;
  for (int i = 0; i < ncols; ++i)
    variance += (x[i] - mean) * (x[i] - mean);
  float scale = rsqrtf(variance / ncols + 1e-5f);
  for (int i = 0; i < ncols; ++i)
    y[i] = (x[i] - mean) * scale * weight[i] + bias[i];
}
