#include "app/measure/pack_plan.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "app/measure/make_request.h"
#include "sim/scenario/json_document.h"
#include "sim/scenario/target.h"

namespace warplens::measure {
namespace {

// The most that one measurement's buffers hold, so that checks stay quick.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 29;
// Products take long: fewer samples.
constexpr std::uint64_t kManyOperations = 10'000'000'000, kVeryManyOperations = 100'000'000'000;

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

// One launch in one mode.
void plan_one(const scenario::Setup& setup, CompileMode mode, std::set<MeasurementKey>& seen,
              PackPlan& plan) {
  if (!seen.insert(key_of(setup, mode)).second) return;
  const auto leave_out = [&](const std::string& why) {
    plan.left_out.push_back(label_of(setup, mode) + ": " + why);
  };
  auto prepared = scenario::prepare(setup, memory::default_gpu_model());
  if (!prepared)
    return leave_out(prepared.errors.empty() ? "cannot be launched" : prepared.errors.front().english());
  auto request = make_request(prepared.value->setup, prepared.value->program, mode);
  if (!request) return leave_out(request.errors.front());
  if (buffer_bytes(request.value->subject) > kMostBytes)
    return leave_out("its buffers are larger than a pack's measurements may be");
  const MeasurementKey key = key_of(request.value->subject);
  plan.measurements.push_back({label_of(setup, mode), key, std::move(*request.value)});
  choose_limits(plan.measurements.back());
}

}  // namespace

void limit(PlannedMeasurement& planned) {
  MeasureRequest& request = planned.request;
  request.cold_samples = std::min(request.cold_samples, planned.most_samples);
  request.warm_samples = std::min(request.warm_samples, planned.most_samples);
  request.warm_up = std::min(request.warm_up, planned.warm_up);
}

scenario::Outcome<PackPlan> plan_pack(const std::vector<scenario::Scenario>& scenarios,
                                      const std::vector<std::filesystem::path>& files) {
  PackPlan plan;
  std::set<MeasurementKey> seen;
  for (const std::filesystem::path& file : files) {
    auto document = scenario::JsonDocument::load(file, {.bytes = kLongestDocument});
    if (!document.ok()) return {std::nullopt, document.errors()};
    const scenario::JsonValue root = document.root();
    if (root.optional_text("schema").starts_with("warplens.plan/")) {
      if (!document.has_schema("plan")) return {std::nullopt, document.errors()};
    } else if (!document.has_schema("pack")) {
      return {std::nullopt, document.errors()};
    }
    for (const scenario::JsonValue& entry : root.list("measurements")) {
      if (!entry.is_object() || !entry.has("scenario")) continue;
      const scenario::JsonValue of = entry.member("scenario");
      const std::string name = of.text("name");
      const auto found = std::ranges::find(scenarios, name, &scenario::Scenario::name);
      if (found == scenarios.end()) {
        plan.left_out.push_back(name + ": is no scenario of the gallery");
        continue;
      }
      scenario::ParameterValues values;
      for (const auto& [parameter, value] : of.optional_members("parameters"))
        values[parameter] = value.as_integer().value_or(0);
      const auto setup = scenario::make_setup(*found, values);
      if (!setup) {
        plan.left_out.push_back(name + ": " + (setup.errors.empty() ? "" : setup.errors.front().english()));
        continue;
      }
      const std::string only = entry.has("subject") ? entry.member("subject").optional_text("mode") : "";
      for (const CompileMode mode : {CompileMode::AsWritten, CompileMode::AsOptimised})
        if (mode == effective_mode(setup.value->compile.text, mode) &&
            (only.empty() || only == name_of(mode)))
          plan_one(*setup.value, mode, seen, plan);
    }
    if (!document.ok()) return {std::nullopt, document.errors()};
  }
  std::ranges::sort(plan.left_out);
  plan.left_out.erase(std::ranges::unique(plan.left_out).begin(), plan.left_out.end());
  std::ranges::stable_sort(plan.measurements, compiled_before);
  return {std::move(plan), {}};
}

}  // namespace warplens::measure
