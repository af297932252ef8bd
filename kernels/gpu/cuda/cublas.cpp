#include <cstdlib>

#include "kernels/gpu/reference.h"

namespace warplens::gpu {
namespace {

constexpr int kDefaultMath = 0, kNotTransposed = 0;
constexpr int kFloats = 0, kHalves = 2, kSumsInFloat = 68,
              kDefaultAlgorithm = -1;  // as cublasGemmEx has them

std::vector<std::string> names(const std::string& library, int cuda_major) {
  std::vector<std::string> list;
  for (int major = cuda_major; major >= 11; --major) list.push_back(library + ".so." + std::to_string(major));
  return list;
}

}  // namespace

bool Cublas::look_up() {
  return library_.look_up("cublasCreate_v2", create_) &&
         library_.look_up("cublasSetStream_v2", set_stream_) &&
         library_.look_up("cublasSetMathMode", set_math_mode_) && library_.look_up("cublasGemmEx", gemm_) &&
         library_.look_up("cublasSgemm_v2", sgemm_) && library_.look_up("cublasDgemm_v2", dgemm_);
}

std::unique_ptr<Cublas> Cublas::open(int cuda_major, CUstream stream, std::string& reason) {
  std::unique_ptr<Cublas> cublas(new Cublas);
  setenv("NVIDIA_TF32_OVERRIDE", "0", 1);  // whatever the environment says: FP32 stays FP32
  const char* named = std::getenv("WARPLENS_CUBLAS");
  if (named != nullptr && *named != '\0') {
    cublas->library_ = SharedLibrary::open({named}, {});
  } else {
    // It lies beside cuBLAS, where the loader may not look by itself.
    cublas->lt_ = SharedLibrary::open(names("libcublasLt", cuda_major), cuda_library_folders());
    cublas->library_ = SharedLibrary::open(names("libcublas", cuda_major), cuda_library_folders());
  }
  if (!cublas->library_) {
    reason = "cuBLAS was not found (libcublas.so of CUDA up to " + std::to_string(cuda_major) + ")";
    return nullptr;
  }
  if (!cublas->look_up()) {
    reason = cublas->library_.path() + " is not a cuBLAS that this program can use";
    return nullptr;
  }
  int failed = cublas->create_(&cublas->handle_);
  if (failed == 0) failed = cublas->set_stream_(cublas->handle_, stream);
  if (failed == 0) failed = cublas->set_math_mode_(cublas->handle_, kDefaultMath);
  if (failed != 0) {
    reason = "cuBLAS does not start (status " + std::to_string(failed) + ")";
    return nullptr;
  }
  return cublas;
}

// cuBLAS thinks in columns: what it takes for C' = B' A' is C = A B row by row.
void Cublas::product(const std::array<std::uint64_t, 3>& sizes, sim::ScalarType type, CUdeviceptr c,
                     CUdeviceptr a, CUdeviceptr b) const {
  const int m = static_cast<int>(sizes[0]), n = static_cast<int>(sizes[1]), k = static_cast<int>(sizes[2]);
  const auto at = [](CUdeviceptr address) { return reinterpret_cast<void*>(address); };
  int failed = 0;
  const float one = 1, zero = 0;
  if (type == sim::ScalarType::F64) {
    const double one64 = 1, zero64 = 0;
    failed = dgemm_(handle_, kNotTransposed, kNotTransposed, n, m, k, &one64, at(b), n, at(a), k, &zero64,
                    at(c), n);
  } else if (type == sim::ScalarType::F16) {
    failed = gemm_(handle_, kNotTransposed, kNotTransposed, n, m, k, &one, at(b), kHalves, n, at(a), kHalves,
                   k, &zero, at(c), kFloats, n, kSumsInFloat, kDefaultAlgorithm);
  } else {
    failed =
        sgemm_(handle_, kNotTransposed, kNotTransposed, n, m, k, &one, at(b), n, at(a), k, &zero, at(c), n);
  }
  if (failed != 0)
    throw measure::FailureError(measure::FailureKind::Internal,
                                Message("cuBLAS refused the reference product (status {})", failed));
}

}  // namespace warplens::gpu
