// What is only printed, and what only decides whether something is printed: nvcc issues each of these loads. What a
// fence, a pause or the like waits for or depends on is needed too; what is only assumed is not.
#include <cstdio>

__device__ float level;
struct P {
  float x, y;
};

__global__ void only_printed(const float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) printf("%d %f\n", i, a[i]);
}

__global__ void check_all(const float* a, float want, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    if (a[i] != want) printf("wrong at %d\n", i);
}

__global__ void print_then_add() {
  printf("level %f\n", level);
  level += 2.0f;
}

__global__ void print_total(const int* t) {
  if (threadIdx.x == 0 && blockIdx.x == 0) printf("%d\n", t[0] + t[1]);
}

__global__ void of_two_conditions(const int* a, const float* b, int n) {
  int i = threadIdx.x;
  if (i < n && a[i] != 77 && b[i] < 1e9f) printf("x");
}

__global__ void otherwise(const int* a, const float* b) {
  int i = threadIdx.x;
  if (a[i])
    printf("x");
  else
    printf("%f", b[i]);
}

__global__ void text_chosen(const float* a) { printf(a[threadIdx.x] > 0 ? "y" : "n"); }

__global__ void printed_in_branch(const float* a, int n) {
  float v = a[threadIdx.x];
  if (threadIdx.x < n) printf("%f\n", v);
}

__global__ void member(const P* a) {
  P p = a[threadIdx.x];
  printf("%f", p.x);
}

__global__ void printed_twice(const float* a) {
  float s = a[threadIdx.x];
  printf("%f", s);
  printf("%f", a[threadIdx.x]);
}

__global__ void printed_and_kept(const float* __restrict__ a, float* __restrict__ o) {
  float s = a[threadIdx.x];
  printf("%f", s);
  o[threadIdx.x] = a[threadIdx.x];
}

__global__ void decides_on_a_fence(const float* a) {
  if (a[threadIdx.x] > 0) __threadfence();
}

__global__ void pauses(const unsigned* a, float* o) {
  __nanosleep(a[threadIdx.x]);
  o[threadIdx.x] = 1;
}

__global__ void assumed(const float* a, float* o) {
  __builtin_assume(a[threadIdx.x] > 0);
  o[threadIdx.x] = 1;
}

__global__ void assumed_between(const float* a, float* o, int n) {
  float x = a[threadIdx.x];
  __builtin_assume(n > 0);
  o[threadIdx.x] = x + a[threadIdx.x];
}
