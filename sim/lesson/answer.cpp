#include "sim/lesson/answer.h"

#include "sim/lesson/figures.h"

namespace warplens::lesson {

Outcome<std::int64_t> evaluate(const std::string& rule, const scenario::Prepared& prepared, const View& view,
                               const std::string& field, const sim::Limits& limits) {
  const Outcome<Figures> figures = figures_for(rule, prepared, view, limits);
  if (!figures) return {{}, figures.errors};
  const sim::IntegerResult result = sim::evaluate_integer(rule, *figures.value);
  if (!result.value) return {{}, {Message("{}: \"{}\": {}", field, rule, result.error)}};
  return {*result.value, {}};
}

Outcome<std::int64_t> answer(const Prediction& prediction, const scenario::Prepared& prepared,
                             const View& view, const sim::Limits& limits) {
  if (prediction.choices.empty()) return evaluate(prediction.ask, prepared, view, "ask", limits);
  std::vector<std::size_t> right;
  for (std::size_t i = 0; i < prediction.choices.size(); ++i) {
    const Outcome<std::int64_t> holds = evaluate(prediction.choices[i].when, prepared, view,
                                                 "choices[" + std::to_string(i) + "].when", limits);
    if (!holds) return holds;
    if (*holds.value != 0) right.push_back(i);
  }
  if (right.size() != 1)
    return {{}, {Message("choices: {} of them are right; exactly one must be", right.size())}};
  return {static_cast<std::int64_t>(right[0]), {}};
}

}  // namespace warplens::lesson
