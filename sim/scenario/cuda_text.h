// CUDA C++ where people keep it beside .cu files: in strings of Python (load_inline, RawKernel, SourceModule)
// and in cells of notebooks (%%writefile scan.cu, %%cuda).
#pragma once

#include <filesystem>
#include <string>

#include "sim/scenario/scenario.h"

namespace warplens::scenario {

// .cu .cuh .cpp .cc .cxx .h .hpp .ptx: the text is read as it stands.
bool is_kernel_text(const std::filesystem::path& file);
// .py .ipynb: CUDA C++ is taken out of it.
bool holds_kernel_text(const std::filesystem::path& file);

// What of `text`, a file of that name, is CUDA C++: all of it, or the strings and cells that have kernels or
// device functions. Of Python everything else is left out line by line, so that a line keeps its number;
// strings that escape line ends and notebooks have lines of their own. An error where there is none.
Outcome<std::string> kernel_text(std::string text, const std::filesystem::path& file);

}  // namespace warplens::scenario
