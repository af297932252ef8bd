// Several recorded packs side by side: how the times of what they share compare, scenario by scenario.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/measure/pack.h"

namespace warplens::cli {

// One scenario in one mode, in one pack, against the first pack.
struct PackRow {
  std::string scenario;
  measure::CompileMode mode = measure::CompileMode::AsWritten;
  std::size_t pack = 0;    // index; 0 is the one that is compared with
  std::size_t shared = 0;  // measurements that both packs have, of right outputs
  double ratio = 0;        // cold times, this pack / first pack: geometric mean
  double least = 0, most = 0;
  std::size_t counters_differ = 0;  // measurements whose global requests or sectors are not the same
};
struct PackComparison {
  std::vector<PackRow> rows;
  std::vector<std::size_t> only_here;  // by pack: measurements that no other pack has
};

PackComparison compare_packs(const std::vector<measure::Pack>& packs);
std::string comparison_text(const PackComparison& comparison, const std::vector<measure::Pack>& packs);
nlohmann::ordered_json comparison_json(const PackComparison& comparison,
                                       const std::vector<measure::Pack>& packs);

}  // namespace warplens::cli
