// Accesses that a compiler leaves out, or makes together: what an array of structs, a vector read member by
// member, and a sum in memory cost is less than the text says.
struct Particle {
  float x, y, z, mass;
};
struct __align__(16) Cell {
  float height, speed;
  int kind, age;
};

// One member of four is read; nothing needs `ahead`.
__global__ void heights(const Particle* particles, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 32 >= n) return;
  Particle p = particles[i];
  float ahead = particles[i + 32].mass;
  out[i] = p.z;
}

// One member is changed: the others go back where they came from.
__global__ void heavier(Particle* particles, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Particle p = particles[i];
  p.mass += 1.0f;
  particles[i] = p;
}

// Members one by one, of vectors and of a struct that lies on 16 bytes; one by const reference.
__device__ float sum(const float4& v) {
  return v.x + v.y + v.z + v.w;
}
__global__ void members(const float2* pairs, const float4* quads, const Cell* cells, float4* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float area = pairs[i].x * pairs[i].y;
  float all = sum(quads[i]);
  float moved = cells[i].height + cells[i].speed * cells[i].age * cells[i].kind;
  float4 whole = quads[i + n];
  out[i].x = area;
  out[i].y = all;
  out[i].z = moved;
  out[i].w = whole.y;
}

// The row's length is read once, b[i] once; a sum in memory is stored in every turn, since `b` may lie there.
__global__ void turns(const float* a, const float* b, float* sums, float* out, const int* lengths, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float total = 0;
  for (int k = 0; k < lengths[5]; k++) total += a[k * 64 + i] * b[i];
  for (int k = 0; k < n; k++) sums[i] += b[i + k];
  out[i] = total;
}

// What is __restrict__ stays known behind a store and a barrier, what is not does not; volatile always counts.
__global__ void known(const float* __restrict__ a, const float* b, float* out, volatile float* seen) {
  __shared__ float tile[64];
  int i = threadIdx.x;
  tile[i] = a[i] + b[i];
  __syncthreads();
  out[i] = a[i] + b[i] + tile[i ^ 1];
  out[i + 64] = a[i] + b[i];
  seen[i] = seen[i] + seen[i];
  out[i] = out[i] + 1.0f;
}

// ---- host
int main() {
  heights<<<4, 64>>>(nullptr, nullptr, 240);
  heavier<<<2, 64>>>(nullptr, 128);
}
