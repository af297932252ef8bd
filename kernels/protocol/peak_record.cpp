#include "kernels/protocol/peak_record.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace warplens::measure {

nlohmann::json to_json(const PeakRecord& record, bool compact) {
  nlohmann::json document{{"when", record.when},
                          {"clocks_mhz", {{"sm", record.sm_mhz}, {"memory", record.memory_mhz}}}};
  if (!compact) document["device"] = to_json(record.device);
  nlohmann::json& values = document["per_second"] = nlohmann::json::object();
  for (const report::PeakName& peak : report::peak_names())
    if (const double value = record.peaks.*peak.value; value > 0)
      values[peak.name] = {{"most", value}, {"of", peak.unit}};
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
  const Fields values = fields.object("per_second");
  for (const report::PeakName& peak : report::peak_names()) {
    if (!values.has(peak.name)) continue;
    const double most = values.object(peak.name).number("most");
    if (most > 0 && std::isfinite(most))
      record.peaks.*peak.value = most;
    else
      values.complain(peak.name, "must be above 0");
  }
  return record;
}

}  // namespace warplens::measure
