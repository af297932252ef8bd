// Settings -> a program with a launch that is possible, or what is wrong with them.
#pragma once

#include <memory>
#include <vector>

#include "app/simulate/simulation.h"
#include "app/source/programs.h"

namespace warplens::app {

struct Compilation {
  std::shared_ptr<const Compiled> compiled;  // null: `problems` say why
  std::vector<Problem> problems;
};
// `scenario`: that of the settings (scenario_of), or null where there is none; lives as long as the result.
Compilation compile_settings(const Settings& settings, const scenario::Scenario* scenario,
                             const Means& means);

// Where an array is left whose length is a guess of the launch form's, that is what to do about it.
Problem problem_of(const sim::RunError& error, const Compiled& compiled);

}  // namespace warplens::app
