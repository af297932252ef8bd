// A profile of Nsight Compute against the prediction: `explain`, as text for people and as JSON
// (docs/explain.md).
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "app/cli/target.h"
#include "app/explain/explanation.h"
#include "app/language/joined.h"
#include "app/readout/words.h"
#include "kernels/protocol/subject.h"
#include "sim/report/output/table.h"
#include "sim/scenario/target.h"
#include "sim/text/scan.h"

namespace warplens::cli {

namespace {

struct ExplainedLaunch {
  const std::string& file;
  const profile::NcuProfile& profile;
  const explain::LaunchChoice& choice;
  const report::Report& report;
  const explain::Explanation& explanation;
  const profile::ProfiledLaunch& launch() const { return profile.launches[choice.launch]; }
};

using explain::Agreement;
using explain::ExplainedCounter;
using language::Strings;
using nlohmann::ordered_json;
using report::Side;

constexpr const char* kStates[] = {"equal", "explained", "unexplained", "caches",
                                   "not_predicted"};  // in JSON
constexpr std::size_t kMostShares = 4;                // of a counter, as text
constexpr std::size_t kMostUnknown = 12;              // counters that are only named

std::string heading_of(const ExplainedLaunch& of, const Strings& strings) {
  const profile::ProfiledLaunch& launch = of.launch();
  const std::string extents = explain::extents_text(launch.grid.value_or(of.report.launch.grid)) + " / " +
                              explain::extents_text(launch.block.value_or(of.report.launch.block));
  std::string text =
      strings("explain.heading",
              {{"file", of.file}, {"id", launch.id}, {"kernel", launch.kernel}, {"extents", extents}}) +
      "\n" +
      strings("explain.heading.against",
              {{"kernel", of.report.kernel}, {"source", of.report.source}, {"gpu", of.report.gpu}}) +
      "\n";
  const std::string others = language::joined(
      of.choice.others, ", ", [&](std::size_t other) { return of.profile.launches[other].id; });
  if (!others.empty())
    text += strings("explain.heading.others", {{"ids", report::shortened(others, 60)}}) + "\n";
  return text;
}

std::string predicted_table(const ExplainedLaunch& of, const Strings& strings) {
  report::Table table({Side::Left, Side::Right, Side::Right, Side::Right, Side::Left});
  table.name({strings("explain.column.counter"), strings("explain.column.predicted"),
              strings("explain.column.measured"), "Δ", ""});
  for (const ExplainedCounter& c : of.explanation.counters)
    if (c.state < Agreement::Behind)
      table.add({c.name, app::predicted_text(c), app::measured_text(c), app::difference_text(c),
                 app::state_word(c.state, strings)});
  return table.empty() ? std::string() : "\n" + table.text();
}

// Conflicts are worth their lines even where they are as predicted: why so many is what is asked.
bool has_details(const ExplainedCounter& c) {
  if (c.state == Agreement::NotPredicted) return false;
  return c.state != Agreement::Equal || (c.field == "bank_conflicts" && c.measured > 0);
}

// A reason that several counters share is told once.
std::string details_of(const ExplainedCounter& c, const Strings& strings, std::set<std::string>* told) {
  const std::string sum = app::equation(c, strings);
  std::string text = "\n" + c.name + "\n";
  if (!sum.empty()) text += "  " + sum + "\n";
  if (c.state != Agreement::Behind)
    for (std::size_t i = 0; i < std::min(c.shares.size(), kMostShares); ++i)
      text += "    " + app::share_text(c.shares[i], strings) + "\n";
  const std::string reason = app::reason_of(c, strings);
  return reason.empty() || !told->insert(reason).second ? text : text + "  " + reason + "\n";
}

std::string rest_of(const ExplainedLaunch& of, const Strings& strings) {
  report::Table known({Side::Left, Side::Right, Side::Left});
  std::string names;
  std::size_t count = 0;
  for (const ExplainedCounter& c : of.explanation.counters) {
    if (c.state != Agreement::NotPredicted) continue;
    const std::string meaning = app::reason_of(c, strings);
    if (!meaning.empty()) {
      known.add({app::label_of(c, strings), app::measured_text(c), meaning});
    } else if (++count <= kMostUnknown) {
      names += (names.empty() ? "" : ", ") + c.label;
    }
  }
  std::string text;
  if (!known.empty()) text += "\n" + strings("explain.rest") + "\n" + known.text("  ");
  if (count > kMostUnknown) names += ", ...";
  if (count > 0)
    text += "\n" + strings("explain.unknown", {{"n", std::to_string(count)}, {"names", names}}) + "\n";
  return text;
}

// "≈ 8.39 Mbyte" says less than it seems: JSON has the number, and what rounding may hide.
ordered_json counter_json(const ExplainedCounter& c, const Strings& strings) {
  ordered_json json = {{"name", c.name}, {"label", c.label}, {"unit", c.unit}, {"measured", c.measured}};
  if (c.resolution > 0) json["resolution"] = c.resolution;
  json["predicted"] = c.predicted ? ordered_json(*c.predicted) : ordered_json(nullptr);
  if (c.modelled) json["modelled"] = *c.modelled;
  if (c.predicted) json["difference"] = c.measured - *c.predicted;
  json["state"] = kStates[static_cast<std::size_t>(c.state)];
  json["parts"] = ordered_json::array();
  for (const explain::Part& part : c.parts)
    json["parts"].push_back({{"kind", name_of(part.kind)}, {"amount", part.amount}});
  json["lines"] = ordered_json::array();
  for (const explain::Share& share : c.shares) {
    ordered_json line = {{"line", share.line},
                         {"column", share.column},
                         {"text", share.text},
                         {"requests", share.requests},
                         {"amount", share.amount}};
    if (share.wavefronts > 0)
      line["wavefronts_a_request"] = share.wavefronts, line["ideal_a_request"] = share.ideal;
    json["lines"].push_back(std::move(line));
  }
  if (const std::string words = app::reason_of(c, strings); !words.empty()) json["words"] = words;
  return json;
}

ordered_json launch_json(const ExplainedLaunch& of) {
  const profile::ProfiledLaunch& launch = of.launch();
  const auto extents = [](const std::optional<sim::Dim3>& dim) {
    return dim ? ordered_json({dim->x, dim->y, dim->z}) : ordered_json(nullptr);
  };
  ordered_json json = {{"id", launch.id},
                       {"kernel", launch.kernel},
                       {"grid", extents(launch.grid)},
                       {"block", extents(launch.block)},
                       {"device", launch.device},
                       {"compute_capability", launch.compute_capability},
                       {"line", launch.line}};
  json["others"] = ordered_json::array();
  for (const std::size_t other : of.choice.others) json["others"].push_back(of.profile.launches[other].id);
  return json;
}

std::string explanation_text(const ExplainedLaunch& of, const Strings& strings) {
  std::string text = heading_of(of, strings) + predicted_table(of, strings);
  std::set<std::string> told;
  for (const ExplainedCounter& c : of.explanation.counters)
    if (has_details(c)) text += details_of(c, strings, &told);
  return text + rest_of(of, strings) + "\n" + app::summary_of(of.explanation, strings) + "\n";
}

ordered_json explanation_json(const ExplainedLaunch& of, const Strings& strings) {
  const bool raw = of.profile.page == profile::NcuProfile::Page::Raw;
  ordered_json json = {{"schema", "warplens.explain/1"},
                       {"kernel", of.report.kernel},
                       {"source", of.report.source},
                       {"scenario", of.report.scenario},
                       {"values", of.report.values},
                       {"gpu", of.report.gpu},
                       {"file", of.file},
                       {"page", raw ? "raw" : "details"},
                       {"launch", launch_json(of)}};
  json["counters"] = ordered_json::array();
  for (const ExplainedCounter& c : of.explanation.counters)
    json["counters"].push_back(counter_json(c, strings));
  for (std::size_t state = 0; state < std::size(kStates); ++state)
    json["summary"][kStates[state]] = of.explanation.count(static_cast<Agreement>(state));
  return json;
}

struct ExplainOptions : CommonOptions {
  std::string file, launch;
};

profile::NcuProfile profile_in(const ExplainOptions& options, const std::string& name) {
  Budget& budget = options.simulation.budget();
  const auto text = value_of(scenario::read_input(options.file, profile::kMostProfileBytes, &budget));
  return value_of(profile::read_ncu_profile(text, name, budget));
}

// What ncu counted was assembled: its loads of shared memory were joined (docs/compiled.md).
scenario::Prepared as_assembled(scenario::Prepared prepared, const SimulationOptions& options) {
  if (!prepared.program.compiled) return prepared;
  prepared.setup.compile.assembled = true;
  return prepare_setup(std::move(prepared.setup), *prepared.gpu, options.budget());
}

// As ncu leaves the caches before a launch: empty. With the registers that the file says.
sim::Traffic traffic_beside(const scenario::Prepared& prepared, const profile::ProfiledLaunch& launch,
                            const ExplainOptions& options) {
  sim::TrafficOptions traffic;
  traffic.limits = options.simulation.limits();
  if (const profile::Metric* registers = launch.find("launch__registers_per_thread");
      registers != nullptr && registers->value >= 1 && registers->value <= 255)
    traffic.registers = static_cast<int>(registers->value);
  return sim::predict_traffic(prepared.program, prepared.setup.launch, *prepared.gpu, traffic);
}

std::optional<sim::Dim3> extents_asked(const std::string& text, const char* option) {
  if (text.empty()) return std::nullopt;
  return value_of(scenario::parse_extents(text, option));
}

// The target with what the row says: its kernel, template arguments, grid, block and dynamic shared memory.
scenario::Target target_of_row(const scenario::Target& target, const profile::ProfiledLaunch& launch,
                               const std::vector<app::KernelFacts>& kernels) {
  const std::vector<std::string> arguments = launch.name().arguments;
  scenario::Target row = target;
  const auto kernel = std::ranges::find_if(kernels, [&](const app::KernelFacts& known) {
    return launch.may_be(known.name) && (target.kernel.empty() || launch.may_be(target.kernel));
  });
  if (kernel != kernels.end()) row.kernel = kernel->name;
  if (kernel != kernels.end() && kernel->templates.empty() && !arguments.empty())
    throw CommandFailure(kInputWrong, "launch " + launch.id + " is of " + launch.kernel + ", and " +
                                          kernel->name + " of the file is not a template");
  if (!arguments.empty()) row.template_arguments = language::joined(arguments, ",");
  if (launch.grid) row.grid = comma_list(*launch.grid);
  if (launch.block) row.block = comma_list(*launch.block);
  // A figure that ncu rounded is no size.
  const profile::Metric* shared = launch.find("launch__shared_mem_per_block_dynamic");
  if (row.shared.empty() && shared != nullptr && shared->resolution == 0 && shared->value >= 0 &&
      shared->value < 1e9)
    row.shared = std::to_string(static_cast<std::uint64_t>(shared->value));
  return row;
}

class ExplainRun {
 public:
  explicit ExplainRun(const ExplainOptions& options)
      : options_(options),
        name_(options.file == "-" ? "standard input" : options.file),
        profile_(profile_in(options, name_)),
        strings_(words_in(options.language)) {}

