// The figures that the project promises, from the kernels' text: counting by brute force and by classes, the
// gallery at its default sizes, what caches answer of it, and a trace of a million accesses.
// `tests/bench/table` makes docs/benchmarks.md of them.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "app/measure/toolkit.h"
#include "sim/cache/traffic.h"
#include "sim/count/load_waits.h"
#include "sim/count/totals.h"
#include "sim/scenario/launch_document.h"
#include "sim/scenario/scenario.h"
#include "sim/trace/trace.h"

namespace warplens {
namespace {

struct Ready {
  sim::Program program;
  sim::Launch launch;
};

std::vector<scenario::Scenario>& gallery() {
  static std::vector<scenario::Scenario> all = [] {
    auto loaded = scenario::load_scenarios(WARPLENS_SOURCE_DIR "/kernels");
    for (const std::string& error : loaded.errors) std::fprintf(stderr, "%s\n", error.c_str());
    return loaded.value ? *loaded.value : std::vector<scenario::Scenario>();
  }();
  return all;
}

Ready compile(sim::CompileRequest request, sim::Launch launch) {
  sim::CompileResult compiled = sim::compile(request);
  for (const cuda::Diagnostic& d : compiled.diagnostics)
    std::fputs(render(d, request.text, "").c_str(), stderr);
  return {compiled.program ? *compiled.program : sim::Program(), std::move(launch)};
}

Ready scenario_at(const scenario::Scenario& s, const scenario::ParameterValues& values) {
  const auto setup = scenario::make_setup(s, values);
  for (const std::string& error : setup.errors)
    std::fprintf(stderr, "%s: %s\n", s.name.c_str(), error.c_str());
  return setup ? compile(setup.value->compile, setup.value->launch) : Ready{};
}

Ready sgemm_naive(std::int64_t n) {
  for (const scenario::Scenario& s : gallery()) {
    if (s.name == "sgemm_naive") return scenario_at(s, {{"m", n}, {"n", n}, {"k", n}});
  }
  return {};
}

// As nvcc compiled it, which comes with the program.
Ready sgemm_compiled(std::int64_t n) {
  for (const scenario::Scenario& s : gallery()) {
    if (s.name != "sgemm_naive") continue;
    auto setup = scenario::make_setup(s, {{"m", n}, {"n", n}, {"k", n}});
    if (!setup) return {};
    measure::CompileOrder order;
    order.written = std::move(*setup.value);
    const auto shipped = measure::shipped_text(order);
    Budget budget;
    const auto compiled = shipped ? scenario::as_compiled(order.written, shipped->ptx, budget)
                                  : scenario::Outcome<scenario::Setup>{};
    return compiled ? compile(compiled.value->compile, compiled.value->launch) : Ready{};
  }
  return {};
}

struct Loads {
  std::uint64_t requests = 0, sectors = 0, accesses = 0;
};

Loads loads_of(const sim::Program& program, const sim::Totals& totals) {
  Loads loads;
  for (std::size_t site = 0; site < program.sites.size(); ++site) {
    loads.accesses += totals.global_sites[site].requests + totals.shared_sites[site].requests;
    if (program.sites[site].op != memory::Op::Load) continue;
    loads.requests += totals.global_sites[site].requests;
    loads.sectors += totals.global_sites[site].sectors;
  }
  return loads;
}

void count(benchmark::State& state, const Ready& ready, int threads, bool brute_force, Loads expected = {}) {
  sim::TotalsOptions options;
  options.brute_force = brute_force;
  options.threads = threads;
  std::uint64_t accesses = 0;
  for (auto _ : state) {
    const sim::Totals totals = grid_totals(ready.program, ready.launch, memory::default_gpu_model(), options);
    if (totals.error) return state.SkipWithError(totals.error->message.english().c_str());
    const Loads loads = loads_of(ready.program, totals);
    if (expected.requests != 0 && (loads.requests != expected.requests || loads.sectors != expected.sectors))
      return state.SkipWithError("the totals are wrong");
    accesses += loads.accesses;
    state.SetLabel(std::to_string(totals.blocks_simulated) + " of " + std::to_string(totals.blocks_total) +
                   " blocks");
  }
  state.counters["per_second"] =
      benchmark::Counter(static_cast<double>(accesses), benchmark::Counter::kIsRate);
}

// 512 x 512 in blocks of 32 x 32: 8,192 warps, each 512 loads of A and B and one of C.
void BM_BruteForce(benchmark::State& state) {
  count(state, sgemm_naive(512), static_cast<int>(state.range(0)), true, {8'396'800, 138'674'176, 0});
}
BENCHMARK(BM_BruteForce)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

void BM_Classes(benchmark::State& state) {
  const auto n = static_cast<std::uint64_t>(state.range(0));
  const std::uint64_t warps = n * n / 32;
  count(state, sgemm_naive(state.range(0)), 1, false, {warps * (2 * n + 1), warps * (33 * n + 32), 0});
}
BENCHMARK(BM_Classes)->Arg(4096)->Unit(benchmark::kMillisecond)->UseRealTime();

void BM_CompiledBruteForce(benchmark::State& state) {
  count(state, sgemm_compiled(512), static_cast<int>(state.range(0)), true, {8'396'800, 138'674'176, 0});
}
BENCHMARK(BM_CompiledBruteForce)->Arg(1)->Unit(benchmark::kMillisecond)->UseRealTime();

void BM_CompiledClasses(benchmark::State& state) {
  count(state, sgemm_compiled(state.range(0)), 0, false);
}
BENCHMARK(BM_CompiledClasses)->Arg(4096)->Unit(benchmark::kMillisecond)->UseRealTime();

// A whole module is read, of which one kernel becomes a program.
void BM_Module(benchmark::State& state) {
  std::ifstream in(WARPLENS_SOURCE_DIR "/tests/compiled/data/assembled/stores.ptx");
  std::ostringstream text;
  text << in.rdbuf();
  sim::CompileRequest request;
  request.text = text.str();
  request.kernel = "turn_16_16_0";
  for (auto _ : state)
    if (!sim::compile(request).program) state.SkipWithError("it does not compile");
  state.SetLabel(std::to_string(std::ranges::count(request.text, '\n')) + " lines");
}
BENCHMARK(BM_Module)->Unit(benchmark::kMillisecond)->UseRealTime();

Ready million(const char* text) {
  sim::Launch launch;
  launch.block = {256, 1, 1};
  return compile({.text = text}, std::move(launch));
}

// 8 warps of 125,000 accesses. Regular: shapes repeat. Scattered: no two accesses have the same shape.
const Ready& million_regular() {
  static const Ready ready = million(R"(__global__ void k(float* out, const float* in) {
  float sum = 0;
  for (int i = 0; i < 62500; ++i) {
    sum += in[i * 256 + threadIdx.x];
    out[threadIdx.x * 64 + i % 64] = sum;
  }
})");
  return ready;
}
const Ready& million_scattered() {
  static const Ready ready = million(R"(__global__ void k(float* out, const float* in) {
  unsigned int at = threadIdx.x;
  for (int i = 0; i < 125000; ++i) {
    at = at * 1664525u + 1013904223u;
    out[at % 1000000u] = i;
  }
})");
  return ready;
}

