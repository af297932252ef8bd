// What every kernel of the gallery computes, in plain C++ on the host: written from the kernels' descriptions
// with loops of its own, so that neither the simulator nor the scenarios' check expressions have anything in
// it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/kernels/gallery.h"

namespace warplens::test {

using Bytes = std::vector<std::uint8_t>;
using Buffers = std::map<std::string, Bytes>;  // by parameter

// `inputs`: what kernels read and do not write, as it was filled. `element`: the bytes of an element of the
// output. Numbers are of type T where the kernel calculates; where it only moves elements, T does not matter.
// Throws std::runtime_error for a scenario that it does not know.
template <typename T>
Bytes host_output(const scenario::Setup& setup, const std::string& scenario, const Buffers& inputs,
                  std::size_t element);

}  // namespace warplens::test
