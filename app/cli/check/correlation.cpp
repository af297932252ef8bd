#include "app/cli/check/correlation.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <tuple>

#include "app/cli/check/counter_check.h"
#include "app/cli/command.h"
#include "kernels/protocol/subject.h"
#include "sim/report/counters.h"
#include "sim/scenario/text_file.h"

namespace warplens::cli {

namespace {

using measure::CompileMode;
using measure::Measurement;
using memory::Op;
using memory::Space;

constexpr std::array<std::pair<Op, const char*>, 4> kOps{
    {{Op::Load, "load"}, {Op::Store, "store"}, {Op::Atomic, "atomic"}, {Op::Reduction, "reduction"}}};

double value_or(const Measurement& m, const std::string& name, double fallback) {
  const auto found = m.counters.values.find(name);
  return found == m.counters.values.end() ? fallback : found->second;
}

Point point_of(Quantity quantity, std::string what, double predicted, double measured,
               const explain::Difference& difference) {
  Point point{quantity, std::move(what), predicted, measured, false, {}};
  if (point.is_equal()) return point;
  point.explained = difference.explained;
  point.cause = difference.words;
  return point;
}

// A launch counted: as compilers issue its accesses, and, where that is something else, as they are written.
struct Counted {
  report::Report issued;
  std::optional<report::Report> literal;
};

Counted counted(scenario::Setup setup, const Simulate& simulate) {
  Counted out{simulate(setup), std::nullopt};
  if (out.issued.issued.empty()) return out;
  setup.compile.literal = true;
  out.literal = simulate(setup);
  return out;
}

// Requests and sectors of each operation.
void add_global(const Counted& counts, const Measurement& m, std::vector<Point>& points) {
  const report::Report& report = counts.issued;
  const report::Report& literal = counts.literal ? *counts.literal : report;
  for (const auto& [op, name] : kOps) {
    for (const auto& [quantity, field] :
         {std::pair{Quantity::Requests, "requests"}, {Quantity::Sectors, "sectors"}}) {
      const report::Counter* counter = report::counter_of(Space::Global, op, field);
      if (counter == nullptr) continue;
      const double measured = value_or(m, counter->name, -1);
      const double predicted = static_cast<double>(report::predicted(report, *counter));
      if (measured < 0 || (measured == 0 && predicted == 0)) continue;
      const double requests = static_cast<double>(report.group(Space::Global, op).requests);
      points.push_back(point_of(quantity, std::string(name) + " " + field, predicted, measured,
                                counter->is_exact ? explain::Difference{false, "not explained"}
                                                  : explain::by_atomic_model(predicted, measured, requests)));
      points.back().literal = static_cast<double>(report::predicted(literal, *counter));
    }
  }
}

double predicted_wavefronts(const report::Report& report, std::initializer_list<Op> ops) {
  double sum = 0;
  for (const Op op : ops) sum += static_cast<double>(report.group(Space::Shared, op).wavefronts);
  return sum;
}

// From instrumented machine code: all operations in one, or one by one. Negative: not measured.
double exact_wavefronts(const Measurement& m) {
  const double all = value_or(m, "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum", -1);
  if (all >= 0) return all;
  double sum = 0;
  bool any = false;
  for (const char* op : {"ld", "st", "atom", "ldgsts"}) {
    const std::string base = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_";
    const double part = value_or(m, base + op + ".sum", -1);
    any |= part >= 0;
    sum += std::max(0.0, part);
  }
  return any ? sum : -1;
}

double pipe_wavefronts(const Measurement& m) {
  double sum = 0;
  for (const char* op : {"ld", "st", "atom"}) {
    const std::string base = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_";
    const double part = value_or(m, base + op + ".sum", -1);
    if (part < 0) return -1;
    sum += part;
  }
  return sum;
}

void add_wavefronts(const report::Report& report, const Measurement& m, CorrelationRow& row) {
  const double predicted = predicted_wavefronts(report, {Op::Load, Op::Store, Op::Atomic, Op::Async}),
               exact = exact_wavefronts(m);
  row.pipe_wavefronts = pipe_wavefronts(m);
  if (predicted == 0 && exact <= 0 && row.pipe_wavefronts <= 0) return;
  const bool written = m.subject.mode == CompileMode::AsWritten;
  const bool uncertain = report.group(Space::Shared, Op::Async).uncertain > 0;
  const bool by_wgmma = report::reads_by_wgmma(report.uncounted);
  if (exact >= 0) {
    row.points.push_back(point_of(Quantity::Wavefronts, "shared wavefronts", predicted, exact,
                                  by_wgmma && exact > predicted ? explain::by_wgmma(predicted, exact)
                                  : uncertain
                                      ? explain::Difference{true, "wavefronts of copies are not certain"}
                                  : written ? explain::Difference{false, "not explained"}
                                            : explain::by_merging(predicted, exact)));
  } else if (row.pipe_wavefronts >= 0) {
    // The pipe has no counter for copies.
    const double pipe = row.pipe_wavefronts,
                 alone = predicted_wavefronts(report, {Op::Load, Op::Store, Op::Atomic});
    row.points.push_back(point_of(Quantity::Wavefronts, "shared wavefronts (pipe)", alone, pipe,
                                  written ? explain::by_arbitration(alone, pipe, alone)
                                          : explain::by_merging_and_arbitration(alone, pipe, alone)));
  }
}

const scenario::Scenario* find(const std::vector<scenario::Scenario>& scenarios, const std::string& name) {
  for (const scenario::Scenario& scenario : scenarios)
    if (scenario.name == name) return &scenario;
  return nullptr;
}

sim::Argument argument_of(const measure::KernelArgument& given) {
  if (const auto* buffer = std::get_if<measure::BufferArgument>(&given.value))
    return sim::Buffer{buffer->elements, buffer->fill};
  if (const auto* integer = std::get_if<std::int64_t>(&given.value)) return *integer;
  return std::get<double>(given.value);
}

// Of a kernel outside of the gallery.
std::optional<scenario::Setup> setup_of(const measure::Subject& subject,
                                        const std::vector<KernelFile>& files) {
  const auto file = std::find_if(files.begin(), files.end(),
                                 [&](const KernelFile& f) { return f.hash == subject.text_hash; });
  if (file == files.end()) return std::nullopt;
  scenario::Setup setup;
  setup.name = setup.source_name = file->name;
  setup.compile.text = file->text;
  setup.compile.kernel = subject.kernel;
  setup.compile.template_arguments = subject.template_arguments;
  setup.compile.defines = subject.defines;
  setup.launch.grid = subject.grid, setup.launch.block = subject.block;
  setup.launch.shared_bytes = subject.shared_bytes;
  for (const measure::KernelArgument& given : subject.arguments)
    setup.launch.arguments[given.name] = argument_of(given);
  return setup;
}

// The setup of exactly what was measured, or why there is none.
std::optional<scenario::Setup> setup_of(const Measurement& m,
                                        const std::vector<scenario::Scenario>& scenarios,
                                        const std::vector<KernelFile>& files, std::string& problem,
                                        Budget& budget) {
  if (m.scenario.empty()) {
    auto own = setup_of(m.subject, files);
    if (!own) problem = "was measured from a file of its own, which is not in the --sources";
    return own;
  }
  const scenario::Scenario* scenario = find(scenarios, m.scenario);
  if (scenario == nullptr) {
    problem = "its scenario is not in the gallery";
    return std::nullopt;
  }
  auto setup = scenario::make_setup(*scenario, m.parameters, &budget);
  if (!setup) {
    problem = setup.errors.empty() ? "its parameters are not taken" : setup.errors.front().english();
    return std::nullopt;
  }
  if (measure::key_of(*setup.value, m.subject.mode) == m.key) return std::move(*setup.value);
  problem = "the kernel's text or launch has changed since it was measured";
  return std::nullopt;
}

std::set<std::string> made_of(const report::Report& report) {
  std::set<std::string> made;
  for (const sim::UnissuedAccess& access : report.unissued) made.insert(report::name_of(access.why));
  for (const report::ReportLine& line : report.lines)
    if (line.written > 1) made.insert(kJoined);
  return made;
}

CorrelationRow row_of(const Measurement& m, const Counted& counts) {
  CorrelationRow row;
  row.measurement = &m;
  row.kernel = m.scenario.empty() ? counts.issued.source + " " + m.subject.kernel : m.scenario;
  row.parameters = parameters_of(m);
  row.made = made_of(counts.issued);
  add_global(counts, m, row.points);
  add_wavefronts(counts.issued, m, row);
  return row;
}

}  // namespace

std::string parameters_of(const Measurement& m) {
  std::string words;
  for (const auto& [name, value] : m.parameters)
    words += (words.empty() ? "" : ", ") + name + " " + std::to_string(value);
  return words;
}

bool CorrelationRow::holds() const {
  return std::all_of(points.begin(), points.end(), [](const Point& point) { return point.holds(); });
}

std::size_t Correlation::failed() const {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [](const CorrelationRow& row) { return !row.holds(); }));
}

