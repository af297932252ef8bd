#include "cute/tensor.hpp"
struct Size { int n; };
__global__ void k(CUTE_GRID_CONSTANT Size const size, float* a) { if (threadIdx.x < size.n) a[threadIdx.x] = 0; }
