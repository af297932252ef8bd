// Pointers of pointers' arithmetic: ends, differences, comparisons, walking, swapping.
template <typename T> __device__ void swap_pointers(T *&a, T *&b) {
  T *t = a;
  a = b;
  b = t;
}
__device__ const float *find(const float *first, const float *last, float limit) {
  for (; first != last; ++first)
    if (*first > limit) return first;
  return last;
}
__global__ void walk(const float *in, float *front, float *back, int *where, int n) {
  const float *begin = in + threadIdx.x * n, *const end = begin + n;
  const float *found = find(begin, end, 0.75f);
  where[threadIdx.x] = found == end ? -1 : int(found - begin);
  float *to = &front[threadIdx.x], *other = back + threadIdx.x;
  for (const float *p = begin; p < end; p += 2) {
    *to += *p - p[1];
    swap_pointers(to, other);
  }
  *to = begin[0] > 1[begin] ? *to : -*to;
}

// ---- host
int main() { walk<<<1, 32>>>(in, a, b, w, 8); }
