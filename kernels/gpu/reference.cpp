#include "kernels/gpu/reference.h"

#include <algorithm>
#include <iterator>

namespace warplens::gpu {
namespace {

using measure::BufferArgument;
using measure::KernelArgument;
using measure::MeasureRequest;

constexpr std::uint64_t kMostCopy = std::uint64_t{4} << 30;

bool is_product(const MeasureRequest& request) {
  return request.reference_kind != scenario::Reference::Copy;
}
bool is_wanted(const MeasureRequest& request) {
  return request.reference && request.cold_samples + request.warm_samples > 0;
}

// A product in cuBLAS: of what A and B are, and C.
struct Product {
  scenario::Reference kind;
  sim::ScalarType factors, result;
  const char* what;
};
constexpr Product kProducts[] = {
    {scenario::Reference::CublasHgemm, sim::ScalarType::F16, sim::ScalarType::F32,
     "cublasGemmEx (FP16, sums in FP32)"},
    {scenario::Reference::CublasSgemm, sim::ScalarType::F32, sim::ScalarType::F32,
     "cublasSgemm (FP32, no TF32)"},
    {scenario::Reference::CublasDgemm, sim::ScalarType::F64, sim::ScalarType::F64, "cublasDgemm (FP64)"}};
const Product& product_of(const MeasureRequest& request) {
  return *std::ranges::find(kProducts, request.reference_kind, &Product::kind);
}

// The kernel's own numbers: how many bits change decides what a product draws, and so the clocks.
sim::Fill fill_of(const MeasureRequest& request, const std::string& matrix) {
  for (const KernelArgument& argument : request.subject.arguments)
    if (const auto* buffer = std::get_if<BufferArgument>(&argument.value);
        buffer != nullptr && argument.name == matrix && buffer->fill != sim::Fill::Zero)
      return buffer->fill;
  return sim::Fill::Random;
}
std::uint64_t copied_bytes(const MeasureRequest& request) {
  // Each byte is read and written.
  return std::min((request.useful_bytes > 0 ? request.useful_bytes : request.counted_bytes) / 2, kMostCopy);
}

}  // namespace

std::uint64_t Reference::bytes(const MeasureRequest& request) {
  if (!is_wanted(request)) return 0;
  if (!is_product(request)) return 2 * copied_bytes(request);
  const auto [m, n, k] = request.product;
  const Product& product = product_of(request);
  return (m * k + k * n) * static_cast<std::uint64_t>(sim::size_of(product.factors)) +
         m * n * static_cast<std::uint64_t>(sim::size_of(product.result));
}

void Reference::release() {
  launch_ = nullptr;
  from_.reset();
  to_.reset();
  matrices_.reset();
}

void Reference::prepare(const MeasureRequest& request, measure::Measurement& result) {
  release();
  result.reference = request.reference_kind;
  if (!is_wanted(request)) return;
  if (is_product(request))
    prepare_product(request, result);
  else
    prepare_copy(request, result);
}

void Reference::prepare_copy(const MeasureRequest& request, measure::Measurement& result) {
  const std::uint64_t bytes = copied_bytes(request);
  if (bytes == 0) return;
  const Driver& driver = gpu_.driver();
  from_ = DeviceBuffer(driver, bytes);
  to_ = DeviceBuffer(driver, bytes);
  driver.check(driver.set_bytes(from_.address(), 1, bytes, gpu_.stream()),
               Message::Text("preparing the reference copy"));
  result.reference_what = "cudaMemcpy device to device";
  result.reference_bytes = 2 * bytes;
  launch_ = [this, bytes] {
    gpu_.driver().check(gpu_.driver().copy_on_device(to_.address(), from_.address(), bytes, gpu_.stream()),
                        "the reference copy");
  };
}

void Reference::prepare_product(const MeasureRequest& request, measure::Measurement& result) {
  if (cublas_ == nullptr && no_cublas_.empty())
    cublas_ = Cublas::open(std::atoi(gpu_.info().cuda.c_str()), gpu_.stream(), no_cublas_);
  result.reference_reason = no_cublas_;
  if (cublas_ == nullptr) return;
  const Product& product = product_of(request);
  const auto [m, n, k] = request.product;
  const auto matrix = [](const char* name, sim::ScalarType type, std::uint64_t elements, sim::Fill fill) {
    return KernelArgument{name, type, BufferArgument{elements, sim::size_of(type), fill, true}};
  };
  matrices_ = std::make_unique<Arguments>(
      gpu_,
      std::vector<KernelArgument>{matrix("C", product.result, m * n, sim::Fill::Zero),
                                  matrix("A", product.factors, m * k, fill_of(request, "A")),
                                  matrix("B", product.factors, k * n, fill_of(request, "B"))},
      0);
  result.reference_what = product.what;
  launch_ = [this, type = product.factors, sizes = request.product] {
    cublas_->product(sizes, type, matrices_->address(0), matrices_->address(1), matrices_->address(2));
  };
}

}  // namespace warplens::gpu
