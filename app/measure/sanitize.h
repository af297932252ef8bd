// One launch of a kernel under compute-sanitizer: what it found, at the lines of the kernel's text.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <variant>

#include "app/measure/sanitizer.h"
#include "kernels/protocol/protocol.h"

namespace warplens::measure {

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

}  // namespace warplens::measure
