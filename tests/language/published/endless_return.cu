// The loop has no break, the switch returns in every case: nvcc says nothing.
__device__ int find(const int* a, int n, int v) {
  int low = 0, high = n;
  while (true) {
    int mid = (low + high) / 2;
    if (low >= high) return low;
    if (a[mid] < v) low = mid + 1; else high = mid;
  }
}
__device__ int weight(int kind) {
  switch (kind) {
    case 0: return 3;
    case 1: return 5;
    default: return 1;
  }
}
__global__ void k(const int* a, int* out, int n) { out[threadIdx.x] = find(a, n, threadIdx.x) * weight(threadIdx.x & 3); }
