// PTX of a kernel in CUDA C++: nvcc is asked, or NVRTC in warplens-gpu, whichever there is. No GPU is needed.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kernels/protocol/failure.h"
#include "sim/report/report.h"
#include "sim/scenario/scenario.h"

namespace warplens::measure {

// What this machine has.
struct CompilerTools {
  std::vector<std::string> nvcc, gpu;  // the commands of nvcc and of warplens-gpu; empty: not here
  std::filesystem::path ptxas{}, nvdisasm{};
  std::filesystem::path cache;  // of the person; empty: none
  bool is_browser = false;
};

struct CompileOrder {
  CompilerTools tools;
  scenario::Setup written;                      // its text, kernel, template arguments, macros and headers
  std::filesystem::path folder{};               // whose headers the text may include; empty: none
  std::vector<std::filesystem::path> includes;  // more of them, as -I
  std::string architecture = "sm_90";
  bool is_guessed = false;  // the template arguments: where they do not compile, the host code's are taken
  double seconds = 60;      // for each program that is started
  const std::atomic<bool>* stop = nullptr;
};

// What is compiled, whoever compiles it: 32 hexadecimal digits of text, kernel, architecture and macros.
std::string compile_key(const CompileOrder& order);

struct CompiledText {
  std::string ptx, compiler;  // "nvcc 13.0.88"
};

// Blocks until the compiler has ended or was ended, with all that it started; what it wrote beside its answer
// is gone then. What was compiled before is kept in the person's cache. A Failure: there is no compiler, it
// does not compile the text (Compile, with lines), its time was over (Deadline), it was stopped (Cancelled).
std::variant<CompiledText, Failure> compile_to_ptx(const CompileOrder& order);

// What ptxas leaves of the accesses of shared memory of PTX, as nvdisasm shows it; lines are those of
// `source`, the file that .file names. Empty: a tool is not here, or cannot.
std::optional<report::SharedWidths> machine_code_widths(const CompileOrder& order, const std::string& ptx,
                                                        const std::string& entry, const std::string& source);

// As machine_code_widths(), of what nvdisasm printed.
report::SharedWidths widths_in(const std::string& disassembly, const std::string& entry,
                               const std::string& source);

}  // namespace warplens::measure
