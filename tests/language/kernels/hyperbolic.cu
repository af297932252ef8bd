#include <cmath>

__global__ void hyperbolic(const float *x, const double *y, float *out, double *wide, long long *whole, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  int power;
  float part = frexpf(v, &power);
  out[i] = coshf(v) + sinhf(v) - atanf(v) * atan2f(v, 0.5f) + asinf(v * 0.5f) - acosf(v * 0.25f) + hypotf(v, 2.0f) +
           cbrtf(v) + ldexpf(part, power + 1) + asinhf(v) + acoshf(v + 1.0f) + atanhf(v * 0.5f) + erfcf(v) +
           expm1f(v) + log1pf(v) + remainderf(v, 0.3f) + fdimf(v, 0.5f) + lgammaf(v + 1.0f) + tgammaf(v + 1.0f);
  float u = i * 0.25f;
  out[i] += sqrtf(u * u) + floorf(u) * 10 + ceil(u) * 100 + fmaf(u, 2.0f, 1.0f) + fminf(u, 1) + fmax(u, 3.0f) +
            fabsf(u - 3) + isnan(u) + fmodf(u, 1.5f) + __int_as_float(__float_as_int(u)) + powf(2.0f, 3) + logf(u + 1) +
            __expf(-u) + __fdividef(u, 2.0f) + rintf(u) + roundf(u) + truncf(-u) + copysignf(u, -1.0f);
  out[i] += __float2int_rn(u) + 100 * __float2int_rd(-u) + 10000 * __float2int_ru(u) + 0.5f * __float2int_rz(u);
  double w = y[i];
  wide[i] = cosh(w) + sinh(w) + atan(w) + atan2(w, 2.0) + asin(w * 0.5) + acos(w * 0.5) + hypot(w, 3.0) + cbrt(w) +
            ldexp(w, -2) + frexp(w, &power) + erfc(w) + expm1(w) + log1p(w) + remainder(w, 0.7);
  whole[i] = lrintf(v * 10.0f) + llround(w * 7.0) + lround(w * -3.0) + llrintf(v) + power;
}

// ---- host
int main() { hyperbolic<<<2, 64>>>(d_x, d_y, d_out, d_wide, d_whole, 100); }
