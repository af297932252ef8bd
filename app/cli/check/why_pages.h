// The caches' model and the bounds against recorded measurements, as pages.
#pragma once

#include <string>
#include <vector>

#include "app/cli/why.h"
#include "app/measure/pack.h"

namespace warplens::cli {

struct WhyRow {
  const measure::Measurement* measurement = nullptr;
  report::Why why;
};

struct WhyCheck {
  const measure::Pack* pack = nullptr;
  std::vector<WhyRow> rows;  // measurements whose counters were read with empty caches
  std::size_t left_out = 0;  // the others, and those of another text
};

WhyCheck check_why(const measure::Pack& pack, const SimulationOptions& simulation);

// Mean absolute errors, in points of a hundred, over launches that load anything, and that reach L2.
struct CacheErrors {
  double l1 = 0, l2 = 0;
};
CacheErrors cache_errors(const WhyCheck& check);
// How many bounds exceed the measured time by more than 3 %.
std::size_t exceeding(const WhyCheck& check);

std::string why_summary(const WhyCheck& check);
std::string caches_page(const WhyCheck& check, const std::string& files);
std::string bounds_page(const WhyCheck& check, const std::string& files);

}  // namespace warplens::cli
