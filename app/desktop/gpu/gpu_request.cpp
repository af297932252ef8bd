#include "app/desktop/gpu/gpu_request.h"

#include "sim/memory/gpu_model.h"

namespace warplens::desktop {

scenario::Outcome<measure::MeasureRequest> gpu_request(const scenario::Scenario& scenario,
                                                       const scenario::ParameterValues& values,
                                                       const std::string& text, measure::CompileMode mode,
                                                       const app::Means& means) {
  const auto setup = scenario::make_setup(scenario, values, text);
  if (!setup) return {std::nullopt, setup.errors};
  const app::Programs::Result result = means.compile(setup.value->compile);
  const sim::CompileResult& compiled = *result;
  if (!compiled.program) {
    const auto& diagnostics = compiled.diagnostics;
    return {std::nullopt,
            {diagnostics.empty() ? Message("the kernel does not compile") : diagnostics.front().message}};
  }
  const auto problems =
      sim::check_launch(*compiled.program, setup.value->launch, memory::default_gpu_model());
  if (!problems.empty()) return {std::nullopt, {problems.front()}};
  return measure::make_request(*setup.value, *compiled.program, mode);
}

}  // namespace warplens::desktop