void trace(benchmark::State& state, const Ready& ready) {
  std::size_t events = 0, bytes = 0;
  for (auto _ : state) {
    const sim::Trace made = trace_block(ready.program, ready.launch, memory::default_gpu_model(), {0, 0, 0});
    if (made.error || made.events.size() != 1'000'000) return state.SkipWithError("not a million accesses");
    events += made.events.size();
    bytes = made.bytes();
  }
  state.counters["per_second"] = benchmark::Counter(static_cast<double>(events), benchmark::Counter::kIsRate);
  state.SetLabel(std::to_string((bytes + 500'000) / 1'000'000) + " MB");
}
void BM_TraceRegular(benchmark::State& state) {
  trace(state, million_regular());
}
BENCHMARK(BM_TraceRegular)->Unit(benchmark::kMillisecond)->UseRealTime();
void BM_TraceScattered(benchmark::State& state) {
  trace(state, million_scattered());
}
BENCHMARK(BM_TraceScattered)->Unit(benchmark::kMillisecond)->UseRealTime();

// All variables at some moment of the million, forwards and backwards.
void BM_Scrub(benchmark::State& state) {
  const Ready& ready = million_regular();
  const sim::Trace made = trace_block(ready.program, ready.launch, memory::default_gpu_model(), {0, 0, 0});
  std::size_t event = 1;
  for (auto _ : state) {
    event = (event * 7'919 + 104'729) % made.events.size();
    benchmark::DoNotOptimize(
        variables_at(ready.program, ready.launch, memory::default_gpu_model(), made, event));
  }
}
BENCHMARK(BM_Scrub)->Unit(benchmark::kMillisecond)->UseRealTime();

void BM_Gallery(benchmark::State& state, const Ready& ready) {
  count(state, ready, 0, false);
}

// What a launch takes that long for, but for its totals: caches, atomics, loads on their way.
void BM_Caches(benchmark::State& state, const Ready& ready) {
  const memory::GpuModel& gpu = memory::default_gpu_model();
  for (auto _ : state) {
    const sim::Traffic traffic = sim::predict_traffic(ready.program, ready.launch, gpu);
    const sim::AtomicLoad atomics = sim::atomic_load(ready.program, ready.launch, gpu);
    const sim::LoadWaits waits = sim::load_waits(ready.program, ready.launch, gpu);
    if (traffic.error || atomics.error || waits.error) state.SkipWithError("it did not run to its end");
    state.SetLabel(std::to_string(traffic.blocks_sampled) + " blocks");
  }
}

}  // namespace
}  // namespace warplens

int main(int argc, char** argv) {
  for (const warplens::scenario::Scenario& s : warplens::gallery()) {
    benchmark::RegisterBenchmark(("Gallery/" + s.name).c_str(), warplens::BM_Gallery,
                                 warplens::scenario_at(s, warplens::scenario::defaults(s)))
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
    benchmark::RegisterBenchmark(("Caches/" + s.name).c_str(), warplens::BM_Caches,
                                 warplens::scenario_at(s, warplens::scenario::defaults(s)))
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
