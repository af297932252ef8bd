// Each access of the text counts: of an array of structs, a vector read member by member, a sum in memory.
struct Particle {
  float x, y, z, mass;
};
struct __align__(16) Cell {
  float height, speed;
  int kind, age;
};

// A struct is copied, four members; nothing needs three of them, nor `ahead`.
__global__ void heights(const Particle* particles, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 32 >= n) return;
  Particle p = particles[i];
  float ahead = particles[i + 32].mass;
  out[i] = p.z;
}

// One member is changed, and all four go back.
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

// In each turn the row's length, a and b[i]; a sum in memory is read and stored in every turn.
__global__ void turns(const float* a, const float* b, float* sums, float* out, const int* lengths, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float total = 0;
  for (int k = 0; k < lengths[5]; k++) total += a[k * 64 + i] * b[i];
  for (int k = 0; k < n; k++) sums[i] += b[i + k];
  out[i] = total;
}

// Loaded again behind a store and a barrier, __restrict__, volatile or not.
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
