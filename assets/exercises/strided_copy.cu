// A load with strides of 2, 4, 8 and 32 words. From which stride on does it not get any worse? Claim sectors and lines.
__global__ void strided_copy(float* out, const float* in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[2 * i];   // ? sectors, ? lines
  float b = in[4 * i];   // ? sectors, ? lines
  float c = in[8 * i];   // ? sectors, ? lines
  float d = in[32 * i];  // ? sectors, ? lines
  out[i] = a + b + c + d;
}
