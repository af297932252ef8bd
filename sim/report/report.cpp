#include "sim/report/report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "sim/program/operands.h"
#include "sim/report/advice.h"

namespace warplens::report {

std::vector<SteeringBuffer> steering_buffers(const sim::Program& program, const sim::Launch& launch) {
  sim::Places steering =
      0;  // a load that brings its value feeds an address or a decision: see sim/analyse/analyse.h
  for (const sim::Instr& instr : program.code)
    if (instr.op == sim::Opcode::Load && instr.keep == sim::Keep::Everything) steering |= instr.leads_to;
  std::vector<SteeringBuffer> buffers;
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    const sim::KernelParameter& parameter = program.parameters[i];
    if (!parameter.is_pointer || parameter.initial != nullptr || (steering & sim::place_of_parameter(i)) == 0)
      continue;
    const sim::Buffer* buffer = launch.buffer(parameter.name);
    const sim::Fill fill = buffer != nullptr ? buffer->fill : sim::Fill::Zero;
    const bool is_chosen = buffer != nullptr && (buffer->data || buffer->is_null || buffer->range);
    if (!is_chosen && (fill == sim::Fill::Zero || fill == sim::Fill::Iota))
      buffers.push_back({parameter.name, fill});
  }
  return buffers;
}

Message words_of(const SteeringBuffer& buffer) {
  if (buffer.fill == sim::Fill::Zero)
    return Message(
        "addresses or decisions follow from what {} holds, and here all of it is zero: other values give "
        "other counts",
        buffer.name);
  return Message(
      "addresses or decisions follow from what {} holds, and here that is 0, 1, 2, ...: other values give "
      "other counts",
      buffer.name);
}

using memory::Op;
using memory::Space;
using sim::SiteTotals;

namespace {

constexpr CountField kGlobalFields[] = {
    {"requests", &SiteTotals::requests},           {"sectors", &SiteTotals::sectors},
    {"ideal_sectors", &SiteTotals::ideal_sectors}, {"lines", &SiteTotals::lines},
    {"used_bytes", &SiteTotals::used_bytes},       {"bytes", &SiteTotals::bytes}};
constexpr CountField kSharedFields[] = {{"requests", &SiteTotals::requests},
                                        {"wavefronts", &SiteTotals::wavefronts},
                                        {"ideal_wavefronts", &SiteTotals::ideal_wavefronts},
                                        {"bank_conflicts", &SiteTotals::bank_conflicts},
                                        {"bytes", &SiteTotals::bytes}};
constexpr CountField kGlobalAsyncFields[] = {{"requests", &SiteTotals::requests},
                                             {"sectors", &SiteTotals::sectors},
                                             {"load_sectors", &SiteTotals::load_sectors},
                                             {"ideal_sectors", &SiteTotals::ideal_sectors},
                                             {"bytes", &SiteTotals::bytes}};
constexpr CountField kStageFields[] = {{"tag_wavefronts", &SiteTotals::tag_wavefronts},
                                       {"data_wavefronts", &SiteTotals::data_wavefronts}};
constexpr GroupName kGroups[] = {
    {Space::Global, Op::Load},      {Space::Global, Op::Store},  {Space::Global, Op::Atomic},
    {Space::Global, Op::Reduction}, {Space::Global, Op::Async},  {Space::Shared, Op::Load},
    {Space::Shared, Op::Store},     {Space::Shared, Op::Atomic}, {Space::Shared, Op::Async}};

class ReportMaker {
 public:
  ReportMaker(const scenario::Prepared& prepared, const sim::Totals& totals)
      : program_(prepared.program), totals_(totals) {
    const scenario::Setup& setup = prepared.setup;
    static_cast<GridCounts&>(report_) = grid_counts(program_, totals);
    report_.kernel = program_.kernel;
    report_.source = setup.source_name;
    report_.scenario = setup.values.empty() ? "" : setup.name;
    report_.gpu = prepared.gpu->name;
    report_.template_arguments = setup.compile.template_arguments;
    report_.defines = setup.compile.defines;
    report_.launch = setup.launch;
    report_.values = setup.values;
    report_.blocks_total = totals.blocks_total;
    report_.blocks_simulated = totals.blocks_simulated;
    report_.seconds = totals.seconds;
    report_.data_dependent = totals.data_dependent;
    report_.waits = totals.waits;
    report_.divergent_barrier = totals.divergent_barrier;
    report_.steering = steering_buffers(program_, setup.launch);
    report_.uncounted = uncounted_forms(program_);
    report_.compiled = program_.compiled;
    report_.compiler = setup.compiler;
    report_.architecture = setup.architecture;
    report_.textures = texture_lines(program_);
    report_.joinable = joinable_lines(program_);
    report_.local_memory = local_memory_lines(program_);
  }

