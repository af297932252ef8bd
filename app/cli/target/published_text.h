// What others published of a target, on the command line: beside what is predicted, and never compared with
// it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/cli/target/options.h"
#include "app/measure/published.h"

namespace warplens::cli {

// An entry about the target.
struct Published {
  measure::PublishedPack pack;  // with this entry alone
  // What a profiler of the pack's GPU counts a request, computed for the first block of this launch; 0: not
  // modelled, or no such access.
  double load_transactions = 0, store_transactions = 0;
};
// Packs that cannot be read are told as warnings. Empty: nothing is published of it, or it is no scenario.
std::vector<Published> published_of(const scenario::Prepared& prepared, const SimulationOptions& options);

// "published by others, not measured here: ..."; a line an entry. Empty: there is none.
std::string published_text(const std::vector<Published>& published);
nlohmann::ordered_json published_json(const std::vector<Published>& published);

}  // namespace warplens::cli
