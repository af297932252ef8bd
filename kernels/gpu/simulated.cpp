#include <algorithm>
#include <atomic>
#include <thread>

#include "kernels/gpu/output_check.h"
#include "sim/count/totals.h"
#include "sim/memory/gpu_model.h"

namespace warplens::gpu {
namespace {

constexpr std::uint64_t kSimulationInstructions = 2'000'000'000;

}  // namespace

Simulated simulate(const sim::CompileRequest& compile, const sim::Launch& launch, const Watch& watch,
                   double seconds) {
  Simulated simulated;
  const sim::CompileResult compiled = sim::compile(compile);
  if (!compiled.program) {
    simulated.problem =
        compiled.diagnostics.empty() ? "it does not compile" : compiled.diagnostics.front().message.english();
    return simulated;
  }
  std::atomic<bool> cancel{false}, done{false};
  // The simulator looks at a flag; this thread sets it when the time is up.
  std::thread alarm([&, limit = std::min(seconds, watch.seconds - watch.elapsed())] {
    const auto until = Watch::Clock::now() + std::chrono::duration<double>(std::max(limit, 0.0));
    while (!done && Watch::Clock::now() < until && !watch.is_cancelled())
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    cancel = true;
  });
  sim::Limits limits;
  limits.instructions = kSimulationInstructions;
  limits.cancel = &cancel;
  sim::GridValues values = sim::run_grid(*compiled.program, launch, memory::default_gpu_model(), limits);
  done = true;
  alarm.join();
  if (values.error) simulated.problem = values.error->message;
  simulated.buffers = std::move(values.buffers);
  return simulated;
}

std::vector<std::byte> bytes_of(const std::vector<std::uint8_t>& buffer) {
  std::vector<std::byte> result(buffer.size());
  std::transform(buffer.begin(), buffer.end(), result.begin(), [](std::uint8_t b) { return std::byte{b}; });
  return result;
}

}  // namespace warplens::gpu
