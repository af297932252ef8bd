__global__ void stride_four(float* out) {
  __shared__ float shm[64 * 4];
  const int idx = threadIdx.x;
  shm[idx * 4] = 1.0f;
  __syncthreads();
  out[idx] = shm[idx];
}
