// What the details page calls a metric, and what its rules say in sentences, under the names of counters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplens::profile {

// "L1/TEX Hit Rate" -> "l1tex__t_sector_hit_rate.pct". `unit` is a base unit: it parts metrics of one label.
// What is a counter's name already, or not known, stays as it is.
std::string metric_name(std::string_view label, std::string_view unit);

// The details page's label of a counter, or the counter's own name where it has none.
std::string label_of(std::string_view name);

// Counters in a rule's text, with the numbers as they stand there: "... 8192 excessive sectors (50% of the
// total 16384 sectors)".
struct RuleFigure {
  std::string name, number;
};
std::vector<RuleFigure> figures_of_rule(std::string_view text);

// What a metric that is not predicted means: the last part of a key of the languages
// ("explain.means.l2_hit"), or empty.
std::string_view meaning_of(std::string_view name);

}  // namespace warplens::profile
