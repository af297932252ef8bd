#include "app/measure/pack_plan.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "app/measure/make_request.h"
#include "sim/scenario/target.h"

namespace warplens::measure {
namespace {

using scenario::ParameterValues;
using scenario::Scenario;
using scenario::ScenarioParameter;

struct Pair {
  std::int64_t first, second;
};
// Rows and columns; the last is a multiple of nothing.
constexpr Pair kSizes[] = {{1024, 1024}, {2048, 2048}, {4096, 4096}, {1000, 1537}};
constexpr Pair kShapes[] = {{32, 32}, {32, 16}, {32, 8}, {16, 16}, {8, 32}, {64, 4}, {8, 8}, {1, 128}};
constexpr std::int64_t kPaddings[] = {0, 1, 2};
constexpr std::uint64_t kMostBytes = std::uint64_t{1}
                                     << 29;                 // of one measurement's buffers: checks stay quick
constexpr std::int64_t kSteps[] = {0, 1, 2, 4, 8, 16, 32};  // of offsets and strides

const ScenarioParameter* find(const Scenario& scenario, const std::string& name) {
  for (const ScenarioParameter& parameter : scenario.parameters)
    if (parameter.name == name) return &parameter;
  return nullptr;
}

bool takes(const ScenarioParameter& parameter, std::int64_t value) {
  if (!parameter.choices.empty())
    return std::find(parameter.choices.begin(), parameter.choices.end(), value) != parameter.choices.end();
  return value >= parameter.minimum && value <= parameter.maximum;
}

// All combinations of what is there with the values given for the parameters named.
using Values = std::vector<ParameterValues>;
void vary(Values& all, const std::vector<std::string>& names,
          const std::vector<std::vector<std::int64_t>>& choices) {
  Values varied;
  for (const ParameterValues& base : all)
    for (const auto& choice : choices) {
      ParameterValues values = base;
      for (std::size_t i = 0; i < names.size(); ++i) values[names[i]] = choice[i];
      varied.push_back(std::move(values));
    }
  all = std::move(varied);
}

std::vector<std::vector<std::int64_t>> pairs(const Pair* begin, const Pair* end) {
  std::vector<std::vector<std::int64_t>> list;
  for (const Pair* p = begin; p != end; ++p) list.push_back({p->first, p->second});
  return list;
}

std::vector<std::vector<std::int64_t>> taken(const ScenarioParameter& parameter,
                                             std::vector<std::int64_t> values) {
  values.push_back(parameter.fallback);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::vector<std::vector<std::int64_t>> list;
  for (const std::int64_t value : values)
    if (takes(parameter, value)) list.push_back({value});
  return list;
}

Values sizes_of(const Scenario& scenario) {
  Values values{scenario::defaults(scenario)};
  if (find(scenario, "nrows") != nullptr && find(scenario, "ncols") != nullptr) {
    vary(values, {"nrows", "ncols"}, pairs(std::begin(kSizes), std::end(kSizes)));
  } else if (const ScenarioParameter* n = find(scenario, "n")) {
    std::vector<std::int64_t> counts;
    for (const Pair& size : kSizes) counts.push_back(size.first * size.second);
    vary(values, {"n"}, taken(*n, counts));
  }
  return values;
}

// Everything that the pack shows of one scenario.
Values values_of(const Scenario& scenario) {
  Values values = sizes_of(scenario);
  const bool has_shape = find(scenario, "block_x") != nullptr && find(scenario, "block_y") != nullptr;
  if (has_shape) vary(values, {"block_x", "block_y"}, pairs(std::begin(kShapes), std::end(kShapes)));
  if (const ScenarioParameter* pad = find(scenario, "pad"))
    vary(values, {"pad"}, taken(*pad, {std::begin(kPaddings), std::end(kPaddings)}));
  // Steps and choices one at a time, so that their number adds up and does not multiply.
  const Values plain = values;
  for (const ScenarioParameter& parameter : scenario.parameters) {
    const bool is_step = parameter.name == "offset" || parameter.name == "stride";
    if (!is_step && (parameter.choices.empty() || has_shape)) continue;
    Values varied = plain;
    vary(varied, {parameter.name},
         taken(parameter, is_step ? std::vector<std::int64_t>{std::begin(kSteps), std::end(kSteps)}
                                  : parameter.choices));
    values.insert(values.end(), varied.begin(), varied.end());
  }
  values.push_back(scenario::defaults(scenario));
  return values;
}

bool belongs(const Scenario& scenario, const std::string& name) {
  return name == "all" || scenario.ladder == name || (name == "transpose" && scenario.ladder == "copy");
}

std::string label_of(const scenario::Setup& setup, CompileMode mode) {
  std::string label = setup.name;
  for (const auto& [name, value] : setup.values) label += " " + name + "=" + std::to_string(value);
  return label + (mode == CompileMode::AsWritten ? " as written" : " as optimised");
}

// Measurements of one compiled kernel next to each other: it is compiled once.
bool compiled_before(const PlannedMeasurement& a, const PlannedMeasurement& b) {
  const Subject &x = a.request.subject, &y = b.request.subject;
  return std::tie(x.source_name, x.mode, x.template_arguments, x.defines, x.grid.x, x.grid.y) <
         std::tie(y.source_name, y.mode, y.template_arguments, y.defines, y.grid.x, y.grid.y);
}

std::uint64_t buffer_bytes(const Subject& subject) {
  std::uint64_t bytes = 0;
  for (const KernelArgument& argument : subject.arguments)
    if (const auto* buffer = std::get_if<BufferArgument>(&argument.value))
      bytes += buffer->elements * static_cast<std::uint64_t>(buffer->element_bytes);
  return bytes;
}

void plan_one(const scenario::Setup& setup, std::set<MeasurementKey>& seen, PackPlan& plan) {
  auto prepared = scenario::prepare(setup, memory::default_gpu_model());
  if (!prepared) {
    plan.left_out.push_back(label_of(setup, CompileMode::AsWritten) + ": " +
                            (prepared.errors.empty() ? "cannot be launched" : prepared.errors.front()));
    return;
  }
  for (const CompileMode mode : {CompileMode::AsWritten, CompileMode::AsOptimised}) {
    if (mode != effective_mode(setup.compile.text, mode)) continue;
    auto request = make_request(prepared.value->setup, prepared.value->program, mode);
    if (!request) {
      plan.left_out.push_back(label_of(setup, mode) + ": " + request.errors.front());
      continue;
    }
    if (buffer_bytes(request.value->subject) > kMostBytes) {
      plan.left_out.push_back(label_of(setup, mode) +
                              ": its buffers are larger than a pack's measurements may be");
      continue;
    }
    const MeasurementKey key = key_of(request.value->subject);
    if (seen.insert(key).second)
      plan.measurements.push_back({label_of(setup, mode), key, std::move(*request.value)});
  }
}

}  // namespace

PackPlan plan_pack(const std::vector<Scenario>& scenarios, const std::string& name) {
  PackPlan plan;
  std::set<MeasurementKey> seen;
  for (const Scenario& scenario : scenarios) {
    if (!belongs(scenario, name)) continue;
    for (const ParameterValues& values : values_of(scenario)) {
      const auto setup = scenario::make_setup(scenario, values);
      if (setup)
        plan_one(*setup.value, seen, plan);
      else if (!setup.errors.empty())
        plan.left_out.push_back(scenario.name + ": " + setup.errors.front());
    }
  }
  std::stable_sort(plan.measurements.begin(), plan.measurements.end(), compiled_before);
  return plan;
}

}  // namespace warplens::measure
