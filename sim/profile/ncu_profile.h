// What `ncu --csv` prints: the details page, a row a metric, and the raw page, a row a launch.
//
//   ncu --csv --page details ./app > ncu.csv          ncu --csv --page raw --metrics ... ./app > ncu.csv
//   ncu --import report.ncu-rep --csv --page raw > ncu.csv
//
// Lines of other programs before the table, and lines of ncu's own ("==PROF== ..."), are passed over.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/launch/launch.h"
#include "sim/lower/kernel_name.h"
#include "sim/profile/ncu_text.h"
#include "sim/scenario/scenario.h"

namespace warplens::profile {

inline constexpr std::size_t kMostProfileBytes = std::size_t{64} << 20;

struct Metric {
  std::string name;   // "l1tex__t_sector_hit_rate.pct", or as printed where that is not known
  std::string label;  // as printed: "L1/TEX Hit Rate"
  std::string unit;   // without a prefix: "byte", "%", "second"; or empty
  double value = 0;
  double resolution = 0;  // what rounding may hide, to either side
  std::string text;       // as printed
};

struct ProfiledLaunch {
  std::string id;      // ncu's
  std::string kernel;  // as printed
  std::optional<sim::Dim3> grid, block;
  std::string device, compute_capability;  // "0", "9.0"; or empty
  std::vector<Metric> metrics;             // in the order of the file, each name once
  int line = 1;                            // of the file, where it begins
  const Metric* find(std::string_view name) const;
  // Of "void ns::k<(int)32, float>(float *, int)", "k", "_Z1kPfi"; its arguments as a text has them.
  sim::KernelName name() const;
  // Whether a person or a scenario may mean it by `wanted`: namespaces may be left out.
  bool may_be(std::string_view wanted) const;
};

struct NcuProfile {
  enum class Page : unsigned char { Details, Raw };
  Page page = Page::Details;
  std::vector<ProfiledLaunch> launches;  // in the order of the file
};

// `name` begins every error, with line and column where they are known. Throws Stopped where the budget ends.
scenario::Outcome<NcuProfile> read_ncu_profile(std::string_view text, const std::string& name,
                                               Budget& budget = Budget::endless());

// ---- what the details page calls a metric, and what its rules say in sentences, under the names of counters

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

}  // namespace warplens::profile
