// Copy from a shifted place: lane 0 no longer reads the first byte of
// a 32-byte sector. The warp's bytes are still in one piece, but the
// piece hangs over an edge and touches one sector more.
template <typename T>
__global__ void copy_offset(T* out, const T* in, int n, int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i + offset];
}