  Report make() {
    for (std::size_t site = 0; site < program_.sites.size(); ++site) {
      const SiteTotals global =
          site < totals_.global_sites.size() ? totals_.global_sites[site] : SiteTotals{};
      const SiteTotals shared =
          site < totals_.shared_sites.size() ? totals_.shared_sites[site] : SiteTotals{};
      // A site that never ran is shown in the space that the text gives it; a generic one that went both
      // ways, twice.
      const bool is_shared = program_.sites[site].space == sim::SiteSpace::Shared;
      if (global.requests != 0 || (shared.requests == 0 && !is_shared)) add_line(site, Space::Global, global);
      if (shared.requests != 0 || (global.requests == 0 && is_shared)) add_line(site, Space::Shared, shared);
    }
    std::ranges::stable_sort(report_.lines, [](const ReportLine& a, const ReportLine& b) {
      return std::tie(a.line, a.column) < std::tie(b.line, b.column);
    });
    return std::move(report_);
  }

 private:
  void add_line(std::size_t index, Space space, const SiteTotals& totals) {
    const sim::AccessSite& site = program_.sites[index];
    ReportLine line;
    line.line = site.range.begin.line;
    line.column = site.range.begin.column;
    line.text = site.text;
    line.array = site.array;
    line.space = space;
    line.op = counted_as(space, site.op);
    line.bytes_per_lane = site.bytes;
    line.increments = site.increments && space == Space::Shared;
    line.form = site.form;
    line.past_l1 = site.past_l1;
    line.site = index;
    line.totals = totals;
    const auto& shapes = space == Space::Global ? totals_.global_shapes : totals_.shared_shapes;
    if (index < shapes.size()) line.shape = shapes[index];
    add_layout(line);
    report_.lines.push_back(std::move(line));
  }

  void add_layout(ReportLine& line) const {
    if (line.space == Space::Global) {
      for (const sim::KernelParameter& parameter : program_.parameters) {
        if (parameter.is_pointer && parameter.name == line.array)
          line.element_bytes = parameter.element_bytes;
      }
      return;
    }
    for (const sim::SharedArray& array : program_.shared_arrays) {
      if (array.name != line.array) continue;
      line.element_bytes = array.element_bytes;
      line.array_begin = array.offset;
      line.row_bytes = array.extents.size() > 1 ? array.extents.back() * array.element_bytes : 0;
    }
  }

