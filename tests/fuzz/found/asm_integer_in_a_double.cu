__global__ void k(double* out, int n) {
  double x;
  asm("add.rn.f64 %0, %1, %2;" : "=d"(x) : "d"(n), "d"(2.5));
  out[threadIdx.x] = x;
  float y;
  asm("mov.f64 %0, %1;" : "=d"(y) : "d"(x));
  out[threadIdx.x + 32] = y;
}
