// An explanation as text for people and as JSON (docs/explain.md).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/explain/choose_launch.h"
#include "app/explain/explanation.h"
#include "app/language/strings.h"

namespace warplens::cli {

struct ExplainedLaunch {
  const std::string& file;
  const profile::NcuProfile& profile;
  const explain::LaunchChoice& choice;
  const report::Report& report;
  const explain::Explanation& explanation;
  const profile::ProfiledLaunch& launch() const { return profile.launches[choice.launch]; }
};

std::string explanation_text(const ExplainedLaunch& of, const language::Strings& strings);
nlohmann::ordered_json explanation_json(const ExplainedLaunch& of,
                                        const language::Strings& strings);  // warplens.explain/1

}  // namespace warplens::cli
