// Two reports side by side: warplens.comparison/1, docs/report.md.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/report/report.h"

namespace warplens::report {

nlohmann::ordered_json comparison_json(const Report& a, const Report& b);
std::string comparison_csv(const Report& a, const Report& b);
std::string comparison_text(const Report& a, const Report& b);

}  // namespace warplens::report
