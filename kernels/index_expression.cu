// Your own addresses: thread i reads the element that INDEX names.
// Write any integer expression over i, threadIdx, blockIdx, blockDim,
// gridDim, base, stride, offset and size, and see the sectors.
#define INDEX (base + (i * stride + offset) * size)

template <typename T>
__global__ void index_expression(T* out, const T* in, int n, int base,
                                 int stride, int offset, int size) {
  int block = blockIdx.y * gridDim.x + blockIdx.x;
  int thread = threadIdx.y * blockDim.x + threadIdx.x;
  int i = block * (blockDim.x * blockDim.y) + thread;
  if (i < n)
    out[i] = in[INDEX];
}
