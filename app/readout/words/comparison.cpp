#include "app/readout/words/comparison.h"

#include <algorithm>

namespace warplens::app {
namespace {

std::string name_of(const scenario::Scenario& s, bool edited, const std::string& language,
                    const language::Strings& strings) {
  const scenario::LocalText& text = s.rung_label.empty() ? s.title : s.rung_label;
  return scenario::in_language(text, language) + (edited ? strings("source.edited") : "");
}

std::string differences_of(const Comparison& c, bool is_a, const scenario::Scenario* s,
                           const std::string& language, const language::Strings& strings) {
  std::string text;
  const auto add = [&](const std::string& more) { text += (text.empty() ? "≠ " : " · ≠ ") + more; };
  for (const ParameterDifference& d : c.parameters) {
    const std::optional<std::int64_t>& mine = is_a ? d.a : d.b;
    const scenario::ScenarioParameter* p = s ? find_parameter(*s, d.name) : nullptr;
    if (mine && p != nullptr)
      add(scenario::in_language(p->label, language) + " " + scenario::shown_value(*p, *mine, language));
  }
  const bool literal = is_a ? c.literal_a : c.literal_b, other_accesses = c.literal_a != c.literal_b;
  if (other_accesses) add(strings(literal ? "compare.literal" : "compare.issued"));
  const int lines = is_a ? c.lines.count_a : c.lines.count_b;
  if (lines > 0)
    add(strings(lines == 1 ? "compare.lines.one" : "compare.lines", {{"n", std::to_string(lines)}}));
  if (text.empty() && c.parameters.empty() && c.lines.count_a + c.lines.count_b == 0)
    return "= " + strings("compare.same");
  return text;
}

}  // namespace

SideWords side_words(const Comparison& c, bool is_a, const scenario::Scenario* s, bool edited,
                     const std::string& language, const language::Strings& strings) {
  SideWords words;
  if (s != nullptr) words.name = name_of(*s, edited, language, strings);
  words.differences = differences_of(c, is_a, s, language, strings);
  if (is_a && !c.a_follows)
    words.differences =
        strings("compare.no_such_access") + (words.differences.empty() ? "" : " · " + words.differences);
  return words;
}

}  // namespace warplens::app
