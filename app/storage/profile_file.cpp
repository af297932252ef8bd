#include "app/storage/profile_file.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/scenario/text_file.h"

namespace warplens::app {

using nlohmann::json;
using profile::Metric;
using profile::NcuProfile;
using profile::ProfiledLaunch;
using scenario::JsonValue;

bool is_profile_file(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  return extension == ".csv" || extension == ".ncu-rep";
}

scenario::Outcome<std::shared_ptr<const LoadedProfile>> load_profile(const std::filesystem::path& file,
                                                                     Budget& budget) {
  const auto text = scenario::read_text(file, profile::kMostProfileBytes);
  if (!text) return {{}, text.errors};
  auto loaded = std::make_shared<LoadedProfile>();
  loaded->file = file.filename().string();
  auto read = profile::read_ncu_profile(*text.value, loaded->file, budget);
  if (!read) return {{}, read.errors};
  loaded->profile = std::move(*read.value);
  return {std::move(loaded), {}};
}

namespace {

json metric_json(const Metric& metric) {
  return {{"name", metric.name},   {"label", metric.label},           {"unit", metric.unit},
          {"value", metric.value}, {"resolution", metric.resolution}, {"text", metric.text}};
}

json extents_json(const std::optional<sim::Dim3>& dim) {
  return dim ? json{dim->x, dim->y, dim->z} : json();
}

json launch_json(const ProfiledLaunch& launch) {
  json out{{"id", launch.id},
           {"kernel", launch.kernel},
           {"grid", extents_json(launch.grid)},
           {"block", extents_json(launch.block)},
           {"device", launch.device},
           {"compute_capability", launch.compute_capability},
           {"line", launch.line},
           {"metrics", json::array()}};
  for (const Metric& metric : launch.metrics) out["metrics"].push_back(metric_json(metric));
  return out;
}

std::optional<sim::Dim3> read_extents(const JsonValue& launch, const char* name) {
  if (!launch.has(name)) return std::nullopt;
  const json& list = launch.member(name).json();
  if (list.is_null()) return std::nullopt;
  const bool sound =
      list.is_array() && list.size() == 3 && std::all_of(list.begin(), list.end(), [](const json& v) {
        return v.is_number_unsigned() && v > 0 && v <= 0x7fffffff;
      });
  if (!sound) {
    launch.error(name, Message("must be three numbers from 1, or null"));
    return std::nullopt;
  }
  return sim::Dim3{list[0], list[1], list[2]};
}

Metric read_metric(const JsonValue& value) {
  Metric metric;
  metric.name = value.text("name");
  metric.label = value.optional_text("label", metric.name);
  metric.unit = value.optional_text("unit");
  metric.value = value.optional_number("value", 0);
  metric.resolution = std::abs(value.optional_number("resolution", 0));
  metric.text = value.optional_text("text");
  return metric;
}

ProfiledLaunch read_launch(const JsonValue& value) {
  ProfiledLaunch launch;
  launch.id = value.text("id");
  launch.kernel = value.text("kernel");
  launch.grid = read_extents(value, "grid");
  launch.block = read_extents(value, "block");
  launch.device = value.optional_text("device");
  launch.compute_capability = value.optional_text("compute_capability");
  launch.line = static_cast<int>(std::clamp<std::int64_t>(value.optional_integer("line", 1), 1, 0x7fffffff));
  for (const JsonValue& metric : value.optional_list("metrics"))
    if (metric.is_object()) launch.metrics.push_back(read_metric(metric));
  return launch;
}

}  // namespace

json profile_json(const LoadedProfile& profile) {
  const bool raw = profile.profile.page == NcuProfile::Page::Raw;
  json out{{"file", profile.file}, {"page", raw ? "raw" : "details"}, {"launches", json::array()}};
  std::size_t metrics = 0;
  for (const ProfiledLaunch& launch : profile.profile.launches) {
    metrics += launch.metrics.size();
    if (metrics > kMostKeptMetrics) break;
    out["launches"].push_back(launch_json(launch));
  }
  return out;
}

std::shared_ptr<const LoadedProfile> read_profile(const JsonValue& object) {
  auto loaded = std::make_shared<LoadedProfile>();
  loaded->file = object.text("file");
  if (object.optional_text("page") == "raw") loaded->profile.page = NcuProfile::Page::Raw;
  for (const JsonValue& launch : object.list("launches"))
    if (launch.is_object()) loaded->profile.launches.push_back(read_launch(launch));
  return loaded->profile.launches.empty() ? nullptr : loaded;
}

}  // namespace warplens::app
