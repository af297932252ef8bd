// Two reports side by side with the times that were measured of exactly these targets.
#pragma once

#include <optional>

#include "sim/report/comparison.h"

namespace warplens::report {

struct ComparedTimes {
  std::string label;           // "recorded, NVIDIA H200"; empty: neither is known
  std::optional<double> a, b;  // medians in seconds; none: not measured
};

nlohmann::ordered_json comparison_json(const Report& a, const Report& b, const ComparedTimes& times);
std::string comparison_csv(const Report& a, const Report& b, const ComparedTimes& times);
std::string comparison_text(const Report& a, const Report& b, const ComparedTimes& times);

}  // namespace warplens::report
