// The compiler of CUDA C++ that this machine has, asked for a kernel's PTX.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kernels/protocol/compiler.h"

namespace warplens::measure {

// compile_to_ptx() with this machine's tools, launched as the text is. Where the value is empty, `failure`
// says why.
scenario::Outcome<scenario::Setup> compiled_setup(CompileOrder order, Budget& budget, Failure* failure);

// A program of the CUDA Toolkit: on PATH, or in the toolkit's folder. Empty: it is not here.
std::filesystem::path find_in_toolkit(const std::string& name,
                                      const std::vector<std::filesystem::path>& more = {});

}  // namespace warplens::measure
