// How fast the machine counts: warp accesses a second by brute force, whole-grid totals by classes, traces.
#include <benchmark/benchmark.h>

#include "sim/count/totals.h"
#include "sim/trace/trace.h"
#include "tests/sim/machine_kernels.h"

namespace warplens::sim {
namespace {

Launch sgemm_launch(std::int64_t n, Dim3 block) {
  Launch launch;
  launch.block = block;
  launch.grid = {static_cast<std::uint32_t>(n) / block.x, static_cast<std::uint32_t>(n) / block.y, 1};
  const auto elements = static_cast<std::uint64_t>(n * n);
  launch.arguments = {{"A", Buffer{elements}},
                      {"B", Buffer{elements}},
                      {"C", Buffer{elements}},
                      {"M", n},
                      {"N", n},
                      {"K", n}};
  return launch;
}

std::uint64_t accesses(const Totals& totals) {
  std::uint64_t sum = 0;
  for (const SiteTotals& site : totals.global_sites) sum += site.requests;
  for (const SiteTotals& site : totals.shared_sites) sum += site.requests;
  return sum;
}

void count(benchmark::State& state, const Program& program, const Launch& launch, bool brute_force) {
  TotalsOptions options;
  options.brute_force = brute_force;
  options.threads = 1;
  std::uint64_t counted = 0;
  for (auto _ : state) {
    const Totals totals = grid_totals(program, launch, memory::default_gpu_model(), options);
    if (totals.error) state.SkipWithError(totals.error->message.english().c_str());
    counted += accesses(totals);
    state.counters["simulated"] = static_cast<double>(totals.blocks_simulated);
  }
  state.counters["accesses/s"] =
      benchmark::Counter(static_cast<double>(counted), benchmark::Counter::kIsRate);
}

void BM_SgemmBruteForce(benchmark::State& state) {
  count(state, sgemm_program(), sgemm_launch(256, {32, 8, 1}), true);
}
BENCHMARK(BM_SgemmBruteForce)->Unit(benchmark::kMillisecond);

void BM_SgemmClasses(benchmark::State& state) {
  count(state, sgemm_program(), sgemm_launch(state.range(0), {32, 32, 1}), false);
}
BENCHMARK(BM_SgemmClasses)->Arg(1024)->Arg(4096)->Unit(benchmark::kMillisecond);

Launch transpose_launch(std::uint32_t n, Dim3 block) {
  Launch launch;
  launch.block = block;
  launch.grid = {(n + block.x - 1) / block.x, (n + block.y - 1) / block.y, 1};
  const std::uint64_t elements = std::uint64_t{n} * n;
  launch.arguments = {{"out", Buffer{elements}},
                      {"in", Buffer{elements}},
                      {"nrows", std::int64_t{n}},
                      {"ncols", std::int64_t{n}}};
  return launch;
}

void BM_TransposeClasses(benchmark::State& state) {
  const auto n = static_cast<std::uint32_t>(state.range(0));
  const Dim3 block{static_cast<std::uint32_t>(state.range(1)), static_cast<std::uint32_t>(state.range(2)), 1};
  count(state, naive_transpose_program(), transpose_launch(n, block), false);
}
BENCHMARK(BM_TransposeClasses)
    ->Args({4096, 32, 8})
    ->Args({4096, 8, 8})
    ->Args({4096, 1, 128})
    ->Args({4099, 32, 8})
    ->Args({4099, 7, 5})
    ->Unit(benchmark::kMillisecond);

void BM_TransposeBruteForce(benchmark::State& state) {
  count(state, naive_transpose_program(), transpose_launch(2048, {32, 8, 1}), true);
}
BENCHMARK(BM_TransposeBruteForce)->Unit(benchmark::kMillisecond);

void BM_TraceSgemmBlock(benchmark::State& state) {
  const Program program = sgemm_program();
  const Launch launch = sgemm_launch(1024, {32, 32, 1});
  std::size_t events = 0;
  for (auto _ : state) {
    const Trace trace = trace_block(program, launch, memory::default_gpu_model(), {3, 4, 0});
    events += trace.events.size();
  }
  state.counters["events/s"] = benchmark::Counter(static_cast<double>(events), benchmark::Counter::kIsRate);
}
BENCHMARK(BM_TraceSgemmBlock)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace warplens::sim

BENCHMARK_MAIN();
