// Whether a file is sound, by its schema. What a format has is known to its loader alone, which is called;
// what can be compiled and run is, and what it names is looked up.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/target.h"
#include "app/measure/gpu_client.h"
#include "app/simulate/simulation.h"
#include "app/state/catalog.h"
#include "app/storage/teaching_files.h"
#include "kernels/protocol/expected_rule.h"
#include "sim/exercise/exercise.h"
#include "sim/lesson/grade.h"
#include "sim/scenario/json_document.h"
#include "sim/scenario/target.h"

namespace warplens::cli {

namespace {

constexpr std::size_t kMostBytes = std::size_t{32} << 20;

struct ValidateOptions : CommonOptions {
  std::string file;
};

struct Verdict {
  std::string what;     // "scenario transpose_shared"
  std::string summary;  // in words, where it is sound
  std::vector<std::string> errors;
  bool limit = false;  // time or steps ended before all was run: what was run is sound
};

// As its file says it; empty: `errors` tell why it cannot be.
scenario::Outcome<scenario::Prepared> prepare(scenario::Setup setup, const SimulationOptions& options) {
  auto prepared = scenario::prepare(std::move(setup), find_gpu(options.gpu), &options.budget());
  if (prepared.stopped) throw failure_of(*prepared.stopped);
  return prepared;
}

sim::CompileResult compile(const sim::CompileRequest& request, Budget& budget) {
  sim::CompileResult compiled = sim::compile(request, &budget);
  if (compiled.stopped) throw failure_of(*compiled.stopped);
  return compiled;
}

// With values, in the launch that the document itself gives, so that any finding is the document's.
void run_as_given(const scenario::Prepared& prepared, const SimulationOptions& options, Verdict* verdict) {
  const sim::CheckedBlocks run = checked_run(prepared, options);
  if (!run.error) return;
  if (run.error->is_limit() || run.error->kind == sim::RunError::Kind::Cancelled)
    verdict->limit = true;
  else
    verdict->errors.push_back(words_of(prepared, *run.error, run.error->remedy));
}

// Every choice and both ends of every range must compile; whether a launch of that size is possible is asked
// when it is turned.
void compile_ends(const scenario::Scenario& scenario, const SimulationOptions& options, Verdict* verdict) {
  for (const scenario::ScenarioParameter& parameter : scenario.parameters) {
    std::vector<std::int64_t> values = parameter.choices;
    if (values.empty()) values = {parameter.minimum, parameter.maximum};
    for (const std::int64_t value : values) {
      const auto setup = scenario::make_setup(scenario, {{parameter.name, value}}, &options.budget());
      if (!setup) continue;  // "requires" may forbid it
      const sim::CompileResult compiled = compile(setup.value->compile, options.budget());
      if (compiled.program) continue;
      std::string words = "with " + parameter.name + " = " + std::to_string(value) + ":";
      for (const cuda::Diagnostic& d : compiled.diagnostics)
        words += "\n" + cuda::render(d, setup.value->compile.text, setup.value->source_name);
      if (words.ends_with('\n')) words.pop_back();
      verdict->errors.push_back(words);
    }
  }
}

// What the GPU's process would make of the rule: small kernels, which must compile as they do there, by
// themselves or behind the kernel's own text.
void compile_output_rule(const scenario::Scenario& scenario, const scenario::Prepared& prepared,
                         Budget& budget, Verdict* verdict) {
  const std::string check = scenario.file.string() + ": check";
  const auto request =
      measure::make_request(prepared.setup, prepared.program, measure::CompileMode::AsWritten);
  for (const Message& error : request.errors)
    verdict->errors.push_back(check + ": no GPU can run it: " + error.english());
  if (!request) return;
  const auto& arguments = request.value->subject.arguments;
  const auto target = std::ranges::find(arguments, scenario.check->buffer, &measure::KernelArgument::name);
  const std::uint64_t holds = std::get<measure::BufferArgument>(target->value).elements;
  if (std::stoull(prepared.setup.check->elements) > holds)
    verdict->errors.push_back(check + ".elements: is " + prepared.setup.check->elements + "; the buffer \"" +
                              target->name + "\" has " + std::to_string(holds));
  const measure::ExpectedRule rule = measure::expected_rule(*request.value, *target);
  if (!rule.problem.empty()) return verdict->errors.push_back(check + ".expected: " + rule.problem);
  for (const measure::ExpectedPart& part : rule.parts) {
    std::string problem;
    for (const std::string& before : {std::string(), prepared.setup.compile.text + "\n"}) {
      sim::CompileRequest asked = prepared.setup.compile;
      asked.text = before + part.text, asked.kernel = measure::kExpectedKernel, asked.template_arguments = {};
      if (before.empty()) asked.defines = {};
      const sim::CompileResult compiled = compile(asked, budget);
      problem.clear();
      for (const cuda::Diagnostic& d : compiled.diagnostics)
        if (problem.empty() && d.severity == cuda::Severity::Error) problem = d.message.english();
      if (compiled.program) break;
    }
    if (!problem.empty())
      verdict->errors.push_back(check + (part.name.empty() ? ".expected: " : ".before." + part.name + ": ") +
                                problem);
  }
}

void check_output_rule(const scenario::Scenario& scenario, const scenario::Prepared& prepared, Budget& budget,
                       Verdict* verdict) {
  if (!scenario.check) return;
  const sim::Program& program = prepared.program;
  const std::string file = scenario.file.string();
  std::vector<std::pair<std::string, std::string>> expressions{{"expected", scenario.check->expected}};
  for (const scenario::CheckStep& step : scenario.check->before)
    for (const std::string& expression : {step.terms, step.of})
      expressions.emplace_back("before." + step.name, expression);
  for (const auto& [name, expression] : expressions)
    for (const cuda::Diagnostic& d : cuda::parse_expression(expression).diagnostics)
      verdict->errors.push_back(file + ": check." + name + ":\n" + cuda::render(d, expression, name));
  const bool known = std::ranges::any_of(program.parameters, [&](const sim::KernelParameter& p) {
    return p.is_pointer && p.name == scenario.check->buffer;
  });
  if (!known)
    verdict->errors.push_back(file + ": check.buffer: the kernel has no pointer \"" + scenario.check->buffer +
                              "\"");
  if (verdict->errors.empty()) compile_output_rule(scenario, prepared, budget, verdict);
}

std::string counted(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what;
}

Verdict validate_scenario(const std::string& file, const SimulationOptions& options) {
  const auto scenario = scenario::load_scenario(file, &options.budget());
  if (!scenario) return {"scenario", "", english(scenario.errors)};
  Verdict verdict{"scenario " + scenario.value->name, "", {}};
  auto setup = scenario::make_setup(*scenario.value, {}, &options.budget());
  if (!setup) return {verdict.what, "", english(setup.errors)};
  const auto prepared = prepare(std::move(*setup.value), options);
  if (!prepared) return {verdict.what, "", english(prepared.errors)};
  check_output_rule(*scenario.value, *prepared.value, options.budget(), &verdict);
  compile_ends(*scenario.value, options, &verdict);
  if (verdict.errors.empty()) run_as_given(*prepared.value, options, &verdict);
  const sim::Launch& launch = prepared.value->setup.launch;
  verdict.summary = counted(prepared.value->program.sites.size(), "access sites, ") +
                    counted(launch.grid.count(), "blocks of ") + counted(launch.block.count(), "threads");
  return verdict;
}

// What a scene says that is not to be seen there.
void check_scene(const scenario::JsonValue& scene, const app::Viewpoint& view, const app::Catalog& catalog,
                 const SimulationOptions& options) {
  const app::Look look = app::look_at(catalog, view.settings, view.position, options.limits());
  if (!look.compiled) return scene.error(Message::verbatim("does not compile, or cannot be launched so"));
  if (look.limit) return;
  if (!look.simulation)
    return scene.error("position", look.problems.empty() ? Message() : look.problems.front());
  const int access = view.position.access.number, count = look.simulation->event_count();
  if (access >= count)
    scene.error("position.access.number",
                Message::verbatim("is " + std::to_string(access) + "; the warp has " + std::to_string(count) +
                                  " accesses, from 0"));
}

// Every scene is compiled and its place looked up.
Verdict validate_lecture(const std::string& file, scenario::JsonDocument& document,
                         const SimulationOptions& options) {
  Verdict verdict{"lecture", "", {}};
  const app::Catalog catalog = app::load_catalog(scenario::data_folder("kernels"), &options.budget());
  const auto lecture = app::load_lecture(file, catalog, {nullptr, &options.budget(), true});
  options.budget().check(Stage::Reading);  // what it ended reads as something wrong
  if (!lecture) return {"lecture", "", english(lecture.errors)};
  const std::vector<app::LectureScene>& scenes = (*lecture.value)->scenes;
  const scenario::JsonList list = document.root().list("scenes");
  for (std::size_t i = 0; i < scenes.size() && i < list.size(); ++i)
    check_scene(list[i], scenes[i].view, catalog, options);
  verdict.errors = english(document.errors());
  verdict.summary = counted(scenes.size(), "scenes");
  return verdict;
}

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
  std::vector<std::string> problems =
      english(lesson::problems_of(*lesson.value, {{{}, &budget}, recorded_for_lessons()}));
  if (budget.stopped() != StopReason::None) throw failure_of(budget.why(Stage::Grading));
  return {
      "lesson " + lesson.value->name,
      std::to_string(lesson.value->steps.size()) + " steps, " + std::to_string(predictions) + " predictions",
      std::move(problems)};
}

Verdict check_json(const std::string& file, const SimulationOptions& options) {
  scenario::JsonDocument document =
      scenario::JsonDocument::load(file, {.bytes = kMostBytes, .budget = &options.budget()});
  if (!document.ok()) return {"JSON", "", english(document.errors())};
  const scenario::JsonValue root = document.root();
  if (!root.is_object()) return {"JSON", "", english(document.errors())};
  const std::string schema = root.text("schema");
  if (!document.ok()) return {"JSON", "", english(document.errors())};
  const std::string name = schema.substr(0, schema.find('/'));
  const std::string kind = name.starts_with("warplens.") ? name.substr(9) : "";
  if (kind == "scenario") return validate_scenario(file, options);
  if (kind == "lesson") return check_lesson(file, options.budget());
  if (kind == "exercise") return check_exercise(file, options);
  if (kind == "lecture") return validate_lecture(file, document, options);
  document.add_error("schema",
                     Message::verbatim("\"" + schema + "\" is not a schema of Warplens that can be checked"));
  return {"JSON", "", english(document.errors())};
}

ExitCode run_validate(const ValidateOptions& options) {
  if (!options.file.ends_with(".json"))
    throw CommandFailure(kInputWrong, options.file +
                                          ": is not a .json file; to check a kernel: warplens-cli report " +
                                          options.file + " --check");
  const Verdict verdict = check_json(options.file, options.simulation);
  const bool sound = verdict.errors.empty();
  if (options.format.json) {
    print_json({{"schema", "warplens.validation/1"},
                {"file", options.file},
                {"what", verdict.what},
                {"sound", sound && !verdict.limit},
                {"summary", verdict.summary},
                {"errors", verdict.errors}});
  }
  if (!sound) throw CommandFailure(kInputWrong, verdict.errors);
  if (verdict.limit)
    throw CommandFailure(kLimitHit, options.file +
                                        ": nothing wrong was found before the run was stopped; --seconds and "
                                        "--steps give it more");
  if (!options.format.json)
    print(options.file + ": sound (" + verdict.what +
          (verdict.summary.empty() ? "" : ": " + verdict.summary) + ")\n");
  return kDone;
}

}  // namespace

void add_validate(Program& program) {
  auto options = std::make_shared<ValidateOptions>();
  CLI::App* command =
      program.app.add_subcommand("validate", "Check whether a scenario, a lesson or another file is sound");
  command->add_option("FILE", options->file, "The file to check")->required();
  options->simulation.add_to(*command);
  options->format.add_to(*command, false);
  program.runs(command, options, run_validate);
}

}  // namespace warplens::cli
