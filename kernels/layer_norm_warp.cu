// Layer norm, a warp a row: neighbouring lanes read neighbouring
// elements, and the lanes add up their parts by shuffles. The row is
// still read three times. "unroll 1": lanes whose loops would end apart
// stay together, turn by turn.
__device__ float warp_sum(float part) {
  for (int by = 16; by > 0; by /= 2)
    part += __shfl_xor_sync(~0u, part, by);
  return part;
}

__global__ void layer_norm_warp(float* out, const float* in,
                                const float* weight, const float* bias,
                                int nrows, int ncols) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= nrows)
    return;
  const float* x = in + row * ncols;
  float* y = out + row * ncols;
  float sum = 0.0f;
#pragma unroll 1
  for (int i = threadIdx.x; i < ncols; i += 32)
    sum += x[i];
  float mean = warp_sum(sum) / ncols;
  float squares = 0.0f;
#pragma unroll 1
  for (int i = threadIdx.x; i < ncols; i += 32)
    squares += (x[i] - mean) * (x[i] - mean);
  float scale = rsqrtf(warp_sum(squares) / ncols + 1e-5f);
#pragma unroll 1
  for (int i = threadIdx.x; i < ncols; i += 32)
    y[i] = (x[i] - mean) * scale * weight[i] + bias[i];
}
