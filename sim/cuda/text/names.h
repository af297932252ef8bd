// The words of CUDA C++ that are known without a declaration.
#pragma once

#include <string_view>

#include "sim/base/message.h"

namespace warplens::cuda {

inline constexpr std::string_view kPart = "#part";  // of an object: a member that structured bindings name
bool is_keyword(std::string_view word);             // if, const, __global__, __shared__ ...; no type words
bool is_type_word(std::string_view word);         // unsigned, long, float ...: part of a built-in type's name
bool is_cuda_type(std::string_view word);         // float4, dim3, size_t, uint32_t ...
bool is_cooperative_name(std::string_view word);  // of namespace cooperative_groups
bool is_library_name(std::string_view word);      // of namespace cuda
bool is_matrix_name(std::string_view word);       // of namespace nvcuda::wmma
bool is_cooperative_type(std::string_view word);  // those of them that are types

// A class of <type_traits> that is understood: `is_same`, `conditional_t`.
bool is_trait(std::string_view word);

// What is not supported in a kernel, by the name that gives it away: the message and what to write instead.
struct Unsupported {
  std::string_view name;
  Message message, remedy;
};
const Unsupported* find_unsupported(std::string_view word);

}  // namespace warplens::cuda
