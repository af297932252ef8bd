#include "sim/lesson/answer.h"

#include <utility>

namespace warplens::lesson {

namespace {

Outcome<std::int64_t> value_of(const std::string& rule, const Figures& figures, const std::string& field) {
  const sim::IntegerResult result = sim::evaluate_integer(rule, figures);
  if (!result.value) return {{}, {Message("{}: \"{}\": {}", field, rule, result.error)}};
  return {*result.value, {}};
}

}  // namespace

Outcome<std::int64_t> evaluate(const std::string& rule, const scenario::Prepared& prepared, const View& view,
                               const std::string& field, const Means& means) {
  const Outcome<Figures> figures = figures_for(rule, prepared, view, means);
  if (!figures) return {{}, figures.errors};
  return value_of(rule, *figures.value, field);
}

Outcome<std::int64_t> answer(const Prediction& prediction, const scenario::Prepared& prepared,
                             const View& view, const Means& means) {
  if (prediction.choices.empty()) return evaluate(prediction.ask, prepared, view, "ask", means);
  std::string rules;
  for (const Choice& choice : prediction.choices) rules += choice.when + ' ';
  const Outcome<Figures> figures = figures_for(rules, prepared, view, means);
  if (!figures) return {{}, figures.errors};
  std::vector<std::size_t> right;
  for (std::size_t i = 0; i < prediction.choices.size(); ++i) {
    const Outcome<std::int64_t> holds =
        value_of(prediction.choices[i].when, *figures.value, "choices[" + std::to_string(i) + "].when");
    if (!holds) return holds;
    if (*holds.value != 0) right.push_back(i);
  }
  if (right.size() != 1)
    return {{}, {Message("choices: {} of them are right; exactly one must be", right.size())}};
  return {static_cast<std::int64_t>(right[0]), {}};
}

}  // namespace warplens::lesson
