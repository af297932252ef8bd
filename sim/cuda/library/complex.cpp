#include "sim/cuda/library/library.h"

namespace warplens::cuda {

const LibraryText kFourier = {"cufft.h", {"cufftComplex", "cufftReal", "cufftDouble"}, "typedef float cufftReal", R"(
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef float2 cufftComplex;
typedef double2 cufftDoubleComplex;
)"};

// cuComplex.h, whose types are float2 and double2. Quotients are not scaled against
// overflow, as the header's are.
const LibraryText kComplexNumbers = {"cuComplex.h", {"cuComplex.h"}, "cuCaddf(float", R"(
typedef float2 cuFloatComplex;
typedef float2 cuComplex;
typedef double2 cuDoubleComplex;
__host__ __device__ inline float cuCrealf(float2 x) { return x.x; }
__host__ __device__ inline float cuCimagf(float2 x) { return x.y; }
__host__ __device__ inline float2 make_cuFloatComplex(float r, float i) { return make_float2(r, i); }
__host__ __device__ inline float2 make_cuComplex(float r, float i) { return make_float2(r, i); }
__host__ __device__ inline float2 cuConjf(float2 x) { return make_float2(x.x, -x.y); }
__host__ __device__ inline float2 cuCaddf(float2 x, float2 y) { return make_float2(x.x + y.x, x.y + y.y); }
__host__ __device__ inline float2 cuCsubf(float2 x, float2 y) { return make_float2(x.x - y.x, x.y - y.y); }
__host__ __device__ inline float2 cuCmulf(float2 x, float2 y) {
  return make_float2(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}
__host__ __device__ inline float2 cuCdivf(float2 x, float2 y) {
  const float scale = 1.0f / (y.x * y.x + y.y * y.y);
  return make_float2((x.x * y.x + x.y * y.y) * scale, (x.y * y.x - x.x * y.y) * scale);
}
__host__ __device__ inline float2 cuCfmaf(float2 x, float2 y, float2 d) { return cuCaddf(cuCmulf(x, y), d); }
__host__ __device__ inline float cuCabsf(float2 x) { return sqrtf(x.x * x.x + x.y * x.y); }
__host__ __device__ inline double cuCreal(double2 x) { return x.x; }
__host__ __device__ inline double cuCimag(double2 x) { return x.y; }
__host__ __device__ inline double2 make_cuDoubleComplex(double r, double i) { return make_double2(r, i); }
__host__ __device__ inline double2 cuConj(double2 x) { return make_double2(x.x, -x.y); }
__host__ __device__ inline double2 cuCadd(double2 x, double2 y) { return make_double2(x.x + y.x, x.y + y.y); }
__host__ __device__ inline double2 cuCsub(double2 x, double2 y) { return make_double2(x.x - y.x, x.y - y.y); }
__host__ __device__ inline double2 cuCmul(double2 x, double2 y) {
  return make_double2(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}
__host__ __device__ inline double2 cuCdiv(double2 x, double2 y) {
  const double scale = 1.0 / (y.x * y.x + y.y * y.y);
  return make_double2((x.x * y.x + x.y * y.y) * scale, (x.y * y.x - x.x * y.y) * scale);
}
__host__ __device__ inline double2 cuCfma(double2 x, double2 y, double2 d) { return cuCadd(cuCmul(x, y), d); }
__host__ __device__ inline double cuCabs(double2 x) { return sqrt(x.x * x.x + x.y * x.y); }
)"};

// thrust::complex<float>, std::complex and cuda::std::complex alike: two numbers, aligned as both together.
const LibraryText kComplexTemplate = {"complex", {"::complex<"}, "struct complex", R"(
namespace thrust {}
template <typename T>
struct __align__(2 * sizeof(T)) complex {
  T re, im;
  __host__ __device__ complex(T r = T(0), T i = T(0)) : re(r), im(i) {}
  __host__ __device__ T real() const { return re; }
  __host__ __device__ T imag() const { return im; }
  __host__ __device__ void real(T r) { re = r; }
  __host__ __device__ void imag(T i) { im = i; }
  __host__ __device__ complex& operator+=(const complex& o) { re += o.re; im += o.im; return *this; }
  __host__ __device__ complex& operator-=(const complex& o) { re -= o.re; im -= o.im; return *this; }
  __host__ __device__ complex& operator*=(const complex& o) {
    const T r = re * o.re - im * o.im;
    im = re * o.im + im * o.re;
    re = r;
    return *this;
  }
  __host__ __device__ complex& operator*=(T s) { re *= s; im *= s; return *this; }
  __host__ __device__ complex& operator/=(T s) { re /= s; im /= s; return *this; }
};
template <typename T>
__host__ __device__ complex<T> operator+(const complex<T>& a, const complex<T>& b) {
  return complex<T>(a.re + b.re, a.im + b.im);
}
template <typename T>
__host__ __device__ complex<T> operator-(const complex<T>& a, const complex<T>& b) {
  return complex<T>(a.re - b.re, a.im - b.im);
}
template <typename T>
__host__ __device__ complex<T> operator*(const complex<T>& a, const complex<T>& b) {
  return complex<T>(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
template <typename T>
__host__ __device__ complex<T> operator*(const complex<T>& a, T s) { return complex<T>(a.re * s, a.im * s); }
template <typename T>
__host__ __device__ complex<T> operator*(T s, const complex<T>& a) { return complex<T>(a.re * s, a.im * s); }
template <typename T>
__host__ __device__ complex<T> operator/(const complex<T>& a, T s) { return complex<T>(a.re / s, a.im / s); }
template <typename T>
__host__ __device__ complex<T> operator/(const complex<T>& a, const complex<T>& b) {
  const T scale = T(1) / (b.re * b.re + b.im * b.im);
  return complex<T>((a.re * b.re + a.im * b.im) * scale, (a.im * b.re - a.re * b.im) * scale);
}
template <typename T>
__host__ __device__ complex<T> operator-(const complex<T>& a) { return complex<T>(-a.re, -a.im); }
template <typename T>
__host__ __device__ complex<T> conj(const complex<T>& a) { return complex<T>(a.re, -a.im); }
template <typename T>
__host__ __device__ T norm(const complex<T>& a) { return a.re * a.re + a.im * a.im; }
template <typename T>
__host__ __device__ T abs(const complex<T>& a) { return sqrt(a.re * a.re + a.im * a.im); }
)"};

}  // namespace warplens::cuda
