// Online softmax, a warp a row: the largest element so far and the sum
// are found in one pass, so that the row is read twice, not three
// times. Where a larger element comes, the sum is scaled down to it.
// The lanes put their parts together by shuffles, without shared
// memory and without waiting for other warps.
__global__ void softmax_online(float* out, const float* in, int nrows,
                               int ncols) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= nrows)
    return;
  const float* x = in + row * ncols;
  float* y = out + row * ncols;
  // Finite: the difference of two infinities is no number.
  float most = -3e38f, sum = 0.0f;
  for (int i = threadIdx.x; i < ncols; i += 32) {
    float larger = fmaxf(most, x[i]);
    sum = sum * expf(most - larger) + expf(x[i] - larger);
    most = larger;
  }
  for (int by = 16; by > 0; by /= 2) {
    float other = __shfl_xor_sync(~0u, most, by);
    float more = __shfl_xor_sync(~0u, sum, by);
    float larger = fmaxf(most, other);
    sum = sum * expf(most - larger) + more * expf(other - larger);
    most = larger;
  }
  for (int i = threadIdx.x; i < ncols; i += 32)
    y[i] = expf(x[i] - most) / sum;
}
