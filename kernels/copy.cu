// Copy: the ruler that every other kernel is held against.
// Neighbouring lanes read and write neighbouring elements, so a warp
// asks for one unbroken piece of memory: no byte is fetched in vain.
template <typename T>
__global__ void copy(T* out, const T* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)  // the last block may reach beyond the end
    out[i] = in[i];
}
