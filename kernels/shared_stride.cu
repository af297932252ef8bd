// Reading shared memory with a stride. 32 banks of 4 bytes serve a
// warp at once; lanes that need different words of one bank wait for
// each other. Stride 0 is a broadcast: one word for all, no conflict.
template <typename T>
__global__ void shared_stride(T* out, const T* in, int stride) {
  __shared__ T words[1024];
  int x = threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    words[y * 32 + x] = in[y * 32 + x];
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += blockDim.y)
    out[y * 32 + x] = words[(y * 32 + x) * stride % 1024];
}
