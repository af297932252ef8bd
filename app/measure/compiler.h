// PTX of a kernel in CUDA C++: nvcc is asked, or NVRTC in warplens-gpu, whichever there is. No GPU is needed.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "kernels/protocol/failure.h"
#include "sim/scenario/scenario.h"

namespace warplens::measure {

struct CompileOrder {
  scenario::Setup written;                      // its text, kernel, template arguments, macros and headers
  std::filesystem::path folder{};               // whose headers the text may include; empty: none
  std::vector<std::filesystem::path> includes;  // more of them, as -I
  std::string architecture = "sm_90";
  double seconds = 60;  // for each program that is started
  const std::atomic<bool>* stop = nullptr;
};

struct CompiledText {
  std::string ptx, compiler;  // "nvcc 13.0.88"
};

// Blocks until the compiler has ended or was ended, with all that it started; what it wrote beside its answer
// is gone then. What was compiled before is kept in the person's cache. A Failure: there is no compiler, it
// does not compile the text (Compile, with lines), its time was over (Deadline), it was stopped (Cancelled).
std::variant<CompiledText, Failure> compile_to_ptx(const CompileOrder& order);

// The same, launched as the text is.
scenario::Outcome<scenario::Setup> compiled_setup(const CompileOrder& order, Budget& budget,
                                                  Failure* failure);

// A program of the CUDA Toolkit: on PATH, or in the toolkit's folder. Empty: it is not here.
std::filesystem::path find_in_toolkit(const std::string& name,
                                      const std::vector<std::filesystem::path>& more = {});

}  // namespace warplens::measure
