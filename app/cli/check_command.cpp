// A prediction's counts against a measurement's counters, counter by counter, with the cause of each
// difference; or a student's attempt against a lesson.
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/target.h"
#include "app/explain/explanation.h"
#include "sim/base/numbers.h"
#include "sim/lesson/grade.h"
#include "sim/report/counters.h"
#include "sim/report/output/table.h"
#include "sim/scenario/json_document.h"
#include "sim/scenario/target.h"

namespace warplens::cli {

namespace {

using nlohmann::ordered_json;
using report::Side;

struct CheckOptions : CommonOptions {
  std::string file;
};

// "--set pad=1": a lesson's parameters are integers.
void take_sets(const scenario::Target& target, lesson::Attempt& attempt) {
  const auto twice = scenario::given_twice("--set", target.sets);
  if (!twice.empty()) throw CommandFailure(kInputWrong, twice);
  for (const std::string& set : target.sets) {
    const std::size_t equals = set.find('=');
    const std::string name = set.substr(0, equals);
    if (equals == std::string::npos || name.empty())
      throw CommandFailure(kInputWrong, "--set " + set + ": NAME=VALUE is needed");
    const auto value = value_of(scenario::parse_argument(set.substr(equals + 1), "--set " + name));
    const auto* number = std::get_if<std::int64_t>(&value);
    if (number == nullptr) throw CommandFailure(kInputWrong, "--set " + set + ": an integer is needed");
    attempt.values[name] = *number;
  }
}

// "--block 32,8" turns block_x and block_y.
void take_block(const scenario::Target& target, lesson::Attempt& attempt) {
  if (target.block.empty()) return;
  const auto block = value_of(scenario::parse_extents(target.block, "--block"));
  // What is not named stays: "256,1" is one row, "256" as many as there are.
  const int named = scenario::extents_given(target.block);
  attempt.values["block_x"] = block.x;
  if (named > 1) attempt.values["block_y"] = block.y;
  if (named > 2) attempt.values["block_z"] = block.z;
}

lesson::Attempt attempt_of(const scenario::Target& target, const lesson::Challenge& challenge,
                           Budget& budget) {
  if (!target.defines.empty())
    throw CommandFailure(kInputWrong,
                         "--define: a challenge is graded with the text as it is; write it there");
  lesson::Attempt attempt;
  for (const auto& [text, option] : {std::pair(&target.kernel, "--kernel"),
                                     {&target.grid, "--grid"},
                                     {&target.template_arguments, "--template"},
                                     {&target.shared, "--shared"}}) {
    if (!text->empty())
      throw CommandFailure(
          kInputWrong,
          std::string(option) + ": the lesson gives the launch; only --set and --block are possible");
  }
  const auto scenario = scenario::find_scenario(target.what, &budget);
  if (!scenario.errors.empty()) throw CommandFailure(kInputWrong, scenario.errors);
  if (scenario) {
    if (scenario.value->name != challenge.view.scenario)
      throw CommandFailure(
          kInputWrong, "the challenge is about " + challenge.view.scenario + ", not " + scenario.value->name);
    if (scenario::is_permalink(target.what)) {
      const auto pasted = value_of(scenario::read_permalink(target.what, *scenario.value));
      for (const Message& gone : pasted.gone) warn(gone.english());
      attempt.values = pasted.values;
    } else if (target.what != scenario.value->name) {
      attempt.text = scenario.value->text;  // a file of one's own: the kernel is the one beside it
    }
    take_sets(target, attempt);
    take_block(target, attempt);
    return attempt;
  }
  take_sets(target, attempt);
  take_block(target, attempt);
  auto text = value_of(scenario::read_input(target.what, scenario::kMaxTextBytes, &budget));
  if (text.empty()) throw CommandFailure(kInputWrong, target.what + ": is empty");
  attempt.text = std::move(text);
  return attempt;
}

ordered_json grade_json(const lesson::Lesson& lesson, const lesson::Grade& grade) {
  ordered_json json = {{"schema", "warplens.grade/1"},
                       {"lesson", lesson.name},
                       {"passed", grade.passed()},
                       {"output_right", grade.output_right},
                       {"goals", ordered_json::array()}};
  if (!grade.output_right) json["first_difference"] = grade.first_difference.english();
  for (const lesson::GoalVerdict& goal : grade.goals) {
    json["goals"].push_back({{"words", scenario::in_language(goal.words, "en")},
                             {"rule", goal.rule},
                             {"holds", goal.holds},
                             {"figures", goal.figures}});
  }
  return json;
}

std::string grade_text(const lesson::Lesson& lesson, const lesson::Grade& grade) {
  std::string text = scenario::in_language(lesson.title, "en") + "\n";
  if (!grade.output_right)
    text += "  no   the output is not the original's: " + grade.first_difference.english() + "\n";
  for (const lesson::GoalVerdict& goal : grade.goals) {
    text += std::string(goal.holds ? "  yes  " : "  no   ") + scenario::in_language(goal.words, "en") + " (" +
            goal.figures + ")\n";
  }
  return text + (grade.passed() ? "passed\n" : "not passed\n");
}

// By its schema.
bool is_lesson(const std::filesystem::path& file, Budget& budget) {
  if (file.extension() != ".json") return false;
  scenario::JsonDocument document =  // it may be a recorded pack
      scenario::JsonDocument::load(file, {.bytes = std::size_t{64} << 20, .budget = &budget});
  return document.ok() && document.json().is_object() &&
         document.root().optional_text("schema").starts_with("warplens.lesson/");
}

// A student's attempt against a lesson's challenge: the target is the challenge's scenario with values, or an
// edited kernel file. Exit 0: passed; 1: not. Throws CommandFailure where the lesson or the attempt cannot be
// judged.
ExitCode grade_target(const scenario::Target& target, const std::string& lesson_file,
                      const SimulationOptions& simulation, const FormatOptions& format) {
  Budget& budget = simulation.budget();
  const auto lesson = value_of(lesson::load_lesson(lesson_file, &budget));
  const lesson::Attempt attempt = attempt_of(target, lesson.challenge, budget);
  const auto grade = lesson::grade(lesson.challenge, attempt, {simulation.limits(), recorded_for_lessons()});
  if (budget.stopped() != StopReason::None) {
    const CommandFailure why = failure_of(budget.why(Stage::Grading));
    throw CommandFailure(kLimitHit, target.what + ": is not graded: " + why.what());
  }
  if (!grade) throw CommandFailure(kInputWrong, grade.errors);
  format.print_one_of([&] { return grade_text(lesson, *grade.value); },
                      [&] { return grade_json(lesson, *grade.value); });
  return grade.value->passed() ? kDone : kCheckFailed;
}

struct CounterRow {
  std::string name;    // as Nsight Compute has it
  bool exact = false;  // see report::Prediction
  double predicted = 0, measured = 0;
  bool holds = true;
  std::string note;  // "equal", or why not
};

// Why the two differ.
explain::Difference difference_of(const report::Report& report, const report::Prediction& p, double measured,
                                  bool optimised, bool makes_fewer) {
  using explain::Cause;
  const bool is_shared = p.space == memory::Space::Shared, fewer = measured < p.value;
  const double room =
      sum_of(report.lines, p.space, p.kinds, is_shared ? report::Field::Wavefronts : report::Field::Requests);
  const auto with = [&](Cause cause) { return explain::by(cause, p.value, measured, room); };
  const explain::Difference uncertain{true, "wavefronts of copies are not certain"},
      differs{false, "differs"};
  if (!p.certain && p.kinds == report::kCopies) return uncertain;
  if (is_shared && !fewer && report::reads_by_wgmma(report.uncounted)) return with(Cause::Warpgroup);
  if (!p.certain) return uncertain;
  if (explain::is_of_loops(report, p, measured)) return with(Cause::Loops);
  if (!is_shared && fewer && makes_fewer) return with(Cause::LeftOut);
  if (p.is_exact()) return is_shared && optimised ? with(Cause::Merging) : differs;
  if (!is_shared) return with(p.counts == report::Counts::Tags ? Cause::Tags : Cause::Atomics);
  if (optimised && fewer) return with(Cause::Merging);
  return with(p.counts == report::Counts::Issued ? Cause::Instructions : Cause::Arbitration);
}

// Whether the GPU was asked less often than the text asks: fewer sectors of as many requests are no
// compiler's.
bool makes_fewer(const report::Report& report, const measure::Measurement& measurement,
                 const report::Prediction& p) {
  const std::string requests = "l1tex__t_requests_pipe_lsu_mem_global" + std::string(p.op) + ".sum";
  const auto measured = measurement.counters.values.find(requests);
  const auto predicted = report::predict_counter(report, requests);
  return predicted && measured != measurement.counters.values.end() && measured->second < predicted->value;
}

std::vector<CounterRow> compare_counters(const report::Report& report,
                                         const measure::Measurement& measurement) {
  std::vector<CounterRow> rows;
  const bool optimised = measurement.subject.mode == measure::CompileMode::AsOptimised;
  for (const char* name : report::counters()) {
    const auto value = measurement.counters.values.find(name);
    const auto p = predict_counter(report, name);
    if (!p || value == measurement.counters.values.end()) continue;
    CounterRow row{name, p->is_exact(), p->value, value->second, true, "equal"};
    if (row.predicted != row.measured) {
      explain::Difference difference =
          difference_of(report, *p, row.measured, optimised, makes_fewer(report, measurement, *p));
      row.holds = difference.explained;
      row.note = std::move(difference.words);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string count_text(double value) {
  return value >= 0 && value == std::floor(value) && value < 1e18 ? grouped(static_cast<std::uint64_t>(value))
                                                                  : fixed(value, 2);
}

ordered_json check_json(const std::vector<CounterRow>& rows, const measure::Measurement& measurement,
                        bool passed) {
  ordered_json json = {{"schema", "warplens.check/1"},
                       {"passed", passed},
                       {"gpu", measurement.device.name},
                       {"when", measurement.when},
                       {"counters", ordered_json::array()}};
  for (const CounterRow& row : rows) {
    json["counters"].push_back({{"name", row.name},
                                {"predicted", row.predicted},
                                {"measured", row.measured},
                                {"residual", row.measured - row.predicted},
                                {"exact", row.exact},
                                {"passed", row.holds},
                                {"note", row.note}});
  }
  return json;
}

std::string check_text(const std::vector<CounterRow>& rows, const measure::Measurement& measurement,
                       bool passed) {
  report::Table table({Side::Left, Side::Right, Side::Right, Side::Left, Side::Left});
  table.add({"counter", "predicted", "measured", "", ""});
  for (const CounterRow& row : rows) {
    table.add({row.name, count_text(row.predicted), count_text(row.measured), row.holds ? "ok" : "WRONG",
               row.note});
  }
  return "measured on " + measurement.device.name + ", " + measurement.when + "\n" + table.text() +
         (passed ? "the prediction holds\n" : "the prediction does not hold\n");
}

ExitCode run_check(const CheckOptions& options) {
  if (options.target.target.what.empty() || options.file.empty())
    throw CommandFailure(kInputWrong, "name a TARGET and --against FILE");
  if (is_lesson(options.file, options.simulation.budget()))
    return grade_target(options.target.target, options.file, options.simulation, options.format);
  const scenario::Prepared prepared = prepare_target(options.target.target, options.simulation);
  const std::vector<measure::Measurement> measurements =
      measurements_for(prepared, options.file, options.simulation.budget());
  const measure::Measurement& measurement = measurements.front();
  const report::Report report = simulate(prepared, options.simulation);
  const std::vector<CounterRow> rows = compare_counters(report, measurement);
  const bool wrong_output = measurement.check.state == measure::CheckState::Wrong;
  if (rows.empty() && !wrong_output) {
    const std::string reason = measurement.counters.reason.english();
    throw CommandFailure(kInputWrong, options.file + ": holds no counters to check against" +
                                          (reason.empty() ? "" : ": " + reason));
  }
  bool passed = !wrong_output;
  for (const CounterRow& row : rows) passed &= row.holds;
  options.format.print_one_of([&] { return check_text(rows, measurement, passed); },
                              [&] { return check_json(rows, measurement, passed); });
  if (wrong_output)
    warn("the measured run's output was wrong: " + measurement.check.buffer + "[" +
         std::to_string(measurement.check.element) + "] is " + measurement.check.got + ", expected " +
         measurement.check.expected + "; its time says nothing");
  return passed ? kDone : kCheckFailed;
}

}  // namespace

void add_check(Program& program) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = program.app.add_subcommand(
      "check", "Check the prediction against a measurement; exit code 1 if it fails");
  options->target.add_to(*command, false);
  options->simulation.add_to(*command);
  command->add_option("--against", options->file,
                      "A measurement, a recorded pack, or a lesson whose challenge is to be met");
  options->format.add_to(*command, false);
  program.runs(command, options, run_check);
}

}  // namespace warplens::cli
