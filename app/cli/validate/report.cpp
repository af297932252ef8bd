// A report: its fields, its sums, and the kernel's own counts where the gallery has the kernel.
#include <nlohmann/json.hpp>

#include "app/cli/validate/documents.h"
#include "app/cli/validate/fields.h"
#include "sim/scenario/text_file.h"

namespace warplens::cli {

namespace {

using memory::Op;
using memory::Space;
using report::CountField;
using report::GroupName;
using scenario::JsonValue;
using sim::SiteTotals;

SiteTotals counts_in(const JsonValue& object, Space space, Op op) {
  SiteTotals totals;
  for (const CountField& field : report::group_fields(space, op))
    totals.*field.value = static_cast<std::uint64_t>(whole_in(object, field.name, 0));
  const bool global = space == Space::Global;
  const bool copies = op == Op::Async;  // of lanes that write to one place the first alone counts
  if (global && !copies && totals.ideal_sectors > totals.sectors)
    object.error("ideal_sectors", Message::verbatim("is more than the sectors themselves"));
  if (!global && totals.ideal_wavefronts > totals.wavefronts)
    object.error("ideal_wavefronts", Message::verbatim("is more than the wavefronts themselves"));
  return totals;
}

struct Group {
  Space space;
  Op op;
  SiteTotals totals;
};

std::vector<Group> totals_in(const JsonValue& report) {
  std::vector<Group> groups;
  if (!report.has("totals")) return report.error("totals", Message::verbatim("is missing")), groups;
  const JsonValue totals = report.member("totals");
  if (!totals.is_object()) return groups;
  for (const GroupName& group : report::all_groups()) {
    const char *space = report::name_of(group.space), *op = report::name_of(group.op);
    if (!totals.has(space)) {
      totals.error(space, Message::verbatim("is missing"));
      continue;
    }
    const JsonValue of_space = totals.member(space);
    if (!of_space.is_object()) continue;
    if (!of_space.has(op)) {
      of_space.error(op, Message::verbatim("is missing"));
    } else if (const JsonValue counts = of_space.member(op); counts.is_object()) {
      groups.push_back({group.space, group.op, counts_in(counts, group.space, group.op)});
    }
  }
  return groups;
}

void check_sums(const JsonValue& report, const std::vector<Group>& groups, const std::vector<Group>& lines) {
  for (const Group& group : groups) {
    SiteTotals sum;
    for (const Group& line : lines) {
      if (line.space == group.space && line.op == group.op) sum.add(line.totals);
    }
    for (const CountField& field : report::group_fields(group.space, group.op)) {
      if (sum.*field.value == group.totals.*field.value) continue;
      report.error("totals." + std::string(report::name_of(group.space)) + "." + report::name_of(group.op) +
                       "." + field.name,
                   Message::verbatim("is " + std::to_string(group.totals.*field.value) +
                                     "; the lines come to " + std::to_string(sum.*field.value)));
    }
  }
}

std::vector<Group> lines_in(const JsonValue& report) {
  std::vector<Group> groups;
  for (const JsonValue& line : report.list("lines")) {
    if (!line.is_object()) continue;
    whole_in(line, "line", 1, 1 << 30);
    whole_in(line, "column", 1, 1 << 30);
    line.text("text");
    line.text("array");
    const std::string space = one_of(line, "space", {"global", "shared"}),
                      op = one_of(line, "op", {"load", "store", "atomic", "reduction", "async"});
    const std::int64_t bytes = whole_in(line, "bytes_per_lane", 1, 16);
    if ((bytes & (bytes - 1)) != 0)
      line.error("bytes_per_lane", Message::verbatim("is no width; 1, 2, 4, 8 and 16 are"));
    Group group{space == "shared" ? Space::Shared : Space::Global, Op::Load, {}};
    for (const Op candidate : memory::kAllOps)
      if (op == report::name_of(candidate)) group.op = candidate;
    group.totals = counts_in(line, group.space, group.op);
    group.totals.active_lanes = static_cast<std::uint64_t>(whole_in(line, "active_lanes", 0));
    if (group.totals.active_lanes / 32 > group.totals.requests)
      line.error("active_lanes", Message::verbatim("is more than 32 a request"));
    groups.push_back(group);
  }
  return groups;
}

sim::Argument argument_in(const JsonValue& value) {
  if (value.json().is_number_float()) return value.json().get<double>();
  if (!value.json().is_object()) return value.as_integer().value_or(0);
  sim::Buffer buffer;
  if (!value.has("elements") || !value.json()["elements"].is_null())
    buffer.elements = static_cast<std::uint64_t>(whole_in(value, "elements", 1));
  const std::vector<std::string> names(sim::kFillNames.begin(), sim::kFillNames.end());
  buffer.fill = sim::fill_named(one_of(value, "fill", names)).value_or(sim::Fill::Zero);
  if (value.has("offset")) buffer.offset = static_cast<std::uint64_t>(whole_in(value, "offset", 0));
  if (value.has("range") && value.json()["range"].is_array() && value.json()["range"].size() == 2)
    buffer.range = {value.json()["range"][0].get<double>(), value.json()["range"][1].get<double>()};
  return buffer;
}

struct Told {
  sim::Launch launch;
  std::vector<std::string> template_arguments;
  cuda::Defines defines;
  bool literal = false;
};

Told launch_in(const JsonValue& report) {
  Told told;
  if (!report.has("launch")) return report.error("launch", Message::verbatim("is missing")), told;
  const JsonValue launch = report.member("launch");
  if (!launch.is_object()) return told;
  told.launch.grid = extents_in(launch, "grid", 1);
  told.launch.block = extents_in(launch, "block", 1);
  told.launch.shared_bytes = static_cast<std::uint64_t>(whole_in(launch, "shared_bytes", 0, 1 << 30));
  for (const JsonValue& argument : launch.optional_list("template"))
    told.template_arguments.push_back(argument.as_text().value_or(""));
  for (const auto& [name, value] : launch.optional_members("defines"))
    told.defines.emplace_back(name, value.as_text().value_or(""));
  for (const auto& [name, value] : launch.optional_members("arguments"))
    told.launch.arguments[name] = argument_in(value);
  told.literal = launch.has("literal");
  return told;
}

void check_advice(const JsonValue& report) {
  for (const JsonValue& advice : report.list("advice")) {
    if (!advice.is_object()) continue;
    whole_in(advice, "line", 1, 1 << 30);
    whole_in(advice, "column", 1, 1 << 30);
    if (advice.has("excess")) whole_in(advice, "excess", 0);
    whole_in(advice, "wasted_bytes", 0);
    advice.text("rule");
    advice.text("text");
  }
}

// What the report says of its scenario, prepared; empty with errors in the document, or in words why not.
std::optional<scenario::Prepared> kernel_of(const JsonValue& report, const Told& told, Budget& budget,
                                            std::string* why) {
  const std::string name = report.optional_text("scenario");
  if (name.empty()) {
    *why = "counts not compared: of a kernel file, which is not at hand";
    return std::nullopt;
  }
  const auto file = scenario::data_folder("kernels") / (name + ".scenario.json");
  std::error_code failed;
  const bool plain = name.find_first_of("/.") == std::string::npos;
  if (!plain || !std::filesystem::exists(file, failed)) {
    *why = "counts not compared: the gallery has no scenario " + name;
    return std::nullopt;
  }
  const auto scenario = scenario::load_scenario(file, &budget);
  scenario::ParameterValues values;
  for (const auto& [parameter, value] : report.optional_members("values"))
    values[parameter] = value.as_integer().value_or(0);
  if (!scenario) return report.error("scenario", scenario.errors.front()), std::nullopt;
  auto setup = scenario::make_setup(*scenario.value, values, &budget);
  for (const Message& error : setup.errors) report.error("values", error);
  const memory::GpuModel* gpu = memory::find_gpu_model(report.text("gpu"));
  if (!setup || gpu == nullptr) return std::nullopt;
  setup.value->launch = told.launch;
  setup.value->compile.template_arguments = told.template_arguments;
  setup.value->compile.defines = told.defines;
  setup.value->compile.literal = told.literal;
  auto prepared = scenario::prepare(std::move(*setup.value), *gpu, &budget);
  if (prepared.stopped) throw *prepared.stopped;
  for (const Message& error : prepared.errors) report.error("launch", error);
  return std::move(prepared.value);
}

void check_counts(const JsonValue& report, const std::vector<Group>& groups, const std::vector<Group>& lines,
                  const report::Report& own) {
  const auto compare = [&](const std::string& field, std::uint64_t told, std::uint64_t counted) {
    if (told != counted)
      report.error(field, Message::verbatim("is " + std::to_string(told) + "; the kernel gives " +
                                            std::to_string(counted)));
  };
  if (report.text("kernel") != own.kernel)
    report.error("kernel", Message::verbatim("is not the scenario's, which is " + own.kernel));
  for (const Group& group : groups) {
    for (const CountField& field : report::group_fields(group.space, group.op))
      compare("totals." + std::string(report::name_of(group.space)) + "." + report::name_of(group.op) + "." +
                  field.name,
              group.totals.*field.value, own.group(group.space, group.op).*field.value);
  }
  if (lines.size() != own.lines.size())
    report.error("lines", Message::verbatim("has " + std::to_string(lines.size()) +
                                            " accesses; the kernel has " + std::to_string(own.lines.size())));
  for (std::size_t i = 0; i < std::min(lines.size(), own.lines.size()); ++i) {
    for (const CountField& field : report::group_fields(lines[i].space, lines[i].op))
      compare("lines[" + std::to_string(i) + "]." + field.name, lines[i].totals.*field.value,
              own.lines[i].totals.*field.value);
  }
  compare("barriers", static_cast<std::uint64_t>(whole_in(report, "barriers", 0)), own.barriers);
}

std::string validate_one(const JsonValue& report, const SimulationOptions& options,
                         const std::vector<Message>& errors) {
  const std::size_t before = errors.size();
  const auto has_errors = [&] { return errors.size() != before; };
  if (!report.is_object()) return {};
  if (report.text("kernel").empty()) report.error("kernel", Message::verbatim("must name the kernel"));
  report.text("source");
  gpu_in(report);
  const Told told = launch_in(report);
  if (report.has("blocks") && report.member("blocks").is_object()) {
    const JsonValue blocks = report.member("blocks");
    const std::int64_t total = whole_in(blocks, "total", 1);
    whole_in(blocks, "simulated", 0, std::max<std::int64_t>(total, 1));
    if (!has_errors() && static_cast<std::uint64_t>(total) != told.launch.grid.count())
      blocks.error("total", Message::verbatim("is " + std::to_string(total) + "; the grid has " +
                                              std::to_string(told.launch.grid.count())));
  } else {
    report.error("blocks", Message::verbatim("must say how many there are"));
  }
  const std::vector<Group> groups = totals_in(report), lines = lines_in(report);
  check_advice(report);
  whole_in(report, "barriers", 0);
  amount_in(report, "seconds");
  if (has_errors()) return {};
  check_sums(report, groups, lines);
  std::string words;
  const auto prepared = kernel_of(report, told, options.budget(), &words);
  if (!prepared || has_errors()) return words;
  check_counts(report, groups, lines, simulate(*prepared, options));
  return "the kernel gives these counts";
}

}  // namespace

std::string validate_report(scenario::JsonDocument& document, const SimulationOptions& options) {
  return validate_one(document.root(), options, document.errors());
}

std::string validate_comparison(scenario::JsonDocument& document, const SimulationOptions& options) {
  const JsonValue comparison = document.root();
  std::string words;
  for (const char* side : {"a", "b"}) {
    if (!comparison.has(side)) {
      comparison.error(side, Message::verbatim("is missing"));
    } else {
      words += (words.empty() ? "" : "; ") + std::string(side) + ": " +
               validate_one(comparison.member(side), options, document.errors());
    }
  }
  if (!document.ok()) return {};
  if (!comparison.has("differences"))
    return comparison.error("differences", Message::verbatim("is missing")), "";
  const nlohmann::json &json = comparison.json(), &told = json["differences"];
  const auto compare = [&](const nlohmann::json::json_pointer& at, const std::string& field) {
    const nlohmann::json::json_pointer of_report =
        field == "barriers" ? at : nlohmann::json::json_pointer("/totals") / at;
    const std::int64_t difference =
        json["b"][of_report].get<std::int64_t>() - json["a"][of_report].get<std::int64_t>();
    if (!told.is_object() || !told.contains(at) || told[at] != difference)
      comparison.error("differences." + field,
                       Message::verbatim("must be b less a: " + std::to_string(difference)));
  };
  for (const GroupName& group : report::all_groups()) {
    const std::string space = report::name_of(group.space), op = report::name_of(group.op);
    for (const CountField& field : report::group_fields(group.space, group.op))
      compare(nlohmann::json::json_pointer("/" + space + "/" + op + "/" + field.name),
              space + "." + op + "." + field.name);
  }
  compare(nlohmann::json::json_pointer("/barriers"), "barriers");
  return words;
}

}  // namespace warplens::cli
