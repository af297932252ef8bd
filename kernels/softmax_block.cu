// Softmax, a block a row: neighbouring lanes read neighbouring
// elements. Each thread finds the largest of its own elements, then
// the block of all of them in shared memory; the sum goes the same way.
__global__ void softmax_block(float* out, const float* in, int ncols) {
  extern __shared__ float part[];
  const float* x = in + blockIdx.x * ncols;
  float* y = out + blockIdx.x * ncols;
  int t = threadIdx.x;

  float most = -INFINITY;
  for (int i = t; i < ncols; i += blockDim.x)
    most = fmaxf(most, x[i]);
  part[t] = most;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half)
      part[t] = fmaxf(part[t], part[t + half]);
    __syncthreads();
  }
  most = part[0];
  __syncthreads();  // all have read it before it is written over

  float sum = 0.0f;
  for (int i = t; i < ncols; i += blockDim.x)
    sum += expf(x[i] - most);
  part[t] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half)
      part[t] += part[t + half];
    __syncthreads();
  }
  sum = part[0];

  for (int i = t; i < ncols; i += blockDim.x)
    y[i] = expf(x[i] - most) / sum;
}
