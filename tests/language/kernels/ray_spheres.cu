#define INF 2e10f
#define rnd(x) (x * rand() / RAND_MAX)
#define SPHERES 5

struct Sphere {
  float r, b, g;
  float radius;
  float x, y, z;
  __device__ float hit(float ox, float oy, float *n) {
    float dx = ox - x;
    float dy = oy - y;
    if (dx * dx + dy * dy < radius * radius) {
      float dz = sqrtf(radius * radius - dx * dx - dy * dy);
      *n = dz / sqrtf(radius * radius);
      return dz + z;
    }
    return -INF;
  }
};

__constant__ Sphere s[SPHERES];

__global__ void kernel(unsigned char *ptr) {
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  int y = threadIdx.y + blockIdx.y * blockDim.y;
  int offset = x + y * blockDim.x * gridDim.x;
  float ox = (x - 16) * 0.125f;
  float oy = (y - 16) * 0.125f;
  float r = 0, g = 0, b = 0;
  float maxz = -INF;
  for (int i = 0; i < SPHERES; i++) {
    float n;
    Sphere sphere = s[i];
    float t = sphere.hit(ox, oy, &n);
    if (t > maxz) {
      float fscale = n;
      r = sphere.r * fscale;
      g = sphere.g * fscale;
      b = sphere.b * fscale;
      maxz = t;
    }
  }
  ptr[offset * 4 + 0] = (int)(r * 15);
  ptr[offset * 4 + 1] = (int)(g * 15);
  ptr[offset * 4 + 2] = (int)(b * 15);
  ptr[offset * 4 + 3] = 255;
}

// ---- host
int main(void) {
  Sphere *temp_s = (Sphere *)malloc(sizeof(Sphere) * SPHERES);
  for (int i = 0; i < SPHERES; i++) temp_s[i].r = rnd(1.0f);
  cudaMemcpyToSymbol(s, temp_s, sizeof(Sphere) * SPHERES);
  kernel<<<dim3(2, 2), dim3(16, 16)>>>(dev_bitmap);
}
