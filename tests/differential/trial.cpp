#include "tests/differential/trial.h"

#include <algorithm>

#include "sim/lower/lower.h"

namespace warplens::differential {

namespace {

// Of a kernel without races: with one, what a load finds depends on when it is made.
void compare_stored(const sim::Program& issued, const sim::CompileRequest& request, Trial& trial) {
  sim::CompileRequest literal = request;
  literal.literal = true;
  const sim::CompileResult whole = sim::compile(literal);
  if (!whole.program) return;
  // What a buffer without end holds, nobody can ask for.
  constexpr std::uint64_t kElements = 100'000;
  sim::Launch launch = trial.launch;
  for (auto& [name, argument] : launch.arguments)
    if (auto* buffer = std::get_if<sim::Buffer>(&argument); buffer != nullptr && buffer->elements == 0)
      buffer->elements = kElements;
  const memory::GpuModel& gpu = memory::default_gpu_model();
  sim::TotalsOptions options;
  options.brute_force = true;
  options.limits.instructions = 20'000'000;
  if (sim::grid_totals(*whole.program, launch, gpu, options).error) return;
  const sim::GridValues written = sim::run_grid(*whole.program, launch, gpu, options.limits);
  const sim::GridValues made = sim::run_grid(issued, launch, gpu, options.limits);
  if (written.error || made.error) {
    if (!written.error)
      trial.stored = "an error with the accesses that compilers make: " + made.error->message.english();
    return;
  }
  trial.has_compared = true;
  for (std::size_t i = 0; i < written.buffers.size() && trial.stored.empty(); ++i) {
    const auto [one, other] = std::ranges::mismatch(written.buffers[i], made.buffers[i]);
    if (one != written.buffers[i].end())
      trial.stored = issued.parameters[i].name + ": byte " +
                     std::to_string(one - written.buffers[i].begin()) + " is " + std::to_string(*one) +
                     ", and " + std::to_string(*other) + " with the accesses that compilers make\n";
  }
}

}  // namespace

Trial try_kernel(const RandomKernel& kernel) {
  Trial trial;
  const std::string text = kernel.text();
  const sim::CompileRequest request{
      .text = text, .kernel = "k", .template_arguments = kernel.template_arguments, .defines = {}};
  const sim::CompileResult result = sim::compile(request);
  for (const cuda::Diagnostic& d : result.diagnostics) trial.diagnostics += cuda::render(d, text, "k.cu");
  trial.compiled = result.program.has_value();
  if (!trial.compiled) return trial;
  trial.launch = kernel.launch;
  std::erase_if(trial.launch.arguments, [&](const auto& argument) {
    const auto& parameters = result.program->parameters;
    return std::none_of(parameters.begin(), parameters.end(),
                        [&](const sim::KernelParameter& p) { return p.name == argument.first; });
  });
  trial.ways = count_three_ways(*result.program, trial.launch);
  if (trial.ways.outcome == ThreeWays::Outcome::Equal) compare_stored(*result.program, request, trial);
  return trial;
}

}  // namespace warplens::differential