  ExitCode run() {
    const auto kernels = kernels_in(options_.target.target, options_.simulation);
    if (kernels && !kernels->empty())
      explain_rows(*kernels);
    else
      explain_target();
    if (options_.format.json)
      print_json(documents_.size() == 1 ? documents_.front()
                                        : nlohmann::ordered_json{{"schema", "warplens.explain-launches/1"},
                                                                 {"launches", documents_}});
    return code_;
  }

 private:
  // A scenario or a link says its launch itself.
  void explain_target() {
    const scenario::Prepared prepared =
        as_assembled(prepare_target(options_.target.target, options_.simulation), options_.simulation);
    const report::Report report = simulate(prepared, options_.simulation);
    const auto choice = value_of(explain::choose_launch(profile_,
                                                        {{report.kernel},
                                                         report.template_arguments,
                                                         report.launch.grid,
                                                         report.launch.block,
                                                         options_.launch},
                                                        name_));
    if (!choice.differs.empty()) warn(choice.differs);
    tell(choice, prepared, report);
  }

  // Of a file each row says its own; what the command line says chooses among them.
  void explain_rows(const std::vector<app::KernelFacts>& kernels) {
    const scenario::Target& target = options_.target.target;
    explain::WantedLaunch wanted;
    wanted.id = options_.launch;
    if (!target.kernel.empty()) wanted.kernels = {target.kernel};
    for (const app::KernelFacts& kernel : kernels)
      if (target.kernel.empty()) wanted.kernels.push_back(kernel.name);
    wanted.template_arguments = text::split_list(target.template_arguments, scenario::kNesting);
    wanted.grid = extents_asked(target.grid, "--grid");
    wanted.block = extents_asked(target.block, "--block");
    auto choices = value_of(explain::choose_launches(profile_, wanted, name_));
    const std::string differs = choices.front().differs;
    std::erase_if(choices, [](const explain::LaunchChoice& choice) { return !choice.differs.empty(); });
    if (choices.empty()) throw CommandFailure(kInputWrong, name_ + ": " + differs);
    const bool alone = choices.size() == 1;
    for (const explain::LaunchChoice& choice : choices) {
      try {
        explain_row(choice, kernels);
      } catch (const CommandFailure& failure) {
        if (alone || failure.code() == kLimitHit) throw;
        warn("launch " + profile_.launches[choice.launch].id + ": " + failure.what());
        code_ = std::max(code_, failure.code());
      }
    }
  }

