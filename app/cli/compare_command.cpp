#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/output.h"
#include "app/cli/target/options.h"
#include "app/measure/pack.h"
#include "sim/report/timed_comparison.h"

namespace warplens::cli {

namespace {

struct Options {
  SimulationOptions simulation;
  FormatOptions format;
};

// Of exactly these two, as written, from the recorded packs.
report::ComparedTimes recorded_times(const scenario::Setup& a, const scenario::Setup& b, Budget& budget) {
  report::ComparedTimes times;
  const auto packs = measure::load_packs(scenario::data_folder("assets") / "recorded", &budget);
  if (!packs.value) return times;
  for (const measure::Pack& pack : *packs.value) {
    const auto find = [&](const scenario::Setup& setup, std::optional<double>* seconds) {
      const measure::Measurement* m = pack.find(measure::key_of(setup, measure::CompileMode::AsWritten));
      if (m == nullptr || *seconds) return;
      *seconds = m->cold.median;
      times.label = "recorded, " + m->device.name;
    };
    find(a, &times.a);
    find(b, &times.b);
  }
  return times;
}

ExitCode run_compare(const Options& options, const std::vector<std::string>& words) {
  const std::vector<scenario::Target> targets = split_targets(words, 2);
  const scenario::Prepared prepared_a = prepare_target(targets[0], options.simulation),
                           prepared_b = prepare_target(targets[1], options.simulation);
  const report::Report a = simulate_with_reuse(prepared_a, options.simulation),
                       b = simulate_with_reuse(prepared_b, options.simulation);
  const report::ComparedTimes times =
      recorded_times(prepared_a.setup, prepared_b.setup, options.simulation.budget());
  if (options.format.json)
    print_json(report::comparison_json(a, b, times));
  else if (options.format.csv)
    print_csv(report::comparison_csv(a, b, times));
  else
    print(report::comparison_text(a, b, times));
  return kDone;
}

}  // namespace

Command add_compare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("compare", "Two targets side by side, with the differences");
  command->footer(
      "compare [OPTIONS] TARGET_A [A's OPTIONS] TARGET_B [B's OPTIONS]\n"
      "A target's options follow it; those before TARGET_A hold for both. They are those of `report`:\n"
      "--kernel, --template, --grid, --block, --shared, --define, --set.");
  options->simulation.add_to(*command);
  options->format.add_to(*command);
  command->allow_extras();
  return {command, [options, command] { return run_compare(*options, command->remaining()); }};
}

}  // namespace warplens::cli
