// 32 x 32 cells of the transpose ladder's landscape, each compiled and counted whole: padding by block width.
#include <benchmark/benchmark.h>

#include <numeric>

#include "app/views/landscape.h"

namespace warplens::app {
namespace {

using namespace views;

void BM_Landscape(benchmark::State& state, const char* name) {
  static const Catalog kCatalog = load_catalog(WARPLENS_SOURCE_DIR "/kernels");
  const scenario::Scenario* s = kCatalog.find(name);
  if (s == nullptr) return state.SkipWithError("no such scenario");
  Settings settings;
  settings.scenario = name;
  settings.values = scenario::defaults(*s);
  auto plan = plan_landscape(s, settings, {});
  if (!plan) return state.SkipWithError("no two parameters");
  plan->x.values.resize(32);  // padding 0 to 31
  plan->y.values.resize(32);
  std::iota(plan->y.values.begin(), plan->y.values.end(), 1);
  for (auto _ : state) {
    LandscapeCells cells(plan->size());
    count_landscape(*plan, &cells, {.threads = static_cast<int>(state.range(0))});
    const Landscape landscape = landscape_of(*plan, cells, LandscapeMeasure::Usual);
    if (landscape.done != 1024 || landscape.best < 0) return state.SkipWithError("not all is counted");
  }
  state.SetLabel(std::string(name) + ", 1,024 cells");
}
BENCHMARK_CAPTURE(BM_Landscape, tile, "transpose_shared")
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(BM_Landscape, unroll, "transpose_unroll2")
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace warplens::app

BENCHMARK_MAIN();
