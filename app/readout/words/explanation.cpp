#include "app/readout/words/explanation.h"

#include <cmath>

#include "app/readout/verdict.h"
#include "sim/base/numbers.h"
#include "sim/profile/ncu_profile.h"

namespace warplens::app {

using explain::Agreement;
using explain::ExplainedCounter;
using explain::Explanation;
using explain::Part;
using language::Strings;

namespace {

// "12,345", "12.35", "1.2e-05": digits that say something, whatever the size.
std::string explained_figure(double value) {
  if (value != 0 && std::abs(value) < 0.01) return formatted("%.3g", value);
  return measure::grouped_number(value);
}

// Of counts their name says what is counted; bytes are told all the same.
std::string unit_of(const ExplainedCounter& counter) {
  if (counter.unit == "byte" || counter.unit == "byte/block") return " B";
  return counter.unit.empty() || !counter.parts.empty() ? std::string() : " " + counter.unit;
}

// Traffic behind the caches: "DRAM bytes, read".
std::string behind_label(const ExplainedCounter& counter, const Strings& strings) {
  const auto has = [&](std::string_view word) { return counter.name.find(word) != std::string::npos; };
  return strings(has("read")    ? "explain.behind.read"
                 : has("write") ? "explain.behind.write"
                                : "explain.behind.all",
                 {{"level", counter.name.starts_with("lts") ? "L2" : "DRAM"},
                  {"count", strings(has("bytes") ? "compare.count.bytes" : "compare.count.sectors")}});
}

}  // namespace

std::string measured_text(const ExplainedCounter& counter) {
  if (counter.unit == "second" && counter.measured > 0) return seconds_text(counter.measured);
  const bool rounded = counter.resolution >= 0.5;
  return (rounded ? "≈ " : "") + explained_figure(counter.measured) + unit_of(counter);
}

std::string predicted_text(const ExplainedCounter& counter) {
  return counter.predicted ? explained_figure(*counter.predicted) + unit_of(counter) : std::string();
}

std::string difference_text(const ExplainedCounter& counter) {
  if (!counter.predicted) return {};
  if (counter.state == Agreement::Equal) return "=";
  const double more = counter.measured - *counter.predicted;
  return (more < 0 ? "−" : "+") + explained_figure(std::abs(more));
}

std::string label_of(const ExplainedCounter& counter, const Strings& strings) {
  if (counter.state == Agreement::Behind) return behind_label(counter, strings);
  if (counter.field.empty() || counter.is_average || counter.ops.empty())
    return profile::label_of(counter.name);
  const std::string space =
      strings(counter.space == memory::Space::Shared ? "explain.of.shared" : "explain.of.global");
  const std::string op =
      counter.ops.size() == 1 ? op_text(counter.ops.front(), strings) : strings("explain.of.all");
  return strings("explain.label",
                 {{"count", strings("compare.count." + counter.field)}, {"space", space}, {"op", op}});
}

std::string state_word(Agreement state, const Strings& strings) {
  constexpr const char* kWords[] = {"equal", "explained", "unexplained", "behind", "not_predicted"};
  return strings(std::string("explain.state.") + kWords[static_cast<std::size_t>(state)]);
}

std::string equation(const ExplainedCounter& counter, const Strings& strings) {
  if (counter.parts.empty()) return {};
  std::string text = measured_text(counter) + " =";
  for (std::size_t i = 0; i < counter.parts.size(); ++i) {
    const Part& part = counter.parts[i];
    text += (part.amount < 0 ? " − "
             : i > 0         ? " + "
                             : " ") +
            strings(std::string("explain.part.") + name_of(part.kind),
                    {{"n", explained_figure(std::abs(part.amount))}});
  }
  return text;
}

std::string share_text(const explain::Share& share, const Strings& strings) {
  // Of conflicts what one request loses, of all else what one request counts.
  const std::string key = share.wavefronts > 0 ? "explain.share.conflicts" : "explain.share.count";
  const auto requests = static_cast<double>(share.requests);
  const std::string sum =
      strings(key + (share.requests == 1 ? ".one" : ""), {{"wavefronts", share.wavefronts},
                                                          {"ideal", share.ideal},
                                                          {"requests", explained_figure(requests)},
                                                          {"each", explained_figure(share.amount / requests)},
                                                          {"n", explained_figure(share.amount)}});
  return strings("explain.share",
                 {{"place", strings("explain.share.place", {{"line", share.line}, {"text", share.text}})},
                  {"sum", sum}});
}

std::string reason_of(const ExplainedCounter& counter, const Strings& strings) {
  std::string text;
  const auto add = [&](const std::string& more) {
    text += (text.empty() || strings.language() != "en" ? "" : " ") + more;
  };
  for (const Part& part : counter.parts)
    if (part.kind != Part::Kind::Addresses && part.kind != Part::Kind::Unknown)
      add(strings(std::string("explain.why.") + name_of(part.kind)));
  if (!counter.hint.empty()) add(strings("explain.hint." + counter.hint));
  if (text.empty() && counter.state == Agreement::Unexplained) add(strings("explain.why.unknown"));
  if (counter.modelled)
    add(strings("explain.modelled",
                {{"n", explained_figure(counter.unit == "%" ? std::round(10 * *counter.modelled) / 10
                                                            : std::round(*counter.modelled))}}));
  return text;
}

std::string summary_of(const Explanation& explanation, const Strings& strings) {
  const auto n = [&](Agreement state) { return std::to_string(explanation.count(state)); };
  return strings("explain.summary", {{"equal", n(Agreement::Equal)},
                                     {"explained", n(Agreement::Explained)},
                                     {"unexplained", n(Agreement::Unexplained)},
                                     {"behind", n(Agreement::Behind)},
                                     {"rest", n(Agreement::NotPredicted)}});
}

}  // namespace warplens::app
