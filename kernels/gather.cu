// Gather: the place to read from is itself read from memory. Where the
// lanes go is known only when the kernel runs, and a random index
// sends nearly every lane to a sector of its own.
__global__ void gather(float* out, const float* in, const int* index,
                       int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[index[i]];
}
