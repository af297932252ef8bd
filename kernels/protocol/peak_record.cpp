#include "kernels/protocol/peak_record.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace warplens::measure {

namespace {

// `name` of `values`, where it is there: a figure above 0.
void read_figure(const Fields& values, const char* name, const char* field, double& figure) {
  if (!values.has(name)) return;
  const double value = values.object(name).number(field);
  if (value > 0 && std::isfinite(value))
    figure = value;
  else
    values.complain(name, Message("must be above 0"));
}

}  // namespace

nlohmann::json to_json(const PeakRecord& record, bool compact) {
  nlohmann::json document{{"when", record.when},
                          {"clocks_mhz", {{"sm", record.sm_mhz}, {"memory", record.memory_mhz}}}};
  if (!compact) document["device"] = to_json(record.device);
  nlohmann::json& values = document["per_second"] = nlohmann::json::object();
  for (const report::PeakName& peak : report::peak_names())
    if (const double value = record.peaks.*peak.value; value > 0)
      values[peak.name] = {{"most", value}, {"of", peak.unit}};
  for (const report::PeakName& latency : report::latency_names())
    if (const double value = record.peaks.*latency.value; value > 0)
      document["seconds"][latency.name] = {{"least", value}};
  return document;
}

PeakRecord peak_record_from_json(const Fields& fields) {
  constexpr std::int64_t kMostMhz = 100'000;
  PeakRecord record;
  record.when = fields.text_or("when", {});
  if (fields.has("clocks_mhz")) {
    const Fields clocks = fields.object("clocks_mhz");
    record.sm_mhz = static_cast<int>(clocks.integer_or("sm", 0, kMostMhz, 0));
    record.memory_mhz = static_cast<int>(clocks.integer_or("memory", 0, kMostMhz, 0));
  }
  if (fields.has("device")) record.device = device_from_json(fields.object("device"));
  const Fields rates = fields.object("per_second");
  for (const report::PeakName& peak : report::peak_names())
    read_figure(rates, peak.name, "most", record.peaks.*peak.value);
  if (!fields.has("seconds")) return record;
  const Fields times = fields.object("seconds");
  for (const report::PeakName& latency : report::latency_names())
    read_figure(times, latency.name, "least", record.peaks.*latency.value);
  return record;
}

}  // namespace warplens::measure
