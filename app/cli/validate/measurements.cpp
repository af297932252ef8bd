#include "app/cli/validate/measurements.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "app/cli/validate/fields.h"
#include "sim/scenario/scenario.h"

namespace warplens::cli {

namespace {

using scenario::JsonValue;

void check_samples(const JsonValue& of, std::string_view member) {
  if (!of.has(member) || !of.member(member).is_object()) return;
  const JsonValue samples = of.member(member);
  for (const char* list : {"samples", "samples_ns"}) {
    for (const JsonValue& time : samples.optional_list(list)) {
      const auto& json = time.json();
      if (!json.is_number() || json.get<double>() < 0 || json.get<double>() > 1e15)
        time.error(Message::verbatim("is no time: " + json.dump()));
    }
  }
  for (const char* figure : {"median", "minimum", "spread"}) {
    if (samples.has(figure)) amount_in(samples, figure);
  }
  if (samples.has("median") && samples.has("minimum") &&
      samples.optional_number("minimum", 0) > samples.optional_number("median", 0))
    samples.error("minimum", Message::verbatim("is more than the median"));
}

void check_counters(const JsonValue& measurement) {
  if (!measurement.has("counters") || !measurement.member("counters").is_object()) return;
  for (const auto& [name, value] : measurement.member("counters").optional_members("values")) {
    const auto& json = value.json();
    if (!json.is_number() || !(json.get<double>() >= 0) || !std::isfinite(json.get<double>()))
      value.error(Message::verbatim("is no count: " + json.dump()));
  }
}

void check_output(const JsonValue& measurement) {
  if (!measurement.has("check") || !measurement.member("check").is_object()) return;
  const JsonValue check = measurement.member("check");
  if (!check.has("checked")) return;
  const auto& checked = check.json()["checked"];
  if (!checked.is_boolean() && checked != "not checked")
    check.error("checked", Message::verbatim("must be true, false or \"not checked\""));
}

// The gallery's scenario that was measured, with parameters that it has.
void check_scenario(const JsonValue& measurement, const std::map<std::string, scenario::Scenario>& gallery) {
  if (!measurement.has("scenario") || !measurement.member("scenario").is_object()) return;
  const JsonValue of = measurement.member("scenario");
  const auto known = gallery.find(of.text("name"));
  if (gallery.empty()) return;
  if (known == gallery.end())
    return of.error("name",
                    Message::verbatim("is \"" + of.text("name") + "\", which the gallery does not have"));
  for (const auto& [name, value] : of.optional_members("parameters")) {
    const auto& parameters = known->second.parameters;
    const bool has = std::any_of(parameters.begin(), parameters.end(),
                                 [&, wanted = name](const auto& p) { return p.name == wanted; });
    if (!has) value.error(Message::verbatim("is no parameter of " + known->first));
  }
}

const std::map<std::string, scenario::Scenario>& gallery() {
  static const auto kGallery = [] {
    std::map<std::string, scenario::Scenario> scenarios;
    const auto loaded = scenario::load_scenarios(scenario::data_folder("kernels"));
    for (const auto& one : loaded.value.value_or(std::vector<scenario::Scenario>()))
      scenarios.emplace(one.name, one);
    return scenarios;
  }();
  return kGallery;
}

void check_one(const JsonValue& measurement) {
  if (!measurement.is_object()) return;
  for (const char* times : {"cold", "warm"}) check_samples(measurement, times);
  if (measurement.has("reference") && measurement.member("reference").is_object())
    for (const char* times : {"cold", "warm"}) check_samples(measurement.member("reference"), times);
  for (const char* amount : {"event_floor", "event_pair", "subtracted", "useful_bytes", "registers"})
    if (measurement.has(amount)) amount_in(measurement, amount);
  check_counters(measurement);
  check_output(measurement);
  check_scenario(measurement, gallery());
  const std::string when = measurement.text("when");
  if (when.size() < 10 || when.find_first_not_of("0123456789-:TZ.+ ") != std::string::npos)
    measurement.error("when", Message::verbatim("must be a date, as in 2025-01-31T12:00:00Z"));
}

}  // namespace

void validate_measurement(const JsonValue& measurement) {
  check_one(measurement);
}

void validate_pack(const JsonValue& pack) {
  std::set<std::string> keys;
  for (const JsonValue& measurement : pack.list("measurements")) {
    check_one(measurement);
    const std::string key = measurement.is_object(false) ? measurement.optional_text("key") : "";
    if (!key.empty() && !keys.insert(key).second)
      measurement.error("key", Message::verbatim("is that of an earlier measurement"));
  }
}

}  // namespace warplens::cli