  const sim::Program& program_;
  const sim::Totals& totals_;
  Report report_;
};

nlohmann::ordered_json group_json(const SiteTotals& totals, Space space, Op op) {
  nlohmann::ordered_json group;
  for (const CountField& field : group_fields(space, op)) group[field.name] = totals.*field.value;
  if (op == Op::Async && space == Space::Shared) group["exact"] = totals.uncertain == 0;
  for (const CountField& field : modelled_fields(space, op))
    group["modelled"][field.name] = totals.*field.value;
  return group;
}

// How many different sectors a group or a line asks for, where that was counted.
void add_distinct(const Report& report, Space space, std::uint64_t distinct, nlohmann::ordered_json& json) {
  if (report.distinct && space == Space::Global) json["distinct_sectors"] = distinct;
}

nlohmann::ordered_json line_json(const Report& report, const ReportLine& line) {
  nlohmann::ordered_json json = {{"line", line.line},
                                 {"column", line.column},
                                 {"text", line.text},
                                 {"array", line.array},
                                 {"space", name_of(line.space)},
                                 {"op", name_of(line.op)},
                                 {"bytes_per_lane", line.bytes_per_lane}};
  if (line.form != sim::AccessForm::Plain) json["form"] = name_of(line.form);
  json.update(group_json(line.totals, line.space, line.op));
  add_distinct(report, line.space, report.distinct ? report.distinct->by_site[line.site] : 0, json);
  json["active_lanes"] = line.totals.active_lanes;
  return json;
}

nlohmann::ordered_json advice_json(const Report& report, const Advice& advice) {
  const ReportLine& line = report.lines[advice.line];
  nlohmann::ordered_json json = {{"line", line.line},
                                 {"column", line.column},
                                 {"rule", id_of(advice.rule)},
                                 {"excess", advice.excess},
                                 {"wasted_bytes", advice.wasted_bytes}};
  for (const AdviceFigure& figure : advice.figures) json["figures"][std::string(figure.name)] = figure.value;
  json["text"] = advice_text(report, advice);
  return json;
}

nlohmann::ordered_json argument_json(const sim::Argument& argument) {
  if (const auto* integer = std::get_if<std::int64_t>(&argument)) return *integer;
  if (const auto* large = std::get_if<std::uint64_t>(&argument)) return *large;
  if (const auto* number = std::get_if<double>(&argument)) return *number;
  const auto& buffer = std::get<sim::Buffer>(argument);
  if (buffer.is_null) return nullptr;
  nlohmann::ordered_json json;
  json["elements"] =
      buffer.elements == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(buffer.elements);
  json["fill"] = sim::name_of(buffer.fill);
  if (buffer.offset != 0) json["offset"] = buffer.offset;
  if (buffer.range) json["range"] = *buffer.range;
  if (!buffer.file.empty()) json["file"] = buffer.file;
  if (buffer.data && buffer.file.empty()) json["contents"] = "program";  // as it writes them
  return json;
}

nlohmann::ordered_json extents_json(const sim::Dim3& dim) {
  return {dim.x, dim.y, dim.z};
}

}  // namespace

std::span<const CountField> group_fields(Space space, Op op) {
  if (space == Space::Global && op == Op::Async) return kGlobalAsyncFields;
  if (space == Space::Global) return kGlobalFields;
  return kSharedFields;
}

std::span<const CountField> modelled_fields(Space space, Op op) {
  if (space == Space::Global && (op == Op::Load || op == Op::Store)) return kStageFields;
  return {};
}

std::span<const GroupName> all_groups() {
  return kGroups;
}

const char* name_of(Space space) {
  return space == Space::Global ? "global" : "shared";
}

const char* name_of(sim::AccessForm form) {
  constexpr const char* kNames[] = {"plain",   "matrix",  "async_copy", "texture",
                                    "surface", "barrier", "bulk",       "warpgroup"};
  return kNames[static_cast<std::size_t>(form)];
}

std::vector<sim::AccessForm> uncounted_forms(const sim::Program& program) {
  std::vector<sim::AccessForm> forms;
  for (const sim::AccessForm form : {sim::AccessForm::Bulk, sim::AccessForm::Warpgroup})
    if (std::ranges::any_of(program.code, [&](const sim::Instr& instr) {
          return instr.form == form && instr.site < 0 && sim::is_access(instr.op);
        }))
      forms.push_back(form);
  return forms;
}

bool reads_by_wgmma(std::span<const sim::AccessForm> uncounted) {
  return std::ranges::count(uncounted, sim::AccessForm::Warpgroup) != 0;
}

