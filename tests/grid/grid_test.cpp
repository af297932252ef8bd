// Every scenario at random sizes, shapes and paddings: one block for each class, every block, and the traces
// of all blocks give the same counts.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "sim/count/totals.h"
#include "sim/scenario/scenario.h"
#include "sim/trace/trace.h"

namespace warplens {
namespace {

using scenario::ParameterValues;
using scenario::Scenario;

// Of all blocks together: what brute force may take.
constexpr std::uint64_t kMostInstructions = 300'000;

ParameterValues random_values(const Scenario& s, std::mt19937& random) {
  ParameterValues values;
  // Small enough for brute force, and seldom a multiple of anything; of a kernel of big tiles only few steps.
  const std::int64_t most = random() % 3 == 0 ? 4 : 150;
  for (const scenario::ScenarioParameter& p : s.parameters) {
    if (!p.choices.empty()) {
      values[p.name] = p.choices[random() % p.choices.size()];
      continue;
    }
    const std::int64_t step = std::max<std::int64_t>(1, p.step);
    const std::int64_t steps =
        std::min<std::int64_t>((p.maximum - p.minimum) / step, random() % 3 == 0 ? most / 10 : most);
    values[p.name] =
        p.minimum + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(steps + 1)) * step;
  }
  return values;
}

std::string text_of(const ParameterValues& values) {
  std::string text;
  for (const auto& [name, value] : values) text += " " + name + "=" + std::to_string(value);
  return text;
}

void add(sim::SiteTotals& site, const memory::Cost& cost, int lanes) {
  site.requests += static_cast<std::uint64_t>(cost.requests);
  site.active_lanes += static_cast<std::uint64_t>(lanes);
  site.bytes += static_cast<std::uint64_t>(cost.bytes);
  site.sectors += static_cast<std::uint64_t>(cost.sectors);
  site.ideal_sectors += static_cast<std::uint64_t>(cost.ideal_sectors);
  site.lines += static_cast<std::uint64_t>(cost.lines);
  site.load_sectors += static_cast<std::uint64_t>(cost.load_sectors);
  site.wavefronts += static_cast<std::uint64_t>(cost.wavefronts);
  site.ideal_wavefronts += static_cast<std::uint64_t>(cost.ideal_wavefronts);
  site.bank_conflicts += static_cast<std::uint64_t>(cost.bank_conflicts);
  site.used_bytes += static_cast<std::uint64_t>(cost.used_bytes);
}

sim::Totals traced(const sim::Program& program, const sim::Launch& launch, const memory::GpuModel& gpu) {
  sim::Totals sum;
  sum.global_sites.resize(program.sites.size());
  sum.shared_sites.resize(program.sites.size());
  std::vector<memory::StageCost> stages(program.sites.size());  // in parts of a wavefront
  for (std::uint32_t y = 0; y < launch.grid.y; ++y) {
    for (std::uint32_t x = 0; x < launch.grid.x; ++x) {
      const sim::Trace trace = trace_block(program, launch, gpu, {x, y, 0});
      EXPECT_FALSE(trace.error) << trace.error->message;
      for (std::size_t i = 0; i < trace.events.size(); ++i) {
        const memory::WarpAccess access = trace.access(program, i);
        auto& sites = access.space == memory::Space::Shared ? sum.shared_sites : sum.global_sites;
        add(sites[trace.events[i].site], memory::cost(access), std::popcount(access.active));
        const memory::StageCost stage = l1_stages_of_placements(access);
        stages[trace.events[i].site].tag_wavefronts += stage.tag_wavefronts;
        stages[trace.events[i].site].data_wavefronts += stage.data_wavefronts;
      }
    }
  }
  const auto nearest = [](int parts) {
    return static_cast<std::uint64_t>((2 * parts + memory::kPlacements) / (2 * memory::kPlacements));
  };
  for (std::size_t i = 0; i < stages.size(); ++i) {
    sum.global_sites[i].tag_wavefronts = nearest(stages[i].tag_wavefronts);
    sum.global_sites[i].data_wavefronts = nearest(stages[i].data_wavefronts);
  }
  return sum;
}

// 1: compared; 0: the values make no launch.
int compare(const Scenario& s, const ParameterValues& values) {
  const memory::GpuModel& gpu = memory::default_gpu_model();
  const auto setup = scenario::make_setup(s, values);
  if (!setup) return 0;
  const sim::CompileResult compiled = sim::compile(setup.value->compile);
  EXPECT_TRUE(compiled.program) << (compiled.diagnostics.empty()
                                        ? ""
                                        : compiled.diagnostics.front().message.english());
  if (!compiled.program) return 0;
  const sim::Launch& launch = setup.value->launch;
  if (!check_launch(*compiled.program, launch, gpu).empty() || launch.grid.count() > 3000) return 0;
  sim::TotalsOptions brute;
  brute.brute_force = true;
  brute.threads = 2;
  sim::TotalsOptions by_classes;
  by_classes.limits.instructions = kMostInstructions;
  const sim::Totals a = grid_totals(*compiled.program, launch, gpu, by_classes);
  if (a.error && a.error->is_limit()) return 0;
  if (!a.error && a.warp_instructions / a.blocks_simulated * a.blocks_total > kMostInstructions) return 0;
  const sim::Totals b = grid_totals(*compiled.program, launch, gpu, brute);
  EXPECT_EQ(a.error.has_value(), b.error.has_value())
      << (a.error ? a.error->message.english() : "") << (b.error ? b.error->message.english() : "");
  if (a.error || b.error) return 0;
  EXPECT_EQ(a.global_sites, b.global_sites);
  EXPECT_EQ(a.shared_sites, b.shared_sites);
  EXPECT_EQ(a.barriers, b.barriers);
  if (launch.grid.count() <= 100 && launch.grid.z == 1) {
    const sim::Totals c = traced(*compiled.program, launch, gpu);
    EXPECT_EQ(a.global_sites, c.global_sites);
    EXPECT_EQ(a.shared_sites, c.shared_sites);
  }
  return 1;
}

constexpr std::string_view kEnding = ".scenario.json";

std::vector<std::string> gallery() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(WARPLENS_SOURCE_DIR "/kernels"))
    if (const std::string file = entry.path().filename().string(); file.ends_with(kEnding))
      names.push_back(file.substr(0, file.size() - kEnding.size()));
  std::ranges::sort(names);
  return names;
}

class Grid : public testing::TestWithParam<std::string> {};

// Each by itself: their costs differ by a hundred, and one that hangs is named.
TEST_P(Grid, ClassesBruteForceAndTracesAgreeAtRandomSizes) {
  const auto loaded =
      scenario::load_scenario(WARPLENS_SOURCE_DIR "/kernels/" + GetParam() + std::string(kEnding));
  ASSERT_TRUE(loaded.value);
  const Scenario& s = *loaded.value;
  const char* seed = std::getenv("WARPLENS_SEED");
  std::vector<int> from(s.name.begin(), s.name.end());
  from.push_back(seed != nullptr ? std::atoi(seed) : 1);
  std::seed_seq mixed(from.begin(), from.end());
  std::mt19937 random(mixed);
  int compared = 0;
  for (int round = 0; round < 60 && compared < 8; ++round) {
    const ParameterValues values = random_values(s, random);
    SCOPED_TRACE(s.name + text_of(values));
    compared += compare(s, values);
    if (HasFailure()) return;
  }
  EXPECT_GT(compared, 0) << s.name;
}

INSTANTIATE_TEST_SUITE_P(Gallery, Grid, testing::ValuesIn(gallery()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace warplens
