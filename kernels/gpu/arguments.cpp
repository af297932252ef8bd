#include "kernels/gpu/arguments.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/gpu/output_check.h"
#include "sim/base/numbers.h"
#include "sim/base/team.h"
#include "sim/scalar/bits.h"

namespace warplens::gpu {
namespace {

using measure::BufferArgument;
using measure::FailureError;
using measure::FailureKind;
using measure::KernelArgument;
using sim::ScalarType;

std::uint64_t bytes_of(const BufferArgument& buffer) {
  return buffer.elements * static_cast<std::uint64_t>(buffer.element_bytes);
}

// A buffer that is not all zeros has its filled state kept beside it, to start again from.
std::uint64_t needed_bytes(const std::vector<KernelArgument>& arguments) {
  std::uint64_t bytes = 0;
  for (const KernelArgument& argument : arguments) {
    const auto* buffer = std::get_if<BufferArgument>(&argument.value);
    if (buffer == nullptr) continue;
    const bool has_master = !buffer->is_zero() && !buffer->is_const;
    bytes += bytes_of(*buffer) * (has_master ? 2 : 1) + 512;
  }
  return bytes;
}

void check_fits(Gpu& gpu, const std::vector<KernelArgument>& arguments, std::uint64_t other_bytes) {
  const std::uint64_t needed = needed_bytes(arguments);
  const std::uint64_t free = gpu.free_bytes();
  const std::uint64_t reserve = other_bytes + (std::uint64_t{64} << 20);
  if (needed + reserve <= free) return;
  const double share = free > reserve ? static_cast<double>(free - reserve) / static_cast<double>(needed) : 0;
  Message fits;
  for (const KernelArgument& argument : arguments)
    if (const auto* buffer = std::get_if<BufferArgument>(&argument.value)) {
      const Message fit("{} {} elements", argument.name,
                        static_cast<std::uint64_t>(static_cast<double>(buffer->elements) * share));
      fits = fits.empty() ? fit : Message("{}, {}", fits, fit);
    }
  throw FailureError(
      FailureKind::OutOfMemory,
      Message("the buffers need {}; the GPU has {} free", bytes_text(needed), bytes_text(free)),
      Message("This would fit: {}.", fits));
}

// Filling takes a while for large buffers, so blocks of elements go to all cores.
template <typename Body>
void on_all_cores(std::uint64_t count, const Body& body) {
  const auto most = static_cast<std::uint64_t>(processor_threads());
  const std::uint64_t workers = std::clamp<std::uint64_t>(count / 65536, 1, most);
  run_team(static_cast<int>(workers), [&](int member) {
    const auto w = static_cast<std::uint64_t>(member);
    body(count * w / workers, count * (w + 1) / workers);
  });
}

// The last few filled buffers on the host: one ladder asks for the same ones over and over.
const std::vector<std::byte>& remembered_fill(const KernelArgument& argument) {
  static RememberedBytes remembered;
  const auto& buffer = std::get<BufferArgument>(argument.value);
  const std::string key =
      std::string(sim::name_of(argument.type)) + "/" + std::to_string(buffer.elements) + "/" +
      std::to_string(buffer.element_bytes) + "/" + sim::name_of(buffer.fill) +
      (buffer.range ? "/" + std::to_string((*buffer.range)[0]) + "/" + std::to_string((*buffer.range)[1])
                    : "") +
      buffer.data_hash;
  if (const auto found = remembered.find(key); found != remembered.end()) return found->second;
  return remember(remembered, key, filled_bytes(argument));
}

CUtensorMapDataType element_type(ScalarType type) {
  constexpr std::pair<ScalarType, CUtensorMapDataType> kTypes[] = {
      {ScalarType::U8, CU_TENSOR_MAP_DATA_TYPE_UINT8},
      {ScalarType::U16, CU_TENSOR_MAP_DATA_TYPE_UINT16},
      {ScalarType::U32, CU_TENSOR_MAP_DATA_TYPE_UINT32},
      {ScalarType::I32, CU_TENSOR_MAP_DATA_TYPE_INT32},
      {ScalarType::U64, CU_TENSOR_MAP_DATA_TYPE_UINT64},
      {ScalarType::I64, CU_TENSOR_MAP_DATA_TYPE_INT64},
      {ScalarType::F16, CU_TENSOR_MAP_DATA_TYPE_FLOAT16},
      {ScalarType::BF16, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16},
      {ScalarType::F64, CU_TENSOR_MAP_DATA_TYPE_FLOAT64}};
  for (const auto& [known, encoded] : kTypes)
    if (known == type) return encoded;
  return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
}

CUtensorMapSwizzle swizzle_of(std::int64_t bytes) {
  return bytes == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
         : bytes == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
         : bytes == 32 ? CU_TENSOR_MAP_SWIZZLE_32B
                       : CU_TENSOR_MAP_SWIZZLE_NONE;
}

CUtensorMap encode(const Driver& driver, const sim::TensorMapShape& shape, ScalarType type,
                   CUdeviceptr address) {
  std::array<cuuint64_t, 3> size{};
  std::array<cuuint32_t, 3> box{}, step{1, 1, 1};
  for (std::size_t d = 0; d < size.size(); ++d) {
    size[d] = static_cast<cuuint64_t>(shape.size[d]);
    box[d] = static_cast<cuuint32_t>(shape.box[d]);
  }
  const std::array<cuuint64_t, 2> pitch{static_cast<cuuint64_t>(shape.pitch),
                                        static_cast<cuuint64_t>(shape.slice)};
  CUtensorMap map{};
  driver.check(
      driver.encode_tensor_map(&map, element_type(type), static_cast<cuuint32_t>(shape.dimensions),
                               reinterpret_cast<void*>(address), size.data(), pitch.data(), box.data(),
                               step.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle_of(shape.swizzle),
                               CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
      Message::Text("making a tensor map"));
  return map;
}

}  // namespace

std::uint64_t scalar_bits(const KernelArgument& argument) {
  const auto* integer = std::get_if<std::int64_t>(&argument.value);
  const sim::Number number =
      integer != nullptr ? sim::Number(*integer) : sim::Number(std::get<double>(argument.value));
  const auto bits = sim::fitting_bits(argument.type, number);
  if (!bits) {
    const std::string value = std::visit([](auto n) { return std::to_string(n); }, number);
    throw FailureError(FailureKind::BadRequest, Message("argument '{}' is {}, which its type {} cannot hold",
                                                        argument.name, value, sim::name_of(argument.type)));
  }
  return sim::memory_bits(argument.type, *bits);
}

std::vector<std::byte> filled_bytes(const KernelArgument& argument) {
  const auto& buffer = std::get<BufferArgument>(argument.value);
  std::vector<std::byte> bytes(bytes_of(buffer));
  if (buffer.data)
    std::memcpy(bytes.data(), buffer.data->data(), std::min(bytes.size(), buffer.data->size()));
  if (buffer.is_zero() || buffer.data) return bytes;
  const auto size = static_cast<std::uint64_t>(sim::size_of(argument.type));
  on_all_cores(bytes.size() / size, [&](std::uint64_t begin, std::uint64_t end) {
    sim::fill_bytes(buffer.fill, argument.type, buffer.elements, buffer.range, begin * size,
                    bytes.data() + begin * size, (end - begin) * size);
  });
  return bytes;
}

Arguments::Arguments(Gpu& gpu, const std::vector<KernelArgument>& arguments, std::uint64_t other_bytes) {
  check_fits(gpu, arguments, other_bytes);
  const Driver& driver = gpu.driver();
  for (const KernelArgument& argument : arguments) {
    if (argument.is_part()) continue;
    if (const auto* buffer = std::get_if<BufferArgument>(&argument.value)) {
      Filled filled{argument.name, DeviceBuffer(driver, bytes_of(*buffer)), {}, false};
      if (!buffer->is_zero()) {
        const std::vector<std::byte>& bytes = remembered_fill(argument);
        driver.check(driver.copy_to_device(filled.buffer.address(), bytes.data(), bytes.size()),
                     Message::Text("filling a buffer"));
        // What the kernel cannot write stays as it is and needs no second copy.
        if (!buffer->is_const) {
          filled.master = DeviceBuffer(driver, bytes.size());
          driver.check(driver.copy_to_device(filled.master.address(), bytes.data(), bytes.size()),
                       Message::Text("filling a buffer"));
        }
      } else {
        filled.is_zero_at_first = !buffer->is_const;
        driver.check(driver.set_bytes(filled.buffer.address(), 0, filled.buffer.bytes(), gpu.stream()),
                     Message::Text("filling a buffer"));
      }
      const CUdeviceptr address = filled.buffer.address();
      buffers_.push_back(std::move(filled));
      if (buffer->tensor) {
        maps_.push_back(encode(driver, *buffer->tensor, argument.type, address));
        pointers_.push_back(&maps_.back());
        continue;
      }
      values_.push_back(address);
    } else {
      values_.push_back(scalar_bits(argument));
    }
    pointers_.push_back(&values_.back());
  }
}

void Arguments::refill(Gpu& gpu) const {
  const Driver& driver = gpu.driver();
  for (const Filled& filled : buffers_) {
    const CUdeviceptr to = filled.buffer.address();
    if (filled.master.address() != 0)
      driver.check(driver.copy_on_device(to, filled.master.address(), filled.buffer.bytes(), gpu.stream()),
                   Message::Text("filling a buffer"));
    else if (filled.is_zero_at_first)
      driver.check(driver.set_bytes(to, 0, filled.buffer.bytes(), gpu.stream()),
                   Message::Text("filling a buffer"));
  }
}

std::vector<std::byte> Arguments::read_back(Gpu& gpu, const std::string& name) const {
  for (const Filled& filled : buffers_) {
    if (filled.name != name) continue;
    std::vector<std::byte> bytes(filled.buffer.bytes());
    const Driver& driver = gpu.driver();
    driver.check(driver.copy_to_host(bytes.data(), filled.buffer.address(), bytes.size()),
                 Message::Text("reading a buffer back"));
    return bytes;
  }
  return {};
}

}  // namespace warplens::gpu
