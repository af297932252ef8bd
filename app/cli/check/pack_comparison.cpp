#include "app/cli/check/pack_comparison.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/report/output/table.h"

namespace warplens::cli {

namespace {

using measure::Measurement;
using measure::Pack;
using Group = std::pair<std::string, measure::CompileMode>;

bool same_global_counters(const Measurement& a, const Measurement& b) {
  for (const auto& [name, value] : a.counters.values) {
    if (name.rfind("l1tex__t_", 0) != 0) continue;
    const auto other = b.counters.values.find(name);
    if (other != b.counters.values.end() && other->second != value) return false;
  }
  return true;
}

void take(const Measurement& here, const Measurement& first, PackRow& row) {
  // A wrong result's time is no time.
  if (!here.is_valid() || !first.is_valid() || here.cold.median <= 0 || first.cold.median <= 0) return;
  const double ratio = here.cold.median / first.cold.median;
  row.ratio += std::log(ratio);
  row.least = row.shared == 0 ? ratio : std::min(row.least, ratio);
  row.most = std::max(row.most, ratio);
  row.counters_differ += same_global_counters(here, first) ? 0 : 1;
  ++row.shared;
}

std::size_t alone(const std::vector<Pack>& packs, std::size_t index) {
  std::size_t count = 0;
  for (const Measurement& m : packs[index].measurements) {
    bool elsewhere = false;
    for (std::size_t other = 0; other < packs.size(); ++other)
      elsewhere |= other != index && packs[other].find(m.key) != nullptr;
    count += elsewhere ? 0 : 1;
  }
  return count;
}

}  // namespace

PackComparison compare_packs(const std::vector<Pack>& packs) {
  PackComparison comparison;
  for (std::size_t index = 0; index < packs.size(); ++index) {
    comparison.only_here.push_back(alone(packs, index));
    if (index == 0) continue;
    std::map<Group, PackRow> groups;
    for (const Measurement& m : packs[index].measurements) {
      const Measurement* first = packs[0].find(m.key);
      if (first == nullptr) continue;
      PackRow& row = groups[{m.scenario, m.subject.mode}];
      take(m, *first, row);
    }
    for (auto& [group, row] : groups) {
      if (row.shared == 0) continue;
      row.scenario = group.first;
      row.mode = group.second;
      row.pack = index;
      row.ratio = std::exp(row.ratio / static_cast<double>(row.shared));
      comparison.rows.push_back(row);
    }
  }
  return comparison;
}

std::string comparison_text(const PackComparison& comparison, const std::vector<Pack>& packs) {
  std::string text;
  for (std::size_t i = 0; i < packs.size(); ++i)
    text += std::string(1, static_cast<char>('A' + i % 26)) + "  " + packs[i].file.filename().string() +
            ": " + packs[i].provenance() + ", " + std::to_string(packs[i].measurements.size()) +
            " measurements, " + std::to_string(comparison.only_here[i]) + " only here\n";
  using report::Side;
  report::Table table(
      {Side::Left, Side::Left, Side::Left, Side::Right, Side::Right, Side::Right, Side::Right, Side::Left});
  table.add({"scenario", "mode", "pack", "shared", "time / A", "least", "most", ""});
  for (const PackRow& row : comparison.rows)
    table.add({row.scenario, measure::name_of(row.mode),
               std::string(1, static_cast<char>('A' + row.pack % 26)), std::to_string(row.shared),
               report::fixed(row.ratio, 3), report::fixed(row.least, 3), report::fixed(row.most, 3),
               row.counters_differ == 0
                   ? "same requests and sectors"
                   : std::to_string(row.counters_differ) + " with other requests or sectors"});
  return text + (comparison.rows.empty() ? "they share no measurement\n" : table.text());
}

nlohmann::ordered_json comparison_json(const PackComparison& comparison, const std::vector<Pack>& packs) {
  nlohmann::ordered_json json = {{"schema", "warplens.pack_comparison/1"},
                                 {"packs", nlohmann::ordered_json::array()},
                                 {"rows", nlohmann::ordered_json::array()}};
  for (std::size_t i = 0; i < packs.size(); ++i)
    json["packs"].push_back({{"file", packs[i].file.string()},
                             {"gpu", packs[i].device.name},
                             {"driver", packs[i].device.driver},
                             {"when", packs[i].when},
                             {"measurements", packs[i].measurements.size()},
                             {"only_here", comparison.only_here[i]}});
  for (const PackRow& row : comparison.rows)
    json["rows"].push_back({{"scenario", row.scenario},
                            {"mode", measure::name_of(row.mode)},
                            {"pack", row.pack},
                            {"shared", row.shared},
                            {"ratio", row.ratio},
                            {"least", row.least},
                            {"most", row.most},
                            {"counters_differ", row.counters_differ}});
  return json;
}

}  // namespace warplens::cli
