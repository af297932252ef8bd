// Reading shared memory with a stride. 32 banks of 4 bytes serve a
// warp at once; lanes that need different words of one bank wait for
// each other. Stride 0 is a broadcast: one word for all, no conflict.
template <typename T>
__global__ void shared_stride(T* out, const T* in, int stride) {
  __shared__ T words[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x)
    words[i] = in[i];
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x * stride % 1024];
}