std::vector<KernelFile> kernel_files(const std::vector<std::string>& folders, Budget& budget) {
  std::vector<KernelFile> files;
  for (const std::string& folder : folders) {
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
      if (entry.path().extension() != ".cu") continue;
      budget.check(Stage::Reading);
      const auto text = scenario::read_text(entry.path());
      if (text)
        files.push_back({entry.path().filename().string(), *text.value, measure::hash_text(*text.value)});
    }
    if (failed) throw CommandFailure(kInputWrong, folder + ": " + failed.message());
  }
  std::sort(files.begin(), files.end(),
            [](const KernelFile& a, const KernelFile& b) { return a.name < b.name; });
  return files;
}

Correlation correlate(const measure::Pack& pack, const std::vector<scenario::Scenario>& scenarios,
                      const std::vector<KernelFile>& files, const Simulate& simulate, Budget& budget) {
  Correlation correlation;
  correlation.pack = &pack;
  std::map<std::string, Counted> known;  // by the launch: both modes share it
  for (const Measurement& m : pack.measurements) {
    budget.check(Stage::Counting);
    std::string problem;
    const auto setup = setup_of(m, scenarios, files, problem, budget);
    if (setup && m.counters.values.empty()) problem = "no counters: " + m.counters.reason.english();
    if (problem.empty()) try {
        const std::string launch = measure::key_of(*setup, CompileMode::AsWritten).digest;
        auto found = known.find(launch);
        if (found == known.end()) found = known.emplace(launch, counted(*setup, simulate)).first;
        CorrelationRow row = row_of(m, found->second);
        if (!row.points.empty()) {
          correlation.rows.push_back(std::move(row));
          continue;
        }
        problem = "holds none of the counters that are predicted";
      } catch (const std::exception& failed) {
        problem = failed.what();
      }
    correlation.left_out.push_back((m.scenario.empty() ? m.subject.kernel : m.scenario) + " " +
                                   parameters_of(m) + ": " + problem);
  }
  // Kernels of files come behind the gallery.
  const auto before = [](const CorrelationRow& a, const CorrelationRow& b) {
    const Measurement &x = *a.measurement, &y = *b.measurement;
    const bool own_x = x.scenario.empty(), own_y = y.scenario.empty();
    return std::tie(own_x, a.kernel, x.parameters, x.subject.mode) <
           std::tie(own_y, b.kernel, y.parameters, y.subject.mode);
  };
  std::stable_sort(correlation.rows.begin(), correlation.rows.end(), before);
  return correlation;
}

