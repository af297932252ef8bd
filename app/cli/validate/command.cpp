// Whether a file is sound: told by its schema, or by its ending for a kernel. What can be run is run.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/validate/documents.h"
#include "app/cli/validate/measurements.h"
#include "app/cli/validate/sources.h"
#include "app/cli/why.h"
#include "app/measure/pack.h"
#include "sim/exercise/truth.h"
#include "sim/lesson/grade.h"
#include "sim/report/analysis.h"
#include "sim/scenario/command_line.h"
#include "sim/scenario/json_document.h"

namespace warplens::cli {

namespace {

constexpr std::size_t kMostTraceBytes = std::size_t{256} << 20;

struct ValidateOptions {
  std::string file;
  SimulationOptions simulation;
  FormatOptions format;
};

// Every access that it asks for is looked up in a run.
Verdict check_exercise(const std::string& file, const SimulationOptions& options) {
  const auto exercise = exercise::load_exercise(file, &options.budget());
  if (!exercise) return {"exercise", "", english(exercise.errors)};
  const auto truths = exercise::truths_of(*exercise.value, options.limits());
  return {"exercise " + exercise.value->name, std::to_string(exercise.value->claims()) + " claims",
          english(truths.errors)};
}

Verdict check_lesson(const std::string& file, Budget& budget) {
  const auto lesson = lesson::load_lesson(file, &budget);
  if (!lesson) return {"lesson", "", english(lesson.errors)};
  int predictions = 0;
  for (const lesson::Step& step : lesson.value->steps) predictions += step.prediction.has_value();
  sim::Limits limits;
  limits.budget = &budget;
  std::vector<std::string> problems =
      english(lesson::problems_of(*lesson.value, {limits, recorded_for_lessons()}));
  if (budget.stopped() != StopReason::None) throw failure_of(budget.why(Stage::Grading));
  return {
      "lesson " + lesson.value->name,
      std::to_string(lesson.value->steps.size()) + " steps, " + std::to_string(predictions) + " predictions",
      std::move(problems)};
}

Verdict check_requests(scenario::JsonDocument& document) {
  const auto analysis = report::analyze(document);
  if (!analysis) return {"warp accesses", "", english(analysis.errors)};
  return {"warp accesses", std::to_string(analysis.value->requests.size()) + " accesses", {}};
}

// What reads as a measurement or a pack may still say what cannot be.
template <typename Load, typename Check>
Verdict check_measured(const char* what, const std::string& file, scenario::JsonDocument& document, Load load,
                       Check check, Budget& budget) {
  const auto loaded = load(file, &budget);
  if (!loaded) return {what, "", english(loaded.errors)};
  check(document.root());
  return {what, "", english(document.errors())};
}

Verdict check_written(const std::string& name, scenario::JsonDocument& document,
                      const SimulationOptions& options) {
  Verdict verdict{name, "", {}};
  if (document.has_schema(name)) {
    verdict.summary = name == "report"       ? validate_report(document, options)
                      : name == "comparison" ? validate_comparison(document, options)
                                             : validate_analysis(document);
  }
  verdict.errors = english(document.errors());
  return verdict;
}

Verdict check_json(const std::string& file, const SimulationOptions& options) {
  scenario::JsonLimits limits;
  limits.bytes = report::kMaxAnalysisBytes;
  limits.budget = &options.budget();
  scenario::JsonDocument document = scenario::JsonDocument::load(file, limits);
  if (!document.ok()) return {"JSON", "", english(document.errors())};
  const scenario::JsonValue root = document.root();
  if (!root.is_object()) return {"JSON", "", english(document.errors())};
  if (!root.has("schema") && root.has("requests")) return check_requests(document);
  const std::string schema = root.text("schema");
  if (!document.ok()) return {"JSON", "", english(document.errors())};
  const std::string name = schema.substr(0, schema.find('/'));
  const std::string kind = name.starts_with("warplens.") ? name.substr(9) : "";
  if (kind == "scenario") return validate_scenario(file, options);
  if (kind == "lesson") return check_lesson(file, options.budget());
  if (kind == "exercise") return check_exercise(file, options);
  if (kind == "requests") return check_requests(document);
  if (kind == "measurement")
    return check_measured("measurement", file, document, measure::load_measurement, validate_measurement,
                          options.budget());
  if (kind == "pack")
    return check_measured("recorded measurements", file, document, measure::load_pack, validate_pack,
                          options.budget());
  if (kind == "session") return validate_session(file, document, options);
  if (kind == "lecture") return validate_lecture(file, document, options);
  if (kind == "report" || kind == "comparison" || kind == "analysis")
    return check_written(kind, document, options);
  document.add_error("schema",
                     Message::verbatim("\"" + schema + "\" is no schema of Warplens that could be checked"));
  return {"JSON", "", english(document.errors())};
}

// A trace is many documents, one a line; the first says what it is.
bool is_trace(const std::string& text) {
  const std::size_t end = std::min<std::size_t>(text.find('\n'), 4096);
  return text.substr(0, end).find("\"warplens.trace/") != std::string::npos;
}

Verdict check_file(const std::string& file, const SimulationOptions& options) {
  const bool json = file.ends_with(".json") || file.ends_with(".jsonl");
  if (!json) return validate_kernel_file(file, options);
  const auto text = scenario::read_text(file, kMostTraceBytes);
  if (!text) return {"JSON", "", english(text.errors)};
  if (!is_trace(*text.value)) return check_json(file, options);
  TraceVerdict trace = validate_trace(*text.value, file, options.budget());
  return {"trace", std::move(trace.summary), std::move(trace.errors)};
}

ExitCode run_validate(const ValidateOptions& options) {
  const Verdict verdict = check_file(options.file, options.simulation);
  const bool sound = verdict.errors.empty();
  if (options.format.json) {
    print_json({{"schema", "warplens.validation/1"},
                {"file", options.file},
                {"what", verdict.what},
                {"sound", sound && !verdict.limit && verdict.remarks.empty()},
                {"summary", verdict.summary},
                {"errors", verdict.errors},
                {"remarks", verdict.remarks}});
  }
  if (!sound) throw CommandFailure(kInputWrong, verdict.errors);
  if (verdict.limit)
    throw CommandFailure(kLimitHit, options.file +
                                        ": nothing wrong was found before the run was stopped; --seconds and "
                                        "--steps give it more");
  if (!options.format.json) {
    print(options.file + (verdict.remarks.empty() ? ": sound (" : ": compiles (") + verdict.what +
          (verdict.summary.empty() ? "" : ": " + verdict.summary) + ")\n");
    for (const std::string& remark : verdict.remarks) print(remark + "\n");
  }
  return kDone;
}

}  // namespace

Command add_validate(CLI::App& app) {
  auto options = std::make_shared<ValidateOptions>();
  CLI::App* command = app.add_subcommand("validate", "Whether a scenario, a kernel or another file is sound");
  command->add_option("FILE", options->file, "The file")->required();
  options->simulation.add_to(*command);
  options->format.add_to(*command, false);
  return {command, [options] { return run_validate(*options); }};
}

}  // namespace warplens::cli
