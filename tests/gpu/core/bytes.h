// Values as a GPU's memory holds them.
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

namespace warplens::gpu {

template <typename T>
std::vector<std::byte> bytes(const std::vector<T>& values) {
  std::vector<std::byte> result(values.size() * sizeof(T));
  std::memcpy(result.data(), values.data(), result.size());
  return result;
}

}  // namespace warplens::gpu
