#include "tests/differential/trial.h"

#include <algorithm>

#include "sim/lower/lower.h"

namespace warplens::differential {

Trial try_kernel(const RandomKernel& kernel) {
  Trial trial;
  const std::string text = kernel.text();
  const sim::CompileRequest request{
      .text = text, .kernel = "k", .template_arguments = kernel.template_arguments};
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
  return trial;
}

}  // namespace warplens::differential
