// A kernel in CUDA C++ as a compiler left it: the PTX that it made, launched as the text is.
//
//   const std::string text = text_to_compile(written);            // what the compiler is given
//   Outcome<Setup> compiled = as_compiled(written, ptx, budget);   // the same launch, of the PTX
#pragma once

#include <cstdint>
#include <string>

#include "sim/scenario/scenario.h"

namespace warplens::scenario {

// The text as it is, its places said to be its own; behind it the kernel is named, so that a template is made
// with these arguments where the host code of the file does not do it. A function of CUDA of the same name
// makes that ambiguous: a kernel that is no template is there without being named.
enum class Naming : std::uint8_t { Kernel, Nothing };
std::string text_to_compile(const Setup& written, Naming naming = Naming::Kernel);

// The entry of the PTX that is the kernel, its parameters called as in the text, each with what the launch of
// the text gives it. The text is its source. Where the text cannot be compiled here, what its signature says
// of its parameters has to do: a buffer whose elements are of a type that is not known has no end.
Outcome<Setup> as_compiled(const Setup& written, std::string ptx, Budget& budget);

}  // namespace warplens::scenario
