// A prediction against a measurement.
#include <cmath>
#include <memory>

#include "app/cli/target_options.h"
#include "app/measure/pack.h"
#include "app/measure/subject.h"
#include "sim/report/counters.h"
#include "sim/report/table.h"
#include "sim/scenario/json_document.h"

namespace warplens::cli {

namespace {

using nlohmann::ordered_json;
using report::Side;

struct Options {
  TargetOptions target;
  SimulationOptions simulation;
  FormatOptions format;
  std::string file;
};

struct Row {
  const report::Counter* counter;
  double predicted = 0, measured = 0;
  bool holds = true;
  std::string note;
};

// In optimised mode the compiler may merge shared accesses, so fewer and wider ones are executed than
// written.
Row compare_counter(const report::Counter& counter, double predicted, double measured, bool optimised) {
  Row row{&counter, predicted, measured, true, "equal"};
  if (predicted == measured) return row;
  if (optimised && counter.space == memory::Space::Shared) {
    row.note = "the compiler merged shared accesses";
  } else if (counter.is_exact) {
    row.holds = false;
    row.note = "differs";
  } else if (counter.space == memory::Space::Global) {
    row.holds = std::abs(measured - predicted) <= 0.05 * predicted;
    row.note = row.holds ? "the model of global atomics is not exact" : "differs by more than 5 %";
  } else {
    row.holds = measured >= predicted;
    const bool counts_instructions = std::string_view(counter.field) == "requests";
    row.note = !row.holds            ? "less than predicted"
               : counts_instructions ? "also counts instructions in which no lane is active"
                                     : "also counts arbitration with other traffic";
  }
  return row;
}

std::vector<Row> compare(const report::Report& report, const measure::Measurement& measurement) {
  std::vector<Row> rows;
  const bool optimised = measurement.subject.mode == measure::CompileMode::AsOptimised;
  for (const report::Counter& counter : report::counters()) {
    const auto value = measurement.counters.values.find(counter.name);
    if (value == measurement.counters.values.end()) continue;
    rows.push_back(compare_counter(counter, static_cast<double>(report::predicted(report, counter)),
                                   value->second, optimised));
  }
  return rows;
}

// A measurement of something else says nothing about this target.
void require_same(const scenario::Prepared& prepared, const measure::Measurement& measurement) {
  if (measure::key_of(prepared.setup, measurement.subject.mode).digest == measurement.key.digest) return;
  std::string message = "the measurement is of something else: ";
  const measure::Subject& subject = measurement.subject;
  const warp::Launch& launch = prepared.setup.launch;
  if (!subject.text_hash.empty() && subject.text_hash != measure::hash_text(prepared.setup.compile.text)) {
    message += "another kernel text";
  } else if (!(subject.grid == launch.grid) || !(subject.block == launch.block) ||
             subject.shared_bytes != launch.shared_bytes) {
    message += "another launch";
  } else if (subject.template_arguments != prepared.setup.compile.template_arguments) {
    message += "other template arguments";
  } else {
    message += "other arguments or macros";
  }
  throw CommandFailure(kInputWrong, message);
}

// The measurement that a file holds, or that of exactly this target where it is a recorded pack.
measure::Measurement measurement_for(const scenario::Prepared& prepared, const std::string& file) {
  scenario::JsonLimits limits;
  limits.bytes = std::size_t{64} << 20;
  scenario::JsonDocument document = scenario::JsonDocument::load(file, limits);
  if (!document.ok()) throw CommandFailure(kInputWrong, document.errors());
  if (!document.root().optional_text("schema").starts_with("warplens.pack/")) {
    scenario::Outcome<measure::Measurement> measurement = measure::load_measurement(file);
    if (!measurement) throw CommandFailure(kInputWrong, measurement.errors);
    require_same(prepared, *measurement.value);
    return std::move(*measurement.value);
  }
  const scenario::Outcome<measure::Pack> pack = measure::load_pack(file);
  if (!pack) throw CommandFailure(kInputWrong, pack.errors);
  for (const auto mode : {measure::CompileMode::AsWritten, measure::CompileMode::AsOptimised}) {
    const measure::Measurement* found = pack.value->find(measure::key_of(prepared.setup, mode));
    if (found != nullptr) return *found;
  }
  throw CommandFailure(kInputWrong,
                       file + ": holds no measurement of exactly this kernel text, launch and arguments");
}

ordered_json check_json(const std::vector<Row>& rows, const measure::Measurement& measurement, bool passed) {
  ordered_json json = {{"schema", "warplens.check/1"},
                       {"passed", passed},
                       {"gpu", measurement.device.name},
                       {"when", measurement.when},
                       {"counters", ordered_json::array()}};
  for (const Row& row : rows) {
    json["counters"].push_back({{"name", row.counter->name},
                                {"predicted", row.predicted},
                                {"measured", row.measured},
                                {"residual", row.measured - row.predicted},
                                {"exact", row.counter->is_exact},
                                {"passed", row.holds},
                                {"note", row.note}});
  }
  return json;
}

std::string number(double value) {
  return value >= 0 && value == std::floor(value) && value < 1e18
             ? report::grouped(static_cast<std::uint64_t>(value))
             : report::fixed(value, 2);
}

std::string check_text(const std::vector<Row>& rows, const measure::Measurement& measurement, bool passed) {
  report::Table table({Side::Left, Side::Right, Side::Right, Side::Left, Side::Left});
  table.add({"counter", "predicted", "measured", "", ""});
  for (const Row& row : rows) {
    table.add({row.counter->name, number(row.predicted), number(row.measured), row.holds ? "ok" : "WRONG",
               row.note});
  }
  return "measured on " + measurement.device.name + ", " + measurement.when + "\n" + table.text() +
         (passed ? "the prediction holds\n" : "the prediction does not hold\n");
}

ExitCode run_check(const Options& options) {
  const scenario::Prepared prepared = prepare_target(options.target.target, options.simulation.gpu);
  const measure::Measurement measurement = measurement_for(prepared, options.file);
  const report::Report report = simulate(prepared, options.simulation);
  const std::vector<Row> rows = compare(report, measurement);
  const bool wrong_output = measurement.check.state == measure::CheckState::Wrong;
  if (rows.empty() && !wrong_output) {
    const std::string& reason = measurement.counters.reason;
    throw CommandFailure(kMachineCannot, options.file + ": holds no counters to check against" +
                                             (reason.empty() ? "" : ": " + reason));
  }
  bool passed = !wrong_output;
  for (const Row& row : rows) passed &= row.holds;
  if (options.format.json) {
    print_json(check_json(rows, measurement, passed));
  } else {
    print(check_text(rows, measurement, passed));
  }
  if (wrong_output) warn("the measured run's output was wrong");
  return passed ? kDone : kCheckFailed;
}

}  // namespace

Command add_check(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("check", "The prediction against a measurement; exit 1 where it fails");
  options->target.add_to(*command);
  options->simulation.add_to(*command);
  command->add_option("--against", options->file, "A warplens.measurement/1 file, or a recorded pack")
      ->required();
  options->format.add_to(*command, false);
  return {command, [options] { return run_check(*options); }};
}

}  // namespace warplens::cli
