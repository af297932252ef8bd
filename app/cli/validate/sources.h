// Kernels, scenarios and sessions: what they say is compiled and run.
#pragma once

#include <string>
#include <vector>

#include "app/cli/target/options.h"
#include "sim/scenario/json_document.h"

namespace warplens::cli {

struct Verdict {
  std::string what;     // "scenario transpose_shared"
  std::string summary;  // in words, where it is sound
  std::vector<std::string> errors;
  std::vector<std::string> remarks{};  // it compiles, and this says why it was not run to its end
  bool limit = false;                  // time or steps ended before all was run: what was run is sound
};

Verdict validate_scenario(const std::string& file, const SimulationOptions& options);
// Every kernel of the file, with the launch of the file's own host code, or with the one that the window
// would open it with.
Verdict validate_kernel_file(const std::string& file, const SimulationOptions& options);
Verdict validate_session(const std::string& file, scenario::JsonDocument& document,
                         const SimulationOptions& options);
// Every scene is compiled and its place looked up.
Verdict validate_lecture(const std::string& file, scenario::JsonDocument& document,
                         const SimulationOptions& options);

}  // namespace warplens::cli