  void explain_row(const explain::LaunchChoice& choice, const std::vector<app::KernelFacts>& kernels) {
    const scenario::Target row =
        target_of_row(options_.target.target, profile_.launches[choice.launch], kernels);
    const scenario::Prepared prepared = as_assembled(
        prepare_setup(as_asked(launch_of_row(row, options_.simulation), row, options_.simulation),
                      find_gpu(options_.simulation.gpu), options_.simulation.budget()),
        options_.simulation);
    tell(choice, prepared, simulate(prepared, options_.simulation));
  }

  void tell(const explain::LaunchChoice& choice, const scenario::Prepared& prepared,
            const report::Report& report) {
    const profile::ProfiledLaunch& launch = profile_.launches[choice.launch];
    const sim::Traffic traffic = traffic_beside(prepared, launch, options_);
    const explain::Explanation explanation =
        explain::explain_launch(report, launch, {choice.differs.empty(), &traffic});
    const ExplainedLaunch of{name_, profile_, choice, report, explanation};
    if (options_.format.json)
      documents_.push_back(explanation_json(of, strings_));
    else
      print((told_++ > 0 ? "\n" : "") + explanation_text(of, strings_));
    if (!explanation.holds()) code_ = std::max(code_, kCheckFailed);
  }

  const ExplainOptions& options_;
  std::string name_;
  profile::NcuProfile profile_;
  language::Strings strings_;
  std::vector<nlohmann::ordered_json> documents_;
  int told_ = 0;
  ExitCode code_ = kDone;
};

}  // namespace

void add_explain(Program& program) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = program.app.add_subcommand(
      "explain",
      "Explain what Nsight Compute counted by the prediction; exit code 1 if a difference has no cause");
  command
      ->add_option("FILE", options->file,
                   "The output of ncu --csv, details page or raw page; - for standard input")
      ->required();
  options->target.add_to(*command);
  options->target.add_compiled(*command);
  command->add_option(
      "--launch", options->launch,
      "The launch with this ID; default: every launch for a file, the first that fits for a scenario");
  options->simulation.add_to(*command);
  add_language(*command, &options->language);
  options->format.add_to(*command, false);
  program.runs<ExplainOptions>(command, options, [](const auto& asked) { return ExplainRun(asked).run(); });
}

}  // namespace warplens::cli
