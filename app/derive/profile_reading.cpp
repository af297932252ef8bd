#include "app/derive/profile_reading.h"

#include "sim/report/report.h"

namespace warplens::app {

ProfileReading read_beside(const std::shared_ptr<const LoadedProfile>& profile, const Simulation& simulation,
                           const std::string& launch) {
  if (simulation.totals->error)
    return {profile, {Message("nothing to hold it against: {}", simulation.totals->error->message)}, {}, {}};
  const Compiled& compiled = *simulation.compiled;
  const report::Report report =
      report::make_report({compiled.setup, compiled.program, compiled.gpu, {}}, *simulation.totals);
  ProfileReading reading;
  reading.of = profile;
  auto choice = explain::choose_launch(
      profile->profile,
      {{report.kernel}, report.template_arguments, report.launch.grid, report.launch.block, launch},
      profile->file);
  reading.trouble = std::move(choice.errors);
  if (!choice) return reading;
  reading.choice = std::move(*choice.value);
  reading.explanation = explain::explain_launch(report, reading.launch(), {reading.choice.same(), nullptr});
  return reading;
}

}  // namespace warplens::app
