struct Particles {
  float *x;
  float *y;
  const float *mass;
  int count;
  __device__ bool has(int i) const { return i < count; }
  __device__ float &at(int i, int axis) const {
    if (axis == 0) return x[i];
    return y[i];
  }
};

__global__ void moveParticles(Particles p, float dx, float dy) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!p.has(i)) return;
  p.x[i] += dx * p.mass[i];
  p.at(i, 1) = p.y[i] + dy;
  p.at(i, i & 1) *= 2.0f;
}

// ---- host
void step(float *x, float *y, float *m, int n) {
  Particles p{x, y, m, n};
  moveParticles<<<(n + 127) / 128, 128>>>(p, 0.5f, 0.25f);
}
