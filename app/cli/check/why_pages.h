// The caches' model and the bounds against recorded measurements, as pages.
#pragma once

#include <span>
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

// Whether the compiler put registers into local memory: L2 was asked for more than the text loads. That the
// model knows nothing of.
bool is_spilled(const WhyRow& row);

// Mean absolute errors, in points of a hundred, over launches that load anything, and over all. Without what
// is spilled.
struct CacheErrors {
  double l1 = 0, l2 = 0;
};
CacheErrors cache_errors(std::span<const WhyRow> rows);
// How many bounds exceed the measured time by more than 3 %.
std::size_t exceeding(const WhyCheck& check);

std::string caches_summary(const WhyCheck& check);
std::string bounds_summary(const WhyCheck& check);
std::string caches_page(const WhyCheck& check, const std::string& files);
std::string bounds_page(const WhyCheck& check, const std::string& files);

}  // namespace warplens::cli