const char* name_of(Op op) {
  constexpr const char* kNames[] = {"load", "store", "atomic", "reduction", "async"};
  return kNames[static_cast<std::size_t>(op)];
}

double used_of_a_sector(const SiteTotals& totals) {
  if (totals.sectors == 0) return 0;
  return static_cast<double>(totals.used_bytes) / static_cast<double>(totals.sectors);
}

Op counted_as(Space space, Op op) {
  return space == Space::Shared && op == Op::Reduction ? Op::Atomic : op;
}

const SiteTotals& GridCounts::group(Space space, Op op) const {
  const auto& groups = space == Space::Global ? global : shared;
  return groups[static_cast<std::size_t>(counted_as(space, op))];
}

GridCounts grid_counts(const sim::Program& program, const sim::Totals& totals) {
  GridCounts counts;
  counts.barriers = totals.barriers;
  for (std::size_t site = 0; site < program.sites.size(); ++site) {
    const Op op = program.sites[site].op;
    const auto to = static_cast<std::size_t>(op),
               to_shared = static_cast<std::size_t>(counted_as(Space::Shared, op));
    if (site < totals.global_sites.size()) counts.global[to].add(totals.global_sites[site]);
    if (site < totals.shared_sites.size()) counts.shared[to_shared].add(totals.shared_sites[site]);
  }
  return counts;
}

Report make_report(const scenario::Prepared& prepared, const sim::Totals& totals) {
  return ReportMaker(prepared, totals).make();
}

namespace {

SharedWidths widths_of(const sim::Program& program, bool has_source) {
  SharedWidths widths;
  for (const sim::AccessSite& site : program.sites) {
    const bool is_plain =
        site.form == sim::AccessForm::Plain && (site.op == Op::Load || site.op == Op::Store);
    if (is_plain && site.space == sim::SiteSpace::Shared)
      widths[has_source ? site.range.begin.line : 0][site.op == Op::Store ? 1 : 0].insert(site.bytes);
  }
  return widths;
}

}  // namespace

void hold_against_machine_code(Report& report, const SharedWidths& machine_code) {
  SharedWidths seen = report.assembled_widths;  // with a line where only one of the two has it
  seen.insert(machine_code.begin(), machine_code.end());
  report.unlike_machine_code.emplace();
  const auto at = [](const SharedWidths& widths, int line) {
    const auto found = widths.find(line);
    return found == widths.end() ? SharedWidths::mapped_type{} : found->second;
  };
  for (const auto& [line, widths] : seen)
    if (at(report.assembled_widths, line) != at(machine_code, line))
      report.unlike_machine_code->push_back(line);
}

std::optional<sim::RunError> add_assembled(Report& report, const scenario::Prepared& prepared,
                                           const sim::TotalsOptions& options) {
  if (!report.compiled) return {};
  const bool has_source = !prepared.setup.compile.source.empty();
  report.assembled = report.shared;
  report.assembled_widths = widths_of(prepared.program, has_source);
  if (prepared.setup.compile.assembled) return {};
  sim::CompileRequest request = prepared.setup.compile;
  request.assembled = true;
  const sim::CompileResult compiled = sim::compile(request, options.limits.budget);
  if (!compiled.program) {  // stopped by the budget
    report.assembled.reset();
    return {};
  }
  const auto same = [](const sim::Instr& x, const sim::Instr& y) { return x.op == y.op; };
  const auto &before = prepared.program.code, &after = compiled.program->code;
  if (std::equal(before.begin(), before.end(), after.begin(), after.end(), same)) return {};
  report.assembled_widths = widths_of(*compiled.program, has_source);
  scenario::Prepared assembled{prepared.setup, *compiled.program, prepared.gpu, {}};
  assembled.program.cluster = prepared.program.cluster;
  const sim::Totals totals =
      sim::grid_totals(assembled.program, assembled.setup.launch, *assembled.gpu, options);
  if (totals.error) {
    report.assembled.reset();
    return totals.error;
  }
  report.assembled = make_report(assembled, totals).shared;
  return {};
}

