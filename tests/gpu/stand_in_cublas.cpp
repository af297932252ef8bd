// Stands in for cuBLAS: takes every product and computes none. STAND_IN_CUBLAS=refuses: takes none.
#include <cstdlib>

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT int cublasCreate_v2(void** handle) {
  static int one = 0;
  return *handle = &one, 0;
}
EXPORT int cublasDestroy_v2(void*) {
  return 0;
}
EXPORT int cublasSetStream_v2(void*, void*) {
  return 0;
}
EXPORT int cublasSetMathMode(void*, int mode) {
  return mode;  // anything but the default is an error here: FP32 must be FP32
}
// Rows of C are columns here, so a product of m x n over k arrives as n, m, k with leading sizes n, k, n.
EXPORT int cublasSgemm_v2(void*, int, int, int n, int m, int k, const float*, const void*, int ldb,
                          const void*, int lda, const float*, void*, int ldc) {
  return std::getenv("STAND_IN_CUBLAS") != nullptr || m != 2 || ldb != n || lda != k || ldc != n ? 7 : 0;
}
// Halves (2) in, floats (0) out, summed up in float (68), by whichever algorithm (-1).
EXPORT int cublasGemmEx(void*, int, int, int n, int m, int k, const void*, const void*, int b, int ldb,
                        const void*, int a, int lda, const void*, void*, int c, int ldc, int sums,
                        int algorithm) {
  if (a != 2 || b != 2 || c != 0 || sums != 68 || algorithm != -1) return 8;
  return m != 2 || ldb != n || lda != k || ldc != n ? 7 : 0;
}
EXPORT int cublasDgemm_v2(void*, int, int, int n, int m, int k, const double*, const void*, int ldb,
                          const void*, int lda, const double*, void*, int ldc) {
  return m != 2 || ldb != n || lda != k || ldc != n ? 7 : 0;
}
