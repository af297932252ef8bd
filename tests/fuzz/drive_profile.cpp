#include <cmath>
#include <cstdint>

#include "sim/profile/ncu_profile.h"
#include "tests/fuzz/drive.h"

namespace warplens::fuzz {

Outcome profile(std::string_view text) {
  Outcome outcome;
  const auto read = profile::read_ncu_profile(text, "ncu.csv");
  require(read || !read.errors.empty(), "a profile or an error");
  for (const auto& error : read.errors)
    require(error.english().starts_with("ncu.csv: "), "an error names the file");
  if (!read) return outcome;
  require(!read.value->launches.empty(), "a profile has a launch");
  for (const profile::ProfiledLaunch& launch : read.value->launches) {
    require(!launch.id.empty() && launch.line > 0, "a launch has an ID and a line");
    launch.may_be("k");
    for (const profile::Metric& metric : launch.metrics)
      require(std::isfinite(metric.value) && metric.resolution >= 0 && launch.find(metric.name) == &metric,
              "a metric is a number, and there once");
  }
  outcome.compiled = 1;
  return outcome;
}

std::vector<std::string> profile_corpus() {
  return texts_of({"tests/data/ncu"}, ".csv", UINTMAX_MAX);
}

}  // namespace warplens::fuzz
