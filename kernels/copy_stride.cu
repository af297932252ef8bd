// Copy every stride-th element: the lanes' reads are spread apart.
// Memory still comes in whole 32-byte sectors, and what lies between
// the lanes' elements is fetched and thrown away.
template <typename T>
__global__ void copy_stride(T* out, const T* in, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i * stride];
}
