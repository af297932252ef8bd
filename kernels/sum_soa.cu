// A structure of arrays: all x in one array, all y in another, all z
// in a third. The same sums as sum_aos, every load coalesced.
__global__ void sum_soa(float* out, const float* x, const float* y,
                        const float* z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = x[i]
           + y[i]
           + z[i];
}
