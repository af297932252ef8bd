#include <cuda_runtime.h>

struct Vec3 {
  float x, y, z;
  __host__ __device__ Vec3() : x(0.f), y(0.f), z(0.f) {}
  __host__ __device__ Vec3(float x_, float y_, float z_) : x(x_), y(y_), z(z_) {}
  __host__ __device__ explicit Vec3(float s) : Vec3(s, s, s) {}
  __host__ __device__ Vec3 operator+(const Vec3 &o) const { return Vec3(x + o.x, y + o.y, z + o.z); }
  __host__ __device__ Vec3 operator-(const Vec3 &o) const { return Vec3(x - o.x, y - o.y, z - o.z); }
  __host__ __device__ Vec3 operator*(float s) const { return Vec3(x * s, y * s, z * s); }
  __host__ __device__ Vec3 operator-() const { return Vec3(-x, -y, -z); }
  __host__ __device__ Vec3 &operator+=(const Vec3 &o) {
    x += o.x;
    y += o.y;
    z += o.z;
    return *this;
  }
  __host__ __device__ float dot(const Vec3 &o) const { return x * o.x + y * o.y + z * o.z; }
  __host__ __device__ float length2() const { return this->dot(*this); }
};
__host__ __device__ inline Vec3 operator*(float s, const Vec3 &v) { return v * s; }

class Particle {
 public:
  Vec3 position;
  Vec3 velocity;
  float mass = 1.0f;
  __device__ void advance(float dt) {
    position += velocity * dt;
    if (position.x < 0.f) bounce(position.x, velocity.x);
    if (position.y < 0.f) bounce(position.y, velocity.y);
  }
  __device__ float kinetic() const { return 0.5f * mass * velocity.length2(); }

 private:
  __device__ static void bounce(float &p, float &v) {
    p = -p;
    v = -v;
  }
};

__global__ void advanceParticles(Particle *particles, float *energy, int n, float dt, Vec3 gravity) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Particle p = particles[i];
  p.velocity += gravity * dt;
  p.advance(dt);
  Vec3 drag = 0.01f * -p.velocity + Vec3(0.5f) - Vec3();
  p.velocity += drag;
  particles[i] = p;
  energy[i] = p.kinetic();
}

__global__ void energyOnly(const Particle *__restrict__ particles, float *energy, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) energy[i] = particles[i].kinetic();
}

// ---- host
#include <vector>
int main() {
  std::vector<Particle> host(1024);
  Particle *device;
  cudaMalloc(&device, host.size() * sizeof(Particle));
  advanceParticles<<<4, 256>>>(device, energy, (int)host.size(), 0.01f, Vec3(0, -9.81f, 0));
  for (const auto &p : host) sum += p.mass;
}
