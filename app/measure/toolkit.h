// The CUDA Toolkit at hand: a kernel as its compiler makes it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "kernels/protocol/compiler.h"
#include "kernels/protocol/protocol.h"

namespace warplens::measure {

// compile_to_ptx() with this machine's tools, launched as the text is. Where the value is empty, `failure`
// says why.
scenario::Outcome<scenario::Setup> compiled_setup(CompileOrder order, Budget& budget, Failure* failure);

// The gallery's kernels as nvcc compiled them for sm_90 at their first choices and those that were measured,
// which comes with the program (tools/gallery_ptx.py). Empty: it is none of them.
std::optional<CompiledText> shipped_text(const CompileOrder& order);

// Whether the assembler leaves accesses of shared memory of the widths that the report has, where ptxas and
// nvdisasm are at hand.
void read_machine_code(report::Report& report, const scenario::Setup& compiled, CompileOrder order);

// A program of the CUDA Toolkit: on PATH, or in the toolkit's folder. Empty: it is not here.
std::filesystem::path find_in_toolkit(const std::string& name);

}  // namespace warplens::measure
