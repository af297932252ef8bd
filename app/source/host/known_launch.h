// A launch of the host code, as far as its text says what it is: see KnownLaunch.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "app/source/host/values.h"
#include "app/source/kernel_facts.h"
#include "sim/cuda/parse/syntax.h"

// What host code says of a tensor map: the lists that it gives cuTensorMapEncodeTiled().
//
//   uint64_t size[] = {columns, rows}, pitch[] = {columns * sizeof(half)};
//   uint32_t box[] = {64, 128}, steps[] = {1, 1};
//   cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, data, size, pitch, box, steps, …)

namespace warplens::app {

// By what a kernel's parameter has behind its name: ".width" of the map in `variable`, as an expression of
// the host's names; what the text does not say is left out.
std::map<std::string, std::string> tensor_map_values(std::string_view text, std::string_view variable);

// `file`: words_of_file() of the text. `constants`: of the headers, by name. Without its label.
KnownLaunch known_launch(const cuda::HostLaunch& launch, const KernelFacts& kernel, const std::string& text,
                         const FileWords& file, const Names& constants, Budget& budget);

}  // namespace warplens::app
