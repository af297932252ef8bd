// A copy that begins a few words into the array: by 0, 1, 8 and 32 words. Claim of each load whether it is coalesced, its sectors
// and its lines.
__global__ void offset_copy(float* out, const float* in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[i];       // ? sectors, ? lines
  float b = in[i + 1];   // ? sectors, ? lines
  float c = in[i + 8];   // ? sectors, ? lines
  float d = in[i + 32];  // ? sectors, ? lines
  out[i] = a + b + c + d;
}
