// Sparse matrix times vector, several lanes a row, at most a warp:
// neighbouring lanes read neighbouring elements of a row, and add up
// by shuffles. Only x is read wherever the columns lead. With more
// lanes than a row has elements, the rest wait. "unroll 1": an unrolled
// loop would let lanes with whole turns left run ahead of the others.
template <int LANES>
__global__ void spmv_vector(float* y, const float* values,
                            const int* columns, const int* starts,
                            const float* x, int nrows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
  int lane = threadIdx.x % LANES;
  float sum = 0.0f;
  if (row < nrows) {
    int end = starts[row + 1];
#pragma unroll 1
    for (int j = starts[row] + lane; j < end; j += LANES)
      sum += values[j] * x[columns[j]];
  }
  for (int by = LANES / 2; by > 0; by /= 2)
    sum += __shfl_xor_sync(~0u, sum, by);
  if (row < nrows && lane == 0)
    y[row] = sum;
}
