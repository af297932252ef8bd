// compute-sanitizer's report, read: what it found, and at which line of the kernel's text.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kernels/protocol/compiler.h"
#include "kernels/protocol/protocol.h"

namespace warplens::measure {

struct SanitizerFinding {
  std::string what;    // "Invalid __global__ write of size 4 bytes"
  std::string file;    // as the compiler was told: "kernel.cu"; empty: no place
  int line = 0;        // from 1; 0: no place
  std::string where;   // "thread (31,0,0) in block (0,0,0)"; empty: not said
  std::string detail;  // "Address 0x7f... is out of bounds"
  int times = 1;       // findings that differ in thread and address only are one
};

struct SanitizerReport {
  std::vector<SanitizerFinding> findings;  // in the order of the report
  bool complete = false;                   // its summary was reached
  long errors = 0;                         // that its summary counts
  std::string problem;                     // compute-sanitizer itself failed: "Device not supported"
};

// Where the summary counts errors and no finding is of a kind known here, what was said of them is one
// finding.
SanitizerReport read_sanitizer_report(const std::string& text);

// "Invalid __global__ write of size 4 bytes (3 times), first by thread (31,0,0) in block (0,0,0); Address
// ...".
std::string in_words(const SanitizerFinding& finding);
// One line a finding, with its place, with the text of its source line where `source` has it.
std::string in_words(const SanitizerReport& report, const std::string& source);

// The program, or empty: WARPLENS_SANITIZER, PATH, the CUDA Toolkit's folder.
std::string find_sanitizer();

// One launch of a kernel under compute-sanitizer: what it found, at the lines of the kernel's text.

struct SanitizeOptions {
  std::string tool = "memcheck";  // or racecheck, initcheck, synccheck
  double patience_seconds = 30;   // for its report, which comes at the very end
  const std::atomic<bool>* stop = nullptr;
};

struct Sanitized {
  SanitizerReport report;
  std::optional<Failure> ended;  // how the launch itself ended, where it did not end well
  bool clean() const { return report.findings.empty() && !ended; }
};

// Blocks until compute-sanitizer has ended. A Failure: it is not installed, it cannot check this GPU, there
// is no GPU, the kernel does not compile for it, or it was stopped (Cancelled).
std::variant<Sanitized, Failure> sanitize(MeasureRequest request, const SanitizeOptions& options);

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
std::filesystem::path find_in_toolkit(const std::string& name,
                                      const std::vector<std::filesystem::path>& more = {});

}  // namespace warplens::measure
