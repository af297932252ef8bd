// What is on screen, as a request to warplens-gpu.
#pragma once

#include <string>

#include "app/measure/make_request.h"
#include "app/source/programs.h"
#include "sim/scenario/scenario.h"

namespace warplens::desktop {

// `text`: of the scenario, as edited. Errors in words where it does not compile, cannot be launched, or a
// buffer has no length.
scenario::Outcome<measure::MeasureRequest> gpu_request(const scenario::Scenario& scenario,
                                                       const scenario::ParameterValues& values,
                                                       const std::string& text, measure::CompileMode mode,
                                                       const app::Means& means);

}  // namespace warplens::desktop
