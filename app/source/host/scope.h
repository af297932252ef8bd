// What of a file's text a place in its host code can see: everything at the top level before it, and of the
// functions and blocks only those that it stands in. A variable of another function, or of a block that has
// ended, is not meant by the same name.
#pragma once

#include <string>
#include <string_view>

#include "app/source/host/values.h"

namespace warplens::app {

// The text before `offset` (bytes) as a program that is started without arguments goes through it (`if (argc
// > 1)`), without comments and without blocks that have ended; preprocessor lines and namespaces stay.
std::string visible_before(std::string_view text, std::size_t offset);

// The arguments of a host function template around a launch, as the file calls it first:
//
//   template <int D> void run(float* q) { attention<D, D / 8><<<64, 128>>>(q); }
//   int main() { run<64>(q); }                                              D is 64 at the launch

// By name; of types too. `seen`: what the launch sees (visible_before), which ends in the function; `text`:
// the file. Empty: no template is around it, or no call says all of its arguments.
Names instance_around(std::string_view seen, std::string_view text);

}  // namespace warplens::app
