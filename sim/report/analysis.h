// Prices warp accesses that are given as addresses: the form of {"requests": [...]}, docs/report.md.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/memory/async_copy.h"
#include "sim/memory/cost.h"
#include "sim/scenario/json_document.h"
#include "sim/scenario/scenario.h"

namespace warplens::report {

// A load, store, atomic or reduction; ldmatrix or stmatrix, which is a shared access of rows; or cp.async.
struct PricedRequest {
  std::string op;  // as it was given
  memory::WarpAccess access;
  memory::Cost cost;
  std::optional<memory::AsyncCopyCost> copy;  // of a cp.async: then `access` is what it reads
};

struct Analysis {
  std::vector<PricedRequest> requests;  // in the order given
};

inline constexpr std::size_t kMaxAnalysisBytes = std::size_t{32} << 20;

// Errors, misaligned addresses among them, name file, line and field. On an error nothing is priced. Goes by
// the document's budget.
scenario::Outcome<Analysis> analyze(scenario::JsonDocument& document);

// Throw Stopped where the budget ends.
nlohmann::ordered_json analysis_json(const Analysis& analysis,
                                     Budget& budget = Budget::endless());  // warplens.analysis/1
std::string analysis_csv(const Analysis& analysis, Budget& budget = Budget::endless());
std::string analysis_text(const Analysis& analysis, Budget& budget = Budget::endless());

// One request of `analyze`, as it is written: docs/report.md.

// Read and priced; what is wrong with it is among the document's errors, and then the price means nothing.
PricedRequest read_request(const scenario::JsonValue& request, const scenario::JsonDocument& document);

}  // namespace warplens::report