nlohmann::ordered_json launch_json(const Report& report) {
  nlohmann::ordered_json launch;
  launch["grid"] = extents_json(report.launch.grid);
  launch["block"] = extents_json(report.launch.block);
  launch["shared_bytes"] = report.launch.shared_bytes;
  launch["template"] = report.template_arguments;
  launch["defines"] = nlohmann::ordered_json::object();
  for (const auto& [name, value] : report.defines) launch["defines"][name] = value;
  launch["arguments"] = nlohmann::ordered_json::object();
  for (const auto& [name, argument] : report.launch.arguments)
    launch["arguments"][name] = argument_json(argument);
  return launch;
}

nlohmann::ordered_json report_json(const Report& report) {
  nlohmann::ordered_json json;
  json["schema"] = "warplens.report/1";
  json["kernel"] = report.kernel;
  json["source"] = report.source;
  if (report.compiled) json["compiled"] = true;
  if (!report.compiler.empty())
    json["compiler"] = report.compiler, json["architecture"] = report.architecture;
  if (!report.scenario.empty()) {
    json["scenario"] = report.scenario;
    json["values"] = report.values;
  }
  json["gpu"] = report.gpu;
  json["launch"] = launch_json(report);
  json["blocks"] = {{"total", report.blocks_total}, {"simulated", report.blocks_simulated}};
  for (const GroupName& group : all_groups()) {
    nlohmann::ordered_json& counts = json["totals"][name_of(group.space)][name_of(group.op)];
    counts = group_json(report.group(group.space, group.op), group.space, group.op);
    add_distinct(report, group.space, report.distinct ? report.distinct->of(group.op) : 0, counts);
  }
  if (report.assembled) {
    nlohmann::ordered_json& assembled = json["totals"]["shared"]["assembled"];
    const bool is_seen = report.unlike_machine_code && report.unlike_machine_code->empty();
    assembled["how"] = is_seen ? "machine code" : "rule";
    if (report.unlike_machine_code && !is_seen) assembled["differs"] = *report.unlike_machine_code;
    std::uint64_t wavefronts = 0;
    for (const SiteTotals& of_op : *report.assembled) wavefronts += of_op.wavefronts;
    assembled["wavefronts"] = wavefronts;
    for (const Op op : {Op::Load, Op::Store})
      assembled[name_of(op)] =
          group_json((*report.assembled)[static_cast<std::size_t>(op)], Space::Shared, op);
  }
  json["lines"] = nlohmann::ordered_json::array();
  for (const ReportLine& line : report.lines) json["lines"].push_back(line_json(report, line));
  json["advice"] = nlohmann::ordered_json::array();
  for (const Advice& advice : advise(report)) json["advice"].push_back(advice_json(report, advice));
  json["barriers"] = report.barriers;
  json["seconds"] = report.seconds;
  if (!report.data_dependent.empty()) json["data_dependent"] = report.data_dependent.english();
  if (!report.waits.empty()) json["waits"] = report.waits;
  if (!report.divergent_barrier.empty()) json["divergent_barrier"] = report.divergent_barrier.english();
  for (const SteeringBuffer& buffer : report.steering)
    json["steering"].push_back({{"buffer", buffer.name}, {"fill", sim::name_of(buffer.fill)}});
  for (const auto& [name, lines] :
       {std::pair("joinable", &report.joinable), std::pair("local_memory", &report.local_memory)})
    for (const LineNotes& line : *lines)
      for (const Message& words : line.words)
        json[name].push_back({{"line", line.line}, {"text", words.english()}});
  for (const sim::AccessForm form : report.uncounted) json["uncounted"].push_back(name_of(form));
  return json;
}

}  // namespace warplens::report
