// What comes with CUDA's libraries: complex numbers, constants that are types, functions of bytes.

template <bool ADDS>
__device__ float adds(std::bool_constant<ADDS>, float x) {
  if constexpr (ADDS) return x + 1;
  return x;
}

__global__ void complex_numbers(const cufftComplex* a, const float2* b, float2* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const cufftComplex x = {a[i].x, a[i].y}, y = {b[i].x, b[i].y};
  const __typeof__(x.x) size = fmaxf(x.x * x.x + x.y * x.y, 0.25f);
  out[i] = make_float2(adds(std::true_type(), x.x - y.y), adds(std::false_type(), x.y + y.x) + size);
}

__global__ void bit_functions(const unsigned* a, const unsigned* b, unsigned* out, double* parts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned x = a[i] * 2654435761u, y = b[i] * 2246822519u;
  unsigned sum = __byte_perm(x, y, 0x7531u) ^ __byte_perm(x, y, 0x8c24u);
  sum += __dp4a((int)x, (int)y, 3) + __dp4a(x, y, 4u) + signbit(-1.5f * i);
  sum += (__popc(x) ^ __clz(a[i]) << 6 ^ __ffs(a[i]) << 12 ^ __brev(y)) + __mulhi((int)x, (int)y) + __umulhi(x, y);
  int min = 7;
  sum += __mul24(i - 5, 3) + __umul24(i + (1u << 24), 5) + std::min(i, min) + max(x, 20u) + abs(i - 16);
  out[i] = sum;
  const double whole = __hiloint2double(0x40080000 + i, (int)x);
  parts[i] = whole + 1;
}

// ---- host
int main() {
  complex_numbers<<<3, 64>>>(a, b, out, 150);
  bit_functions<<<3, 64>>>(a, b, out, parts, 150);
}
