#include "sim/report/analysis.h"

#include <nlohmann/json.hpp>

#include "sim/report/analysis_request.h"
#include "sim/report/output/table.h"
#include "sim/report/report.h"

namespace warplens::report {

using memory::Space;
using nlohmann::ordered_json;
using scenario::JsonValue;

namespace {

ordered_json result_of(const PricedRequest& request) {
  const memory::Cost& cost = request.cost;
  if (request.copy)
    return {{"sectors", request.copy->sectors},
            {"wavefronts", request.copy->wavefronts},
            {"wavefronts_exact", request.copy->wavefronts_exact}};
  if (request.access.matrix)
    return {{"wavefronts", cost.wavefronts}, {"bank_conflicts", cost.bank_conflicts}};
  if (request.access.space == Space::Global)
    return {
        {"requests", cost.requests}, {"sectors", cost.sectors}, {"lines", cost.lines}, {"bytes", cost.bytes}};
  return {{"requests", cost.requests},
          {"wavefronts", cost.wavefronts},
          {"bank_conflicts", cost.bank_conflicts},
          {"bytes", cost.bytes}};
}

}  // namespace

scenario::Outcome<Analysis> analyze(scenario::JsonDocument& document) {
  if (!document.ok()) return {{}, document.errors()};
  const JsonValue root = document.root();
  Analysis analysis;
  if (root.is_object() && (!root.has("schema") || document.has_schema("requests"))) {
    // Files of measured accesses have them as `records`.
    const bool recorded = root.has("records") && !root.has("requests");
    for (const JsonValue& request : root.list(recorded ? "records" : "requests")) {
      PricedRequest priced = read_request(request, document);
      if (document.is_full()) break;
      if (document.ok()) analysis.requests.push_back(std::move(priced));
    }
  }
  if (!document.ok()) return {{}, document.errors()};
  return {std::move(analysis), {}};
}

ordered_json analysis_json(const Analysis& analysis, Budget& budget) {
  Pace pace(budget, Stage::Writing);
  ordered_json json;
  json["schema"] = "warplens.analysis/1";
  json["results"] = ordered_json::array();
  for (const PricedRequest& request : analysis.requests) {
    pace.step();
    json["results"].push_back(result_of(request));
  }
  return json;
}

std::string analysis_csv(const Analysis& analysis, Budget& budget) {
  Pace pace(budget, Stage::Writing);
  std::string csv =
      "index,space,op,bytes_per_lane,requests,bytes,sectors,lines,wavefronts,bank_conflicts\r\n";
  for (std::size_t i = 0; i < analysis.requests.size(); ++i) {
    pace.step();
    const PricedRequest& request = analysis.requests[i];
    const memory::Cost& cost = request.cost;
    const bool copies = request.copy.has_value(), global = request.access.space == Space::Global;
    const auto where = [](bool there, int value) { return there ? std::to_string(value) : std::string(); };
    csv += csv_row(
        {std::to_string(i), name_of(request.access.space), request.op, std::to_string(request.access.bytes),
         std::to_string(copies ? request.copy->requests : cost.requests), where(!copies, cost.bytes),
         where(global, copies ? request.copy->sectors : cost.sectors), where(global && !copies, cost.lines),
         where(!global || copies, copies ? request.copy->wavefronts : cost.wavefronts),
         where(!global, cost.bank_conflicts)});
  }
  return csv;
}

std::string analysis_text(const Analysis& analysis, Budget& budget) {
  Pace pace(budget, Stage::Writing);
  Table table({Side::Right, Side::Left, Side::Right, Side::Left, Side::Right, Side::Left});
  for (std::size_t i = 0; i < analysis.requests.size(); ++i) {
    pace.step();
    const PricedRequest& request = analysis.requests[i];
    const memory::Cost& cost = request.cost;
    const std::string what = request.op + ", " + std::to_string(request.access.bytes) + " B";
    const auto add = [&](const std::string& name, int count, const char* of, int more, const char* of_more) {
      table.add({std::to_string(i), name, std::to_string(count), of, std::to_string(more), of_more});
    };
    if (request.copy)
      add(what, request.copy->sectors, "sectors", request.copy->wavefronts,
          request.copy->wavefronts_exact ? "wavefronts" : "wavefronts (about)");
    else if (request.access.space == Space::Global)
      add("global " + what, cost.sectors, "sectors", cost.lines, "lines");
    else
      add((request.access.matrix ? "" : "shared ") + what, cost.wavefronts, "wavefronts", cost.bank_conflicts,
          "conflicts");
  }
  return table.text("", budget);
}

}  // namespace warplens::report
