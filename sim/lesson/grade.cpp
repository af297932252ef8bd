#include "sim/lesson/grade.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "sim/count/compare_values.h"
#include "sim/count/totals.h"
#include "sim/lesson/figures.h"
#include "sim/text/scan.h"

namespace warplens::lesson {

namespace {

using scenario::need;
using scenario::refuse;

// `field` names the rule in errors.
std::int64_t value_of(const std::string& rule, const Figures& figures, const std::string& field) {
  const sim::IntegerResult result = sim::evaluate_integer(rule, figures);
  if (!result.value) refuse(Message("{}: \"{}\": {}", field, rule, result.error));
  return *result.value;
}

// The number asked for, the index of the right choice, or the marks.
std::int64_t truth_of(const Prediction& prediction, const scenario::Prepared& prepared, const View& view,
                      const Means& means) {
  if (prediction.draw != Draw::Nothing) return drawn_answer(prediction.draw, prepared, view, means.limits);
  if (prediction.choices.empty())
    return value_of(prediction.ask, figures_for(prediction.ask, prepared, view, means), "ask");
  const Figures figures = figures_for(prediction.rules(), prepared, view, means);
  std::vector<std::size_t> right;
  for (std::size_t i = 0; i < prediction.choices.size(); ++i) {
    if (value_of(prediction.choices[i].when, figures, "choices[" + std::to_string(i) + "].when") != 0)
      right.push_back(i);
  }
  if (right.size() != 1) refuse(Message("choices: {} of them are right; exactly one must be", right.size()));
  return static_cast<std::int64_t>(right[0]);
}

constexpr double kFloatTolerance = 1e-4;  // relative: sums may be taken in another order

// "global_load_sectors = 8, pad = 1": every figure that the rule names, once.
std::string figures_text(const std::string& rule, const Figures& figures) {
  std::string text;
  std::set<std::string> told;
  for (const std::string& name : words_in(rule)) {
    const auto figure = figures.find(name);
    if (figure != figures.end() && told.insert(name).second)
      text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(figure->second);
  }
  return text;
}

// "out[5] is 0; it should be 37"
Message difference_text(const sim::KernelParameter& parameter, int scalars,
                        const sim::ValueDifference& difference) {
  const Message element("{}[{}]", parameter.name, difference.element);
  const Message value =
      scalars > 1 ? Message("{} (value {} of {})", element, difference.scalar + 1, scalars) : element;
  return Message("{} is {}; it should be {}", value, difference.got, difference.expected);
}

// Every buffer that the kernel may write; where there is none, nothing shows that it is right.
Message compare_buffers(const sim::Program& program, const sim::GridValues& wanted,
                        const sim::GridValues& got) {
  bool compared = false;
  for (std::size_t p = 0; p < program.parameters.size(); ++p) {
    const sim::KernelParameter& parameter = program.parameters[p];
    if (!parameter.is_pointer || parameter.is_const) continue;
    if (p >= wanted.buffers.size() || p >= got.buffers.size())
      return Message("{} was not read back", parameter.name);
    const auto &want = wanted.buffers[p], &have = got.buffers[p];
    if (want.size() != have.size()) return Message("{} has another length", parameter.name);
    const auto each = static_cast<std::size_t>(parameter.element_bytes);
    const int scalars = parameter.element_bytes / sim::size_of(parameter.type);
    const sim::ValueDifference difference =
        sim::compare_values(std::as_bytes(std::span(want)), std::as_bytes(std::span(have)), parameter.type,
                            scalars, want.size() / each, kFloatTolerance);
    if (difference.differing != 0) return difference_text(parameter, scalars, difference);
    compared |= difference.compared != 0;
  }
  return compared ? Message()
                  : Message("the kernel has no output that could be compared with the original's");
}

bool same_parameters(const sim::Program& one, const sim::Program& other) {
  return std::equal(one.parameters.begin(), one.parameters.end(), other.parameters.begin(),
                    other.parameters.end(), [](const auto& a, const auto& b) {
                      return a.is_pointer == b.is_pointer && a.type == b.type &&
                             a.element_bytes == b.element_bytes;
                    });
}

// What the edited kernel does wrong with these values, in words; empty: it writes what the original writes.
Message compare_output(View view, const ParameterValues& values, const std::string& text,
                       const sim::Limits& limits) {
  view.values = values;
  view.code.clear();  // what it should do is what the kernel does without the mistake
  const scenario::Prepared original = need(prepare_view(view, nullptr, limits.budget));
  const scenario::Prepared edited = need(prepare_view(view, &text, limits.budget));
  const auto run = [&](const scenario::Prepared& prepared) {
    return sim::run_grid(prepared.program, prepared.setup.launch, *prepared.gpu, limits);
  };
  const sim::GridValues wanted = run(original);
  if (wanted.error) refuse(Message("the original kernel failed: {}", wanted.error->message));
  const sim::GridValues got = run(edited);
  if (got.error) return got.error->message;
  if (!same_parameters(original.program, edited.program))
    return Message("the kernel's parameters must stay as they are");
  return compare_buffers(original.program, wanted, got);
}

// "nrows = 96, ncols = 64"
std::string sizes_text(const ParameterValues& values) {
  return text::joined(values, [](const auto& one) { return one.first + " = " + std::to_string(one.second); });
}

// At the trial's sizes, which find most mistakes, and at the challenge's own: there the goals are counted,
// and a kernel that only does its work elsewhere meets them all.
Message try_output(const Challenge& challenge, const ParameterValues& values, const std::string& text,
                   const sim::Limits& limits) {
  if (!challenge.trial.empty()) {
    ParameterValues small = values;
    for (const auto& [name, value] : challenge.trial) small[name] = value;
    const Message wrong = compare_output(challenge.view, small, text, limits);
    if (!wrong.empty())  // the window shows other sizes
      return Message("{} (checked also with {})", wrong, sizes_text(challenge.trial));
  }
  return compare_output(challenge.view, values, text, limits);
}

// Only free parameters may differ from what the challenge begins with.
ParameterValues values_of(const Challenge& challenge, const Attempt& attempt, Budget* budget) {
  ParameterValues values = challenge.view.values;
  const ParameterValues begun = need(prepare_view(challenge.view, nullptr, budget)).setup.values;
  for (const auto& [name, value] : attempt.values) {
    const auto now = begun.find(name);
    const bool changed = now == begun.end() || now->second != value;
    const bool is_free = std::ranges::find(challenge.free, name) != challenge.free.end();
    if (changed && !is_free)
      refuse(Message("this challenge does not leave \"{}\" free; free: {}", name,
                     challenge.free.empty() ? "none" : text::joined(challenge.free)));
    values[name] = value;
  }
  return values;
}

// What `work` gives; where it gives nothing, what it says is wrong with `field`.
template <typename Work>
auto found(const Work& work, const std::string& field, std::vector<Message>& problems) {
  auto outcome = scenario::outcome_of(work);
  for (const Message& error : outcome.errors) problems.push_back(Message("{}: {}", field, error));
  return std::move(outcome.value);
}

// What a step's texts rely on.
void check_says(const Step& step, const std::string& field, const scenario::Prepared& prepared,
                const Means& means, std::vector<Message>& problems) {
  const auto figures = found([&] { return figures_for(text::joined(step.says), prepared, step.view, means); },
                             field, problems);
  if (!figures) return;
  for (const std::string& rule : step.says) {
    const sim::IntegerResult result = sim::evaluate_integer(rule, *figures);
    if (!result.value)
      problems.push_back(Message("{}: \"{}\": {}", field, rule, result.error));
    else if (*result.value == 0)
      problems.push_back(Message("{}: \"{}\" does not hold: {}", field, rule, figures_text(rule, *figures)));
  }
}

// What can be answered at all: one of the choices, a number of marks, or a number of as many digits as can be
// typed.
bool can_be_given(const Prediction& prediction, std::int64_t answer) {
  constexpr std::int64_t kBeyondDigits = 1'000'000'000;
  if (!prediction.choices.empty())
    return answer >= 0 && answer < static_cast<std::int64_t>(prediction.choices.size());
  if (prediction.draw != Draw::Nothing) return answer > 0 && answer <= kDrawnPlaces;
  const std::int64_t least = prediction.ask.find('-') != std::string::npos ? -kBeyondDigits / 10 + 1 : 0;
  return answer >= least && answer < kBeyondDigits;
}

void check_wrong(const Prediction& prediction, std::int64_t truth, const std::string& field,
                 std::vector<Message>& problems) {
  std::set<std::int64_t> told;
  for (std::size_t i = 0; i < prediction.wrong.size(); ++i) {
    const std::int64_t answer = prediction.wrong[i].answer;
    const std::string entry = field + ".predict.wrong[" + std::to_string(i) + "].answer";
    const std::int64_t shown = prediction.choices.empty() ? answer : answer + 1;
    // As many marks as are right may still be in the wrong places.
    if (answer == truth && prediction.draw == Draw::Nothing)
      problems.push_back(Message("{}: {} is right", entry, shown));
    else if (!can_be_given(prediction, answer))
      problems.push_back(Message("{}: {} can never be given", entry, shown));
    else if (!told.insert(answer).second)
      problems.push_back(Message("{}: {} is there already", entry, shown));
  }
}

void check_step(const Lesson& lesson, std::size_t index, const Means& means, std::vector<Message>& problems) {
  const std::string field = lesson.file.string() + ": steps[" + std::to_string(index) + "]";
  const Step& step = lesson.steps[index];
  const auto prepared = found(
      [&] {
        scenario::Prepared there = need(prepare_view(step.view, nullptr, means.limits.budget));
        figures_for("requests", there, step.view, means);
        return there;
      },
      field + ".show", problems);
  if (!prepared) return;
  check_says(step, field + ".says", *prepared, means, problems);
  if (!step.prediction) return;
  const auto truth = found([&] { return truth_of(*step.prediction, *prepared, step.view, means); },
                           field + ".predict", problems);
  if (truth) check_wrong(*step.prediction, *truth, field, problems);
}

bool is_same_access(const View& one, const View& other) {
  return one.scenario == other.scenario && one.code == other.code && one.values == other.values &&
         one.block == other.block && one.warp == other.warp && one.access == other.access;
}

// A question whose answer an earlier step has on screen. What an earlier step asked, it has shown too.
void check_untold(const Lesson& lesson, std::size_t index, std::vector<Message>& problems) {
  const Step& step = lesson.steps[index];
  if (!step.prediction) return;
  if (!speaks_of_access(step.prediction->rules())) return;
  for (std::size_t i = 0; i < index; ++i) {
    if (!is_same_access(lesson.steps[i].view, step.view)) continue;
    problems.push_back(
        Message("{}: steps[{}].predict: steps[{}] shows the same access, and with it the answer",
                lesson.file.string(), index, i));
    return;
  }
}

// Nothing that was measured of the kernel as it is holds for an edited one; what the GPU can do does.
Means of_edited(const Means& means) {
  if (!means.recorded) return means;
  return {means.limits, [recorded = means.recorded](const View& view) {
            Recorded peaks_alone;
            peaks_alone.peaks = recorded(view).peaks;
            return peaks_alone;
          }};
}

void check_challenge(const Lesson& lesson, const Means& means, std::vector<Message>& problems) {
  const std::string field = lesson.file.string() + ": challenge";
  const auto begun = found([&] { return need(grade(lesson.challenge, {}, means)); }, field, problems);
  if (!begun) return;
  if (begun->passed())
    problems.push_back(Message("{}.goals: the goals hold from the start, so there is nothing to do", field));
  if (lesson.challenge.solution.empty()) return;
  const auto solved = found(
      [&] {
        return need(grade(lesson.challenge, {lesson.challenge.solution, ""}, means));
      },
      field + ".solution", problems);
  if (!solved) return;
  for (const GoalVerdict& goal : solved->goals) {
    if (!goal.holds)
      problems.push_back(Message("{}.solution: does not reach \"{}\": {}", field, goal.rule, goal.figures));
  }
}

Grade grade_of(const Challenge& challenge, const Attempt& attempt, const Means& means) {
  const sim::Limits& limits = means.limits;
  View view = challenge.view;
  view.values = values_of(challenge, attempt, limits.budget);
  const std::string& text = attempt.text.empty() ? view.code : attempt.text;
  Grade grade;
  if (!text.empty()) {
    grade.first_difference = try_output(challenge, view.values, text, limits);
    grade.output_right = grade.first_difference.empty();
  }
  const auto prepared = need(prepare_view(view, text.empty() ? nullptr : &text, limits.budget));
  const Means own = text.empty() ? means : of_edited(means);
  for (std::size_t i = 0; i < challenge.goals.size(); ++i) {
    const Goal& goal = challenge.goals[i];
    const Figures figures = figures_for(goal.rule, prepared, view, own);
    const bool holds = value_of(goal.rule, figures, "goals[" + std::to_string(i) + "].rule") != 0;
    grade.goals.push_back({goal.words, goal.rule, holds, figures_text(goal.rule, figures)});
  }
  return grade;
}

}  // namespace

bool Grade::passed() const {
  return output_right && std::ranges::all_of(goals, [](const GoalVerdict& g) { return g.holds; });
}

Outcome<std::int64_t> answer(const Prediction& prediction, const scenario::Prepared& prepared,
                             const View& view, const Means& means) {
  return scenario::outcome_of([&] { return truth_of(prediction, prepared, view, means); });
}

Outcome<Grade> grade(const Challenge& challenge, const Attempt& attempt, const Means& means) {
  return scenario::outcome_of([&] { return grade_of(challenge, attempt, means); });
}

std::vector<Message> problems_of(const Lesson& lesson, const Means& means) {
  std::vector<Message> problems;
  for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
    if (means.limits.budget != nullptr) means.limits.budget->check(Stage::Grading);
    check_step(lesson, i, means, problems);
    check_untold(lesson, i, problems);
  }
  check_challenge(lesson, means, problems);
  return problems;
}

}  // namespace warplens::lesson
