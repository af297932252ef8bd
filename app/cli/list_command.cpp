#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/target.h"
#include "app/language/joined.h"
#include "sim/exercise/exercise.h"
#include "sim/lesson/lesson.h"
#include "sim/memory/gpu_model.h"
#include "sim/report/output/table.h"
#include "sim/scenario/scenario.h"

namespace warplens::cli {

namespace {

using nlohmann::ordered_json;

struct ListOptions : CommonOptions {
  std::string what;
};

// A listing in all three forms: rows of named texts, numbers among them.
struct Listing {
  std::vector<std::string> columns;
  std::vector<std::vector<ordered_json>> rows;
};

std::string cell_text(const ordered_json& value) {
  return value.is_string() ? value.get<std::string>() : value.is_null() ? std::string() : value.dump();
}

void print_listing(const Listing& listing, const std::string& what, const FormatOptions& format,
                   Budget& budget) {
  Pace pace(budget, Stage::Writing);
  if (format.json) {
    ordered_json json = {{"schema", "warplens.list/1"}, {what, ordered_json::array()}};
    for (const auto& row : listing.rows) {
      pace.step();
      ordered_json entry;
      for (std::size_t i = 0; i < row.size(); ++i) entry[listing.columns[i]] = row[i];
      json[what].push_back(std::move(entry));
    }
    print_json(json);
    return;
  }
  report::Table table;
  table.name(listing.columns);
  for (const auto& row : listing.rows) {
    pace.step();
    std::vector<std::string> cells;
    for (const ordered_json& value : row) cells.push_back(cell_text(value));
    table.add(std::move(cells));
  }
  if (format.csv)
    print_csv(table.csv());
  else
    print(table.text("", budget));
}

std::string parameters_text(const scenario::Scenario& scenario) {
  return language::joined(scenario.parameters, " ", [](const scenario::ScenarioParameter& p) {
    return p.name + "=" + std::to_string(p.fallback);
  });
}

// What could be read; what is wrong with the others is told.
template <typename All>
std::vector<All> read_of(const scenario::Outcome<std::vector<All>>& loaded) {
  for (const std::string& error : loaded.errors) warn(error);
  return loaded.value.value_or(std::vector<All>());
}

Listing list_scenarios(const std::string& language, Budget& budget) {
  const std::filesystem::path folder = scenario::data_folder("kernels");
  if (folder.empty()) {
    throw CommandFailure(kMachineCannot, "the gallery's folder is not found; WARPLENS_DATA says where it is");
  }
  Listing listing{{"name", "ladder", "rung", "title", "parameters"}, {}};
  for (const scenario::Scenario& s : read_of(scenario::load_scenarios(folder, &budget))) {
    const bool on_ladder = !s.ladder.empty();
    listing.rows.push_back({s.name, on_ladder ? ordered_json(s.ladder) : ordered_json(),
                            on_ladder ? ordered_json(s.rung) : ordered_json(),
                            scenario::in_language(s.title, language), parameters_text(s)});
  }
  return listing;
}

Listing list_lessons(const std::string& language, Budget& budget) {
  Listing listing{{"name", "order", "minutes", "title", "file"}, {}};
  for (const lesson::Lesson& lesson :
       read_of(lesson::load_lessons(scenario::data_folder("assets") / "lessons", &budget))) {
    listing.rows.push_back({lesson.name, lesson.order, lesson.minutes,
                            scenario::in_language(lesson.title, language), lesson.file.string()});
  }
  return listing;
}

Listing list_exercises(const std::string& language, Budget& budget) {
  Listing listing{{"name", "claims", "title", "source", "file"}, {}};
  for (const exercise::Exercise& e :
       read_of(exercise::load_exercises(scenario::data_folder("assets") / "exercises", &budget))) {
    listing.rows.push_back({e.name, e.claims(), scenario::in_language(e.title, language),
                            scenario::in_language(e.source, language), e.scenario.source.string()});
  }
  return listing;
}

Listing list_gpus() {
  Listing listing{{"name", "title", "shared_bytes", "threads", "source"}, {}};
  for (const memory::GpuModel& gpu : memory::gpu_models()) {
    listing.rows.push_back({std::string(gpu.name), std::string(gpu.title), gpu.max_shared_bytes,
                            gpu.max_threads_per_block, std::string(gpu.source)});
  }
  return listing;
}

ExitCode run_list(const ListOptions& options) {
  Budget& budget = options.simulation.budget();
  const Listing listing = options.what == "scenarios"   ? list_scenarios(options.language, budget)
                          : options.what == "lessons"   ? list_lessons(options.language, budget)
                          : options.what == "exercises" ? list_exercises(options.language, budget)
                                                        : list_gpus();
  print_listing(listing, options.what, options.format, budget);
  return kDone;
}

}  // namespace

void add_list(Program& program) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* command = program.app.add_subcommand("list", "List the scenarios, lessons, exercises or GPUs");
  add_choice(*command, "WHAT", &options->what, {"scenarios", "lessons", "exercises", "gpus"},
             "scenarios, lessons, exercises or gpus")
      ->required();
  add_language(*command, &options->language, "The language of the titles: ");
  options->simulation.add_seconds(*command);
  options->format.add_to(*command);
  program.runs(command, options, run_list);
}

}  // namespace warplens::cli
