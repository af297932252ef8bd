#include "app/cli/explain/explanation_output.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "app/readout/words/explanation.h"
#include "kernels/protocol/subject.h"
#include "sim/report/output/table.h"

namespace warplens::cli {

namespace {

using explain::Agreement;
using explain::ExplainedCounter;
using language::Strings;
using nlohmann::ordered_json;
using report::Side;

constexpr std::size_t kMostShares = 4;    // of a counter, as text
constexpr std::size_t kMostUnknown = 12;  // counters that are only named

std::string others_text(const ExplainedLaunch& of) {
  std::string ids;
  for (const std::size_t other : of.choice.others)
    ids += (ids.empty() ? "" : ", ") + of.profile.launches[other].id;
  return report::shortened(ids, 60);
}

std::string heading_of(const ExplainedLaunch& of, const Strings& strings) {
  const profile::ProfiledLaunch& launch = of.launch();
  const std::string extents = explain::extents_text(launch.grid.value_or(of.report.launch.grid)) + " / " +
                              explain::extents_text(launch.block.value_or(of.report.launch.block));
  std::string text =
      strings("explain.heading",
              {{"file", of.file}, {"id", launch.id}, {"kernel", launch.kernel}, {"extents", extents}}) +
      "\n" +
      strings("explain.heading.against",
              {{"kernel", of.report.kernel}, {"source", of.report.source}, {"gpu", of.report.gpu}}) +
      "\n";
  if (!of.choice.others.empty()) text += strings("explain.heading.others", {{"ids", others_text(of)}}) + "\n";
  return text;
}

std::string predicted_table(const ExplainedLaunch& of, const Strings& strings) {
  report::Table table({Side::Left, Side::Right, Side::Right, Side::Right, Side::Left});
  table.add({strings("explain.column.counter"), strings("explain.column.predicted"),
             strings("explain.column.measured"), "Δ", ""});
  for (const ExplainedCounter& c : of.explanation.counters)
    if (c.state < Agreement::Behind)
      table.add({c.name, app::predicted_text(c), app::measured_text(c), app::difference_text(c),
                 app::state_word(c.state, strings)});
  return "\n" + table.text();
}

// Conflicts are worth their lines even where they are as predicted: why so many is what is asked.
bool has_details(const ExplainedCounter& c) {
  if (c.state == Agreement::NotPredicted) return false;
  return c.state != Agreement::Equal || (c.field == "bank_conflicts" && c.measured > 0);
}

// A reason that several counters share is told once.
std::string details_of(const ExplainedCounter& c, const Strings& strings, std::set<std::string>* told) {
  const std::string sum = app::equation(c, strings);
  std::string text = "\n" + c.name + "\n";
  if (!sum.empty()) text += "  " + sum + "\n";
  if (c.state != Agreement::Behind)
    for (std::size_t i = 0; i < std::min(c.shares.size(), kMostShares); ++i)
      text += "    " + app::share_text(c.shares[i], strings) + "\n";
  const std::string reason = app::reason_of(c, strings);
  return reason.empty() || !told->insert(reason).second ? text : text + "  " + reason + "\n";
}

std::string rest_of(const ExplainedLaunch& of, const Strings& strings) {
  report::Table known({Side::Left, Side::Right, Side::Left});
  std::string names;
  std::size_t count = 0;
  for (const ExplainedCounter& c : of.explanation.counters) {
    if (c.state != Agreement::NotPredicted) continue;
    const std::string meaning = app::reason_of(c, strings);
    if (!meaning.empty()) {
      known.add({app::label_of(c, strings), app::measured_text(c), meaning});
    } else if (++count <= kMostUnknown) {
      names += (names.empty() ? "" : ", ") + c.label;
    }
  }
  std::string text;
  if (!known.empty()) text += "\n" + strings("explain.rest") + "\n" + known.text("  ");
  if (count > kMostUnknown) names += ", ...";
  if (count > 0)
    text += "\n" + strings("explain.unknown", {{"n", std::to_string(count)}, {"names", names}}) + "\n";
  return text;
}

// "≈ 8.39 Mbyte" says less than it seems: JSON has the number, and what rounding may hide.
ordered_json counter_json(const ExplainedCounter& c, const Strings& strings) {
  constexpr const char* kStates[] = {"equal", "explained", "unexplained", "caches", "not_predicted"};
  constexpr const char* kParts[] = {"addresses", "arbitration", "compiler", "caches",
                                    "issues",    "model",       "other",    "unknown"};
  ordered_json json = {{"name", c.name}, {"label", c.label}, {"unit", c.unit}, {"measured", c.measured}};
  if (c.resolution > 0) json["resolution"] = c.resolution;
  json["predicted"] = c.predicted ? ordered_json(*c.predicted) : ordered_json(nullptr);
  if (c.modelled) json["modelled"] = *c.modelled;
  if (c.predicted) json["difference"] = c.measured - *c.predicted;
  json["state"] = kStates[static_cast<std::size_t>(c.state)];
  json["parts"] = ordered_json::array();
  for (const explain::Part& part : c.parts)
    json["parts"].push_back({{"kind", kParts[static_cast<std::size_t>(part.kind)]}, {"amount", part.amount}});
  json["lines"] = ordered_json::array();
  for (const explain::Share& share : c.shares) {
    ordered_json line = {{"line", share.line},
                         {"column", share.column},
                         {"text", share.text},
                         {"requests", share.requests},
                         {"amount", share.amount}};
    if (share.wavefronts > 0)
      line["wavefronts_a_request"] = share.wavefronts, line["ideal_a_request"] = share.ideal;
    json["lines"].push_back(std::move(line));
  }
  if (const std::string words = app::reason_of(c, strings); !words.empty()) json["words"] = words;
  return json;
}

ordered_json launch_json(const ExplainedLaunch& of) {
  const profile::ProfiledLaunch& launch = of.launch();
  const auto extents = [](const std::optional<sim::Dim3>& dim) {
    return dim ? ordered_json({dim->x, dim->y, dim->z}) : ordered_json(nullptr);
  };
  ordered_json json = {{"id", launch.id},
                       {"kernel", launch.kernel},
                       {"grid", extents(launch.grid)},
                       {"block", extents(launch.block)},
                       {"device", launch.device},
                       {"compute_capability", launch.compute_capability},
                       {"line", launch.line}};
  json["others"] = ordered_json::array();
  for (const std::size_t other : of.choice.others) json["others"].push_back(of.profile.launches[other].id);
  return json;
}

}  // namespace

std::string explanation_text(const ExplainedLaunch& of, const Strings& strings) {
  std::string text = heading_of(of, strings);
  const auto& counters = of.explanation.counters;
  if (std::ranges::any_of(counters, [](const auto& c) { return c.state < Agreement::Behind; }))
    text += predicted_table(of, strings);
  std::set<std::string> told;
  for (const ExplainedCounter& c : counters)
    if (has_details(c)) text += details_of(c, strings, &told);
  if (!of.explanation.compiler.empty()) text += "\n";
  for (const measure::Remark& remark : of.explanation.compiler)
    text += measure::in_words(remark, [&](std::string_view key) { return strings(key); }) + "\n";
  return text + rest_of(of, strings) + "\n" + app::summary_of(of.explanation, strings) + "\n";
}

ordered_json explanation_json(const ExplainedLaunch& of, const Strings& strings) {
  const bool raw = of.profile.page == profile::NcuProfile::Page::Raw;
  ordered_json json = {{"schema", "warplens.explain/1"},
                       {"kernel", of.report.kernel},
                       {"source", of.report.source},
                       {"scenario", of.report.scenario},
                       {"values", of.report.values},
                       {"gpu", of.report.gpu},
                       {"file", of.file},
                       {"page", raw ? "raw" : "details"},
                       {"launch", launch_json(of)}};
  json["counters"] = ordered_json::array();
  for (const ExplainedCounter& c : of.explanation.counters)
    json["counters"].push_back(counter_json(c, strings));
  json["compiler"] = ordered_json::array();
  for (const measure::Remark& remark : of.explanation.compiler)
    json["compiler"].push_back(measure::in_words(remark, [&](std::string_view key) { return strings(key); }));
  const auto count = [&](Agreement state) { return of.explanation.count(state); };
  json["summary"] = {{"equal", count(Agreement::Equal)},
                     {"explained", count(Agreement::Explained)},
                     {"unexplained", count(Agreement::Unexplained)},
                     {"caches", count(Agreement::Behind)},
                     {"not_predicted", count(Agreement::NotPredicted)}};
  return json;
}

}  // namespace warplens::cli
