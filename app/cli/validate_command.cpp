// Whether a file is sound: told by its schema, or by its ending for a kernel.
#include <memory>

#include "app/cli/target_options.h"
#include "app/measure/pack.h"
#include "sim/lesson/grade.h"
#include "sim/report/analysis.h"
#include "sim/scenario/json_document.h"
#include "sim/scenario/text_file.h"

namespace warplens::cli {

namespace {

struct Options {
  std::string file;
  SimulationOptions simulation;
  FormatOptions format;
};

struct Verdict {
  std::string what;     // "scenario transpose_shared"
  std::string summary;  // in words, where it is sound
  std::vector<std::string> errors;
};

Verdict check_scenario(const std::string& file, Budget& budget) {
  Verdict verdict{"scenario", "", {}};
  const auto scenario = scenario::load_scenario(file);
  if (!scenario) return {"scenario", "", scenario.errors};
  verdict.what += " " + scenario.value->name;
  const auto setup = scenario::make_setup(*scenario.value, {});
  if (!setup) return {verdict.what, "", setup.errors};
  const auto prepared = scenario::prepare(*setup.value, memory::default_gpu_model(), &budget);
  if (prepared.stopped) throw failure_of(*prepared.stopped);
  if (!prepared) return {verdict.what, "", prepared.errors};
  if (scenario.value->check) {
    const std::string& expected = scenario.value->check->expected;
    for (const cuda::Diagnostic& d : cuda::parse_expression(expected).diagnostics) {
      verdict.errors.push_back(file + ": check.expected:\n" + cuda::render(d, expected, "expected"));
    }
    bool known = false;
    for (const warp::KernelParameter& p : prepared.value->program.parameters) {
      known |= p.is_pointer && p.name == scenario.value->check->buffer;
    }
    if (!known) {
      verdict.errors.push_back(file + ": check.buffer: the kernel has no pointer \"" +
                               scenario.value->check->buffer + "\"");
    }
  }
  const warp::Launch& launch = prepared.value->setup.launch;
  verdict.summary = std::to_string(prepared.value->program.sites.size()) + " access sites, " +
                    std::to_string(launch.grid.count()) + " blocks of " +
                    std::to_string(launch.block.count()) + " threads";
  return verdict;
}

Verdict check_kernel(const std::string& file, Budget& budget) {
  const auto text = scenario::read_text(file);
  if (!text) return {"kernel", "", text.errors};
  Verdict verdict{"kernel file", "", {}};
  const warp::KernelList list = warp::list_kernels(*text.value, {}, &budget);
  if (list.stopped) throw failure_of(*list.stopped);
  for (const cuda::Diagnostic& d : list.diagnostics) {
    if (d.severity == cuda::Severity::Error) verdict.errors.push_back(cuda::render(d, *text.value, file));
  }
  for (const warp::KernelSignature& kernel : list.kernels) {
    verdict.summary += (verdict.summary.empty() ? "" : ", ") + kernel.name;
  }
  if (list.kernels.empty() && verdict.errors.empty())
    verdict.errors.push_back(file + ": has no __global__ function");
  return verdict;
}

Verdict check_lesson(const std::string& file, Budget& budget) {
  const auto lesson = lesson::load_lesson(file);
  if (!lesson) return {"lesson", "", lesson.errors};
  int predictions = 0;
  for (const lesson::Step& step : lesson.value->steps) predictions += step.prediction.has_value();
  warp::Limits limits;
  limits.budget = &budget;
  std::vector<std::string> problems = lesson::problems_of(*lesson.value, limits);
  if (budget.stopped() != StopReason::None) throw failure_of(budget.why(Stage::Grading));
  return {
      "lesson " + lesson.value->name,
      std::to_string(lesson.value->steps.size()) + " steps, " + std::to_string(predictions) + " predictions",
      std::move(problems)};
}

template <typename T>
Verdict from_outcome(const char* what, const scenario::Outcome<T>& outcome) {
  return {what, "", outcome ? std::vector<std::string>() : outcome.errors};
}

Verdict check_requests(scenario::JsonDocument& document) {
  const auto analysis = report::analyze(document, memory::default_gpu_model());
  Verdict verdict = from_outcome("warp accesses", analysis);
  if (analysis) verdict.summary = std::to_string(analysis.value->costs.size()) + " accesses";
  return verdict;
}

Verdict check_json(const std::string& file, Budget& budget) {
  scenario::JsonLimits limits;
  limits.bytes = report::kMaxAnalysisBytes;
  scenario::JsonDocument document = scenario::JsonDocument::load(file, limits);
  if (!document.ok()) return {"JSON", "", document.errors()};
  const scenario::JsonValue root = document.root();
  if (!root.is_object()) return {"JSON", "", document.errors()};
  if (!root.has("schema") && root.has("requests")) return check_requests(document);
  const std::string schema = root.text("schema");
  if (!document.ok()) return {"JSON", "", document.errors()};
  const std::string name = schema.substr(0, schema.find('/'));
  if (name == "warplens.scenario") return check_scenario(file, budget);
  if (name == "warplens.lesson") return check_lesson(file, budget);
  if (name == "warplens.requests") return check_requests(document);
  if (name == "warplens.measurement") return from_outcome("measurement", measure::load_measurement(file));
  if (name == "warplens.pack") return from_outcome("recorded measurements", measure::load_pack(file));
  for (const char* known : {"session", "report", "analysis", "trace", "comparison"}) {
    if (name != std::string("warplens.") + known) continue;
    document.has_schema(known);
    return {known, "its schema and JSON are sound", document.errors()};
  }
  document.add_error("schema", "\"" + schema + "\" is no schema of Warplens");
  return {"JSON", "", document.errors()};
}

ExitCode run_validate(const Options& options) {
  Budget& budget = options.simulation.budget();
  const bool json_file = options.file.ends_with(".json");
  const Verdict verdict = json_file ? check_json(options.file, budget) : check_kernel(options.file, budget);
  const bool sound = verdict.errors.empty();
  if (options.format.json) {
    print_json({{"schema", "warplens.validation/1"},
                {"file", options.file},
                {"what", verdict.what},
                {"sound", sound},
                {"summary", verdict.summary},
                {"errors", verdict.errors}});
  }
  if (!sound) throw CommandFailure(kInputWrong, verdict.errors);
  if (!options.format.json) {
    print(options.file + ": sound (" + verdict.what +
          (verdict.summary.empty() ? "" : ": " + verdict.summary) + ")\n");
  }
  return kDone;
}

}  // namespace

Command add_validate(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("validate", "Whether a scenario, a kernel or another file is sound");
  command->add_option("FILE", options->file, "The file")->required();
  options->simulation.add_seconds(*command);
  options->format.add_to(*command, false);
  return {command, [options] { return run_validate(*options); }};
}

}  // namespace warplens::cli
