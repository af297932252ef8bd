#include "app/measure/pack_plan.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "app/measure/make_request.h"
#include "sim/scenario/ladder.h"
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
// m, n, k of products; the last fills no block, but lets 16-byte accesses be aligned.
constexpr std::int64_t kProducts[][3] = {
    {1024, 1024, 1024}, {2048, 2048, 2048}, {4096, 4096, 4096}, {1000, 1540, 776}};
constexpr Pair kShapes[] = {{32, 32}, {32, 16}, {32, 8}, {16, 16}, {8, 32}, {64, 4}, {8, 8}, {1, 128}};
// The most that one measurement's buffers hold, so that checks stay quick.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 29;
// "all" takes settings of this many elements only; packs of one ladder take them at every size.
constexpr std::int64_t kLargest = 4096 * 4096;
// Products of matrices take longest, so only these block shapes are measured.
constexpr Pair kFewShapes[] = {{32, 32}, {32, 8}, {16, 16}, {8, 32}};

// Products take long: fewer samples.
constexpr std::uint64_t kManyOperations = 10'000'000'000, kVeryManyOperations = 100'000'000'000;

bool takes(const ScenarioParameter& parameter, std::int64_t value) {
  if (!parameter.choices.empty())
    return std::find(parameter.choices.begin(), parameter.choices.end(), value) != parameter.choices.end();
  return value >= parameter.minimum && value <= parameter.maximum;
}

