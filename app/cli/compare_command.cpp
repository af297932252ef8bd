#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/output.h"
#include "app/cli/target/options.h"
#include "app/cli/target/published_text.h"
#include "app/measure/pack.h"
#include "sim/report/timed_comparison.h"

namespace warplens::cli {

namespace {

struct CompareOptions {
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

ExitCode run_compare(const CompareOptions& options, const std::vector<std::string>& words) {
  const std::vector<scenario::Target> targets = split_targets(words, 2);
  const scenario::Prepared prepared_a = prepare_target(targets[0], options.simulation),
                           prepared_b = prepare_target(targets[1], options.simulation);
  const report::Report a = simulate_with_reuse(prepared_a, options.simulation),
                       b = simulate_with_reuse(prepared_b, options.simulation);
  const report::ComparedTimes times =
      recorded_times(prepared_a.setup, prepared_b.setup, options.simulation.budget());
  const auto published = [&](const scenario::Prepared& side) {
    return options.format.csv ? std::vector<Published>() : published_of(side, options.simulation);
  };
  const std::vector<Published> published_a = published(prepared_a), published_b = published(prepared_b);
  if (options.format.json) {
    nlohmann::ordered_json json = report::comparison_json(a, b, times);
    if (!published_a.empty() || !published_b.empty())
      json["published"] = {{"a", published_json(published_a)}, {"b", published_json(published_b)}};
    print_json(json);
  } else if (options.format.csv) {
    print_csv(report::comparison_csv(a, b, times));
  } else {
    std::string others;
    if (!published_a.empty()) others += "\nA: " + published_text(published_a);
    if (!published_b.empty()) others += "\nB: " + published_text(published_b);
    print(report::comparison_text(a, b, times) + others);
  }
  return kDone;
}

}  // namespace

Command add_compare(CLI::App& app) {
  auto options = std::make_shared<CompareOptions>();
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
