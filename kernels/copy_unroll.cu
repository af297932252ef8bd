// Copy, N elements a thread: they are read before the first is
// written, so that N loads are under way at once. The requests and
// sectors stay as they are; what changes is how much of memory's
// latency is hidden.
template <typename T, int N>
__global__ void copy_unroll(T* out, const T* in, int n) {
  int first = blockIdx.x * blockDim.x * N + threadIdx.x;
  T value[N];
  for (int j = 0; j < N; ++j) {
    int i = first + j * blockDim.x;  // neighbours stay neighbours
    if (i < n) value[j] = in[i];
  }
  for (int j = 0; j < N; ++j) {
    int i = first + j * blockDim.x;
    if (i < n) out[i] = value[j];
  }
}