// All combinations of what is there with the values given for the parameters named.
using Variants = std::vector<ParameterValues>;
void vary(Variants& all, const std::vector<std::string>& names,
          const std::vector<std::vector<std::int64_t>>& choices) {
  Variants varied;
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

bool has(const Scenario& scenario, const std::string& name) {
  return scenario::find_parameter(scenario, name) != nullptr;
}
bool is_matrix(const Scenario& scenario) {
  return has(scenario, "nrows") && has(scenario, "ncols");
}
bool is_product(const Scenario& scenario) {
  return has(scenario, "m") && has(scenario, "n") && has(scenario, "k");
}
// A block's shape that is free: not one of a few widths.
bool has_shape(const Scenario& scenario) {
  const ScenarioParameter* x = scenario::find_parameter(scenario, "block_x");
  return x != nullptr && x->choices.empty() && has(scenario, "block_y");
}
bool names_size(const std::string& name) {
  static const std::set<std::string> kNames{"nrows", "ncols", "m", "n", "k", "length"};
  return kNames.contains(name);
}

// The default values, at every size.
Variants sizes_of(const Scenario& scenario) {
  Variants values{scenario::defaults(scenario)};
  if (is_matrix(scenario)) {
    vary(values, {"nrows", "ncols"}, pairs(std::begin(kSizes), std::end(kSizes)));
  } else if (is_product(scenario)) {
    std::vector<std::vector<std::int64_t>> products;
    for (const auto& [m, n, k] : kProducts) products.push_back({m, n, k});
    vary(values, {"m", "n", "k"}, products);
  } else if (const ScenarioParameter* n = scenario::find_parameter(scenario, "n")) {
    std::vector<std::int64_t> counts;
    for (const Pair& size : kSizes) counts.push_back(size.first * size.second);
    vary(values, {"n"}, taken(*n, counts));
  }
  values.push_back(scenario::defaults(scenario));
  return values;
}

// What a class is likely to turn a parameter to.
std::vector<std::int64_t> typical(const ScenarioParameter& parameter) {
  using Known = std::map<std::string, std::vector<std::int64_t>>;
  static const Known kTypical{{"pad", {0, 1, 2}},
                              {"offset", {0, 1, 2, 4, 8, 16, 32}},
                              {"stride", {0, 1, 2, 4, 8, 16, 32}},
                              {"base", {0, 1, 8, 32}},
                              {"size", {1, 2, 3, 4}},
                              {"tile", {8, 16, 32}},
                              {"side", {8, 16, 32}},
                              {"nbins", {1, 32, 256, 1024}},
                              {"block_x", {32, 256, 1024}}};
  if (!parameter.choices.empty()) return parameter.choices;
  const auto known = kTypical.find(parameter.name);
  return known == kTypical.end() ? std::vector<std::int64_t>{} : known->second;
}

// Transposes whose only settings are shape and padding: every size, shape and padding with every other.
Variants every_combination(const Scenario& scenario, const Variants& sizes) {
  Variants values = sizes;
  if (has_shape(scenario))
    vary(values, {"block_x", "block_y"}, pairs(std::begin(kShapes), std::end(kShapes)));
  for (const char* name : {"pad", "shape"})
    if (const ScenarioParameter* parameter = scenario::find_parameter(scenario, name))
      vary(values, {name}, taken(*parameter, typical(*parameter)));
  return values;
}

// One setting at a time, so that their number adds up and does not multiply.
Variants one_at_a_time(const Scenario& scenario, const Variants& sizes) {
  Variants values;
  const auto add = [&](const std::vector<std::string>& names,
                       const std::vector<std::vector<std::int64_t>>& choices) {
    Variants varied = sizes;
    vary(varied, names, choices);
    values.insert(values.end(), varied.begin(), varied.end());
  };
  const bool shaped = has_shape(scenario) && (is_matrix(scenario) || is_product(scenario));
  if (shaped && is_product(scenario))
    add({"block_x", "block_y"}, pairs(std::begin(kFewShapes), std::end(kFewShapes)));
  else if (shaped)
    add({"block_x", "block_y"}, pairs(std::begin(kShapes), std::end(kShapes)));
  for (const ScenarioParameter& parameter : scenario.parameters) {
    const bool done = names_size(parameter.name) || (shaped && parameter.name.starts_with("block_"));
    if (!done) add({parameter.name}, taken(parameter, typical(parameter)));
  }
  return values;
}

bool only_shape_and_padding(const Scenario& scenario) {
  static const std::set<std::string> kNames{"nrows", "ncols", "block_x", "block_y", "pad", "shape"};
  return is_matrix(scenario) &&
         std::all_of(scenario.parameters.begin(), scenario.parameters.end(), [](const ScenarioParameter& p) {
           return kNames.contains(p.name) && (p.choices.empty() || p.name == "shape");
         });
}

std::int64_t elements_of(const Scenario& scenario, const ParameterValues& values) {
  return is_matrix(scenario) ? values.at("nrows") * values.at("ncols") : values.at("n");
}

// Everything that the pack shows of one scenario.
Variants values_of(const Scenario& scenario, bool whole_gallery) {
  Variants values = sizes_of(scenario);
  const Variants defaults{scenario::defaults(scenario)};
  const bool by_elements = is_matrix(scenario) || (has(scenario, "n") && !is_product(scenario));
  // At which sizes settings are varied: of copies and plain transposes at all, or at the largest; of the
  // others at their default one.
  Variants varied = scenario.ladder == "copy" || only_shape_and_padding(scenario) ? values : defaults;
  if (whole_gallery && by_elements) {
    const auto is_small = [&](const ParameterValues& v) {
      return elements_of(scenario, v) < kLargest && v != defaults[0];
    };
    std::erase_if(varied, is_small);
    if (!is_matrix(scenario)) std::erase_if(values, is_small);
  }
  varied = only_shape_and_padding(scenario) ? every_combination(scenario, varied)
                                            : one_at_a_time(scenario, varied);
  values.insert(values.end(), varied.begin(), varied.end());
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

// So that the whole takes minutes, however long one launch takes.
void choose_limits(PlannedMeasurement& planned) {
  if (planned.request.operations >= kVeryManyOperations) {
    planned.most_samples = 7;
    planned.warm_up = 1;
  } else if (planned.request.operations >= kManyOperations) {
    planned.most_samples = 20;
    planned.warm_up = 2;
  }
  limit(planned);
}

// Seconds on an H200, roughly: most of it is compiling, checking and reading counters.
double estimate(const MeasureRequest& request) {
  constexpr double kBeside = 0.55, kBytesPerSecond = 1e12, kOperationsPerSecond = 4e12;
  const double launches = request.warm_up + request.cold_samples + 2 * request.warm_samples + 2;
  const double once = static_cast<double>(request.useful_bytes) / kBytesPerSecond +
                      static_cast<double>(request.operations) / kOperationsPerSecond;
  return kBeside + launches * once;
}

void plan_one(const scenario::Setup& setup, std::set<MeasurementKey>& seen, PackPlan& plan) {
  auto prepared = scenario::prepare(setup, memory::default_gpu_model());
  if (!prepared) {
    plan.left_out.push_back(
        label_of(setup, CompileMode::AsWritten) + ": " +
        (prepared.errors.empty() ? "cannot be launched" : prepared.errors.front().english()));
    return;
  }
  for (const CompileMode mode : {CompileMode::AsWritten, CompileMode::AsOptimised}) {
    if (mode != effective_mode(setup.compile.text, mode)) continue;
    auto request = make_request(prepared.value->setup, prepared.value->program, mode);
    if (!request) {
      plan.left_out.push_back(label_of(setup, mode) + ": " + request.errors.front().english());
      continue;
    }
    if (buffer_bytes(request.value->subject) > kMostBytes) {
      plan.left_out.push_back(label_of(setup, mode) +
                              ": its buffers are larger than a pack's measurements may be");
      continue;
    }
    const MeasurementKey key = key_of(request.value->subject);
    if (!seen.insert(key).second) continue;
    plan.measurements.push_back({label_of(setup, mode), key, std::move(*request.value)});
    choose_limits(plan.measurements.back());
    plan.seconds += estimate(plan.measurements.back().request);
  }
}

}  // namespace

void limit(PlannedMeasurement& planned) {
  MeasureRequest& request = planned.request;
  request.cold_samples = std::min(request.cold_samples, planned.most_samples);
  request.warm_samples = std::min(request.warm_samples, planned.most_samples);
  request.warm_up = std::min(request.warm_up, planned.warm_up);
}

std::vector<ShownState> shown_states(const std::vector<Scenario>& scenarios,
                                     const std::vector<lesson::Lesson>& lessons) {
  std::vector<ShownState> shown;
  // With the other rungs, whose bars stand beside it.
  const auto add = [&](const Scenario& scenario, const ParameterValues& values, const std::string& where) {
    shown.push_back({&scenario, values, where});
    for (const Scenario& rung : scenarios)
      if (!scenario.ladder.empty() && rung.ladder == scenario.ladder && rung.name != scenario.name)
        shown.push_back({&rung, scenario::carried_over_in_size(scenario, values, rung), where});
  };
  const auto add_launch = [&](const lesson::View& view, const ParameterValues& turned,
                              const std::string& where) {
    for (const Scenario& scenario : scenarios) {
      if (scenario.name != view.scenario) continue;
      ParameterValues values = scenario::defaults(scenario);
      for (const ParameterValues* more : {&view.values, &turned})
        for (const auto& [name, value] : *more) values[name] = value;
      add(scenario, values, where);
    }
  };
  const auto add_view = [&](const lesson::View& view, const ParameterValues& turned,
                            const std::string& where) {
    add_launch(view, turned, where);
    for (const lesson::View& beside : view.beside) add_launch(beside, {}, where + ", beside");
  };
  for (const Scenario& scenario : scenarios) add(scenario, scenario::defaults(scenario), scenario.name);
  for (const lesson::Lesson& one : lessons) {
    for (std::size_t i = 0; i < one.steps.size(); ++i)
      add_view(one.steps[i].view, {}, "lesson " + one.name + ", step " + std::to_string(i + 1));
    add_view(one.challenge.view, {}, "lesson " + one.name + ", challenge");
    add_view(one.challenge.view, one.challenge.solution, "lesson " + one.name + ", solution");
  }
  return shown;
}

PackPlan plan_pack(const std::vector<Scenario>& scenarios, const std::vector<lesson::Lesson>& lessons,
                   const std::string& name) {
  PackPlan plan;
  std::set<MeasurementKey> seen;
  const auto take = [&](const Scenario& scenario, const ParameterValues& values) {
    const auto setup = scenario::make_setup(scenario, values);
    if (setup)
      plan_one(*setup.value, seen, plan);
    else if (!setup.errors.empty())
      plan.left_out.push_back(scenario.name + ": " + setup.errors.front().english());
  };
  for (const Scenario& scenario : scenarios)
    if (belongs(scenario, name))
      for (const ParameterValues& values : values_of(scenario, name == "all")) take(scenario, values);
  if (name == "all")
    for (const ShownState& shown : shown_states(scenarios, lessons)) take(*shown.scenario, shown.values);
  const auto repeated = [&](auto& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  };
  repeated(plan.left_out);
  std::stable_sort(plan.measurements.begin(), plan.measurements.end(), compiled_before);
  return plan;
}

}  // namespace warplens::measure