nlohmann::ordered_json correlation_json(const Correlation& correlation) {
  nlohmann::ordered_json json = {{"schema", "warplens.correlation/1"},
                                 {"gpu", correlation.pack->device.name},
                                 {"driver", correlation.pack->device.driver},
                                 {"cuda", correlation.pack->device.cuda},
                                 {"when", correlation.pack->when},
                                 {"rows", nlohmann::ordered_json::array()}};
  for (const CorrelationRow& row : correlation.rows) {
    nlohmann::ordered_json entry = {{"scenario", row.measurement->scenario},
                                    {"parameters", row.measurement->parameters},
                                    {"mode", measure::name_of(row.measurement->subject.mode)},
                                    {"holds", row.holds()}};
    if (row.measurement->scenario.empty()) entry["kernel"] = row.kernel;
    if (!row.made.empty()) entry["made"] = row.made;
    for (const Point& point : row.points) {
      entry["counts"].push_back(
          {{"what", point.what}, {"predicted", point.predicted}, {"measured", point.measured}});
      if (point.quantity != Quantity::Wavefronts && point.literal != point.predicted)
        entry["counts"].back()["literal"] = point.literal;
    }
    if (row.pipe_wavefronts >= 0) entry["pipe_wavefronts"] = row.pipe_wavefronts;
    json["rows"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace warplens::cli
