// The arguments of a host function template around a launch, as the file calls it first:
//
//   template <int D> void run(float* q) { attention<D, D / 8><<<64, 128>>>(q); }
//   int main() { run<64>(q); }                                              D is 64 at the launch
#pragma once

#include <string>
#include <string_view>

#include "app/source/host/values.h"

namespace warplens::app {

// By name; of types too. `seen`: what the launch sees (visible_before), which ends in the function; `text`:
// the file. Empty: no template is around it, or no call says all of its arguments.
Names instance_around(std::string_view seen, std::string_view text);

}  // namespace warplens::app
