// Whole-grid totals of every scenario of the gallery, from its kernel's text: at 4096 where it has a size.
#include <benchmark/benchmark.h>

#include <cstdio>

#include "sim/count/totals.h"
#include "sim/scenario/scenario.h"

namespace warplens {
namespace {

scenario::ParameterValues large(const scenario::Scenario& s) {
  scenario::ParameterValues values = scenario::defaults(s);
  for (const char* size : {"nrows", "ncols", "m", "n", "k"}) {
    const auto found = values.find(size);
    if (found == values.end()) continue;
    for (const scenario::ScenarioParameter& p : s.parameters) {
      if (p.name == size && p.choices.empty() && p.maximum >= 4096)
        found->second = std::max<std::int64_t>(found->second, 4096);
    }
  }
  return values;
}

void BM_Totals(benchmark::State& state, const sim::Program& program, const sim::Launch& launch,
               bool brute_force) {
  sim::TotalsOptions options;
  options.brute_force = brute_force;
  options.threads = 1;
  std::uint64_t accesses = 0;
  for (auto _ : state) {
    const sim::Totals totals = grid_totals(program, launch, memory::default_gpu_model(), options);
    if (totals.error) state.SkipWithError(totals.error->message.english().c_str());
    state.counters["simulated"] = static_cast<double>(totals.blocks_simulated);
    state.counters["blocks"] = static_cast<double>(totals.blocks_total);
    state.SetLabel(totals.data_dependent.english());
    for (const auto* sites : {&totals.global_sites, &totals.shared_sites}) {
      for (const sim::SiteTotals& site : *sites) accesses += site.requests;
    }
  }
  state.counters["accesses/s"] =
      benchmark::Counter(static_cast<double>(accesses), benchmark::Counter::kIsRate);
}

void add(const scenario::Scenario& s) {
  const auto setup = scenario::make_setup(s, large(s));
  if (!setup) {
    std::fprintf(stderr, "%s: %s\n", s.name.c_str(),
                 setup.errors.empty() ? "?" : setup.errors.front().english().c_str());
    return;
  }
  const sim::CompileResult compiled = sim::compile(setup.value->compile);
  if (!compiled.program) {
    for (const cuda::Diagnostic& d : compiled.diagnostics) {
      std::fprintf(stderr, "%s", render(d, s.text, s.name).c_str());
    }
    return;
  }
  benchmark::RegisterBenchmark(("Classes/" + s.name).c_str(), BM_Totals, *compiled.program,
                               setup.value->launch, false)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark(("BruteForce/" + s.name).c_str(), BM_Totals, *compiled.program,
                               setup.value->launch, true)
      ->Unit(benchmark::kMillisecond)
      ->Iterations(1);
}

}  // namespace
}  // namespace warplens

int main(int argc, char** argv) {
  const auto scenarios = warplens::scenario::load_scenarios(WARPLENS_SOURCE_DIR "/kernels");
  for (const std::string& error : scenarios.errors) std::fprintf(stderr, "%s\n", error.c_str());
  if (scenarios.value) {
    for (const warplens::scenario::Scenario& s : *scenarios.value) warplens::add(s);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
