// One request of `analyze`, as it is written: docs/report.md.
#pragma once

#include "sim/report/analysis.h"

namespace warplens::report {

// Read and priced; what is wrong with it is among the document's errors, and then the price means nothing.
PricedRequest read_request(const scenario::JsonValue& request, const scenario::JsonDocument& document);

}  // namespace warplens::report
