// Particles as an array of structs, as arrays of their own, and as one vector each. Claim sectors and lines of each load.
struct Particle {
  float x, y, z, mass;
};
__global__ void structs_and_arrays(float* out, const Particle* structs, const float* xs, const float4* vectors) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = structs[i].x;      // ? sectors, ? lines
  float own = xs[i];           // ? sectors, ? lines
  float4 all = vectors[i];     // ? sectors, ? lines
  out[i] = x + own + all.x + all.y + all.z + all.w;
}
