// Documents that Warplens writes itself and that may have been changed since: whether their fields are there,
// of the right kind and range, and fit each other; and, where the kernel is at hand, whether it gives these
// counts.
#pragma once

#include <string>
#include <vector>

#include "app/cli/target/options.h"
#include "sim/scenario/json_document.h"

namespace warplens::cli {

// Errors go into the document. Each gives what was found out, in words. All throw Stopped where the budget
// ends, which is the document's own.
std::string validate_report(scenario::JsonDocument& document, const SimulationOptions& options);
std::string validate_comparison(scenario::JsonDocument& document, const SimulationOptions& options);
std::string validate_analysis(scenario::JsonDocument& document);

// A trace: one JSON document a line. Every line's cost is worked out again from its addresses.
struct TraceVerdict {
  std::string summary;
  std::vector<std::string> errors;
};
TraceVerdict validate_trace(const std::string& text, const std::string& name, Budget& budget);

}  // namespace warplens::cli
