#include "tests/differential/coverage.h"

#include <cstdio>

namespace warplens::differential {

void Coverage::add(const RandomKernel& kernel, const Trial& trial) {
  ++kernels;
  using Outcome = ThreeWays::Outcome;
  not_compiled += trial.compiled ? 0 : 1;
  if (!trial.compiled) return;
  limits += trial.ways.outcome == Outcome::Limit ? 1 : 0;
  different += trial.ways.outcome == Outcome::Different ? 1 : 0;
  if (trial.ways.outcome == Outcome::Failed) ++failed[trial.ways.error];
  if (trial.ways.outcome != Outcome::Equal) return;
  const std::uint64_t simulated = trial.ways.simulated, blocks = trial.ways.blocks;
  quick += 2 * simulated < blocks ? 1 : 0;
  const std::uint64_t classed = simulated > 1 && simulated < blocks ? 1 : 0;
  ++all.ran;
  all.classed += classed;
  const Features features = kernel.features();
  for (std::size_t f = 0; f < kFeatures; ++f) {
    if (!features[f]) continue;
    ++of[f].ran;
    of[f].classed += classed;
  }
}

void Coverage::add(const Coverage& more) {
  kernels += more.kernels;
  not_compiled += more.not_compiled;
  limits += more.limits;
  different += more.different;
  quick += more.quick;
  all.ran += more.all.ran;
  all.classed += more.all.classed;
  for (std::size_t f = 0; f < kFeatures; ++f) {
    of[f].ran += more.of[f].ran;
    of[f].classed += more.of[f].classed;
  }
  for (const auto& [kind, count] : more.failed) failed[kind] += count;
}

std::string Coverage::table() const {
  std::string text;
  char line[160];
  const auto add_line = [&](const std::string& name, const Kernels& k) {
    std::snprintf(line, sizeof line, "  %-26s%9llu%9llu\n", name.c_str(),
                  static_cast<unsigned long long>(k.ran), static_cast<unsigned long long>(k.classed));
    text += line;
  };
  text += "                                 ran  in classes\n";
  add_line("all", all);
  for (std::size_t f = 0; f < kFeatures; ++f) add_line(name_of(static_cast<Feature>(f)), of[f]);
  for (const auto& [kind, count] : failed) {
    std::snprintf(line, sizeof line, "  error of kind %-12d%9llu\n", static_cast<int>(kind),
                  static_cast<unsigned long long>(count));
    text += line;
  }
  std::snprintf(line, sizeof line,
                "%llu kernels: %llu ran to their end (%llu with fewer than half of the blocks simulated), ",
                static_cast<unsigned long long>(kernels), static_cast<unsigned long long>(all.ran),
                static_cast<unsigned long long>(quick));
  text += line;
  std::snprintf(line, sizeof line, "%llu met a limit, %llu did not compile, %llu differ\n",
                static_cast<unsigned long long>(limits), static_cast<unsigned long long>(not_compiled),
                static_cast<unsigned long long>(different));
  return text + line;
}

}  // namespace warplens::differential
