#include "app/storage/profile_file.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/storage/fields.h"
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

static void describe(Fields& f, Metric& metric) {
  f.required("name", metric.name);
  if (f.reads()) metric.label = metric.name;
  f("label", metric.label);
  f("unit", metric.unit);
  f("value", metric.value);
  f("resolution", metric.resolution);
  if (f.reads()) metric.resolution = std::abs(metric.resolution);
  f("text", metric.text);
}

static void describe(Fields& f, ProfiledLaunch& launch) {
  f.required("id", launch.id);
  f.required("kernel", launch.kernel);
  const Message words("must be three numbers from 1, or null");
  f.extents("grid", launch.grid, words);
  f.extents("block", launch.block, words);
  f("device", launch.device);
  f("compute_capability", launch.compute_capability);
  f.between("line", launch.line, 1, 0x7fffffff);
  f.list("metrics", launch.metrics);
}

json profile_json(const LoadedProfile& profile) {
  const bool raw = profile.profile.page == NcuProfile::Page::Raw;
  json out{{"file", profile.file}, {"page", raw ? "raw" : "details"}, {"launches", json::array()}};
  std::size_t metrics = 0;
  for (const ProfiledLaunch& launch : profile.profile.launches) {
    metrics += launch.metrics.size();
    if (metrics > kMostKeptMetrics) break;
    out["launches"].push_back(json_of(launch));
  }
  return out;
}

std::shared_ptr<const LoadedProfile> read_profile(const JsonValue& object) {
  auto loaded = std::make_shared<LoadedProfile>();
  loaded->file = object.text("file");
  if (object.optional_text("page") == "raw") loaded->profile.page = NcuProfile::Page::Raw;
  if (!object.has("launches")) object.error("launches", Message("is missing"));
  Fields fields(object);
  fields.list("launches", loaded->profile.launches);
  return loaded->profile.launches.empty() ? nullptr : loaded;
}

}  // namespace warplens::app
