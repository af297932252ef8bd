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
  if (prediction.draw != Draw::Nothing) return drawn_answer(prediction.draw, prepared, view, means.limits);
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

namespace {

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
Outcome<Message> compare_output(View view, const ParameterValues& values, const std::string& text,
                                const sim::Limits& limits) {
  view.values = values;
  view.code.clear();  // what it should do is what the kernel does without the mistake
  const Outcome<scenario::Prepared> original = prepare_view(view, nullptr, limits.budget);
  if (!original) return {{}, original.errors};
  const Outcome<scenario::Prepared> edited = prepare_view(view, &text, limits.budget);
  if (!edited) return {{}, edited.errors};
  const auto run = [&](const scenario::Prepared& prepared) {
    return sim::run_grid(prepared.program, prepared.setup.launch, *prepared.gpu, limits);
  };
  const sim::GridValues wanted = run(*original.value);
  if (wanted.error) return {{}, {Message("the original kernel failed: {}", wanted.error->message)}};
  const sim::GridValues got = run(*edited.value);
  if (got.error) return {got.error->message, {}};
  if (!same_parameters(original.value->program, edited.value->program))
    return {Message("the kernel's parameters must stay as they are"), {}};
  return {compare_buffers(original.value->program, wanted, got), {}};
}

// "nrows = 96, ncols = 64"
std::string sizes_text(const ParameterValues& values) {
  return text::joined(values, [](const auto& one) { return one.first + " = " + std::to_string(one.second); });
}

// At the trial's sizes, which find most mistakes, and at the challenge's own: there the goals are counted,
// and a kernel that only does its work elsewhere meets them all.
Outcome<Message> try_output(const Challenge& challenge, const ParameterValues& values,
                            const std::string& text, const sim::Limits& limits) {
  if (!challenge.trial.empty()) {
    ParameterValues small = values;
    for (const auto& [name, value] : challenge.trial) small[name] = value;
    Outcome<Message> wrong = compare_output(challenge.view, small, text, limits);
    if (wrong && !wrong.value->empty())  // the window shows other sizes
      return {Message("{} (checked also with {})", *wrong.value, sizes_text(challenge.trial)), {}};
    if (!wrong) return wrong;
  }
  return compare_output(challenge.view, values, text, limits);
}

// Only free parameters may differ from what the challenge begins with.
Outcome<ParameterValues> values_of(const Challenge& challenge, const Attempt& attempt, Budget* budget) {
  ParameterValues values = challenge.view.values;
  const Outcome<scenario::Prepared> begun = prepare_view(challenge.view, nullptr, budget);
  if (!begun) return {{}, begun.errors};
  for (const auto& [name, value] : attempt.values) {
    const auto now = begun.value->setup.values.find(name);
    const bool changed = now == begun.value->setup.values.end() || now->second != value;
    const bool is_free = std::ranges::find(challenge.free, name) != challenge.free.end();
    if (changed && !is_free)
      return {{},
              {Message("this challenge does not leave \"{}\" free; free: {}", name,
                       challenge.free.empty() ? "none" : text::joined(challenge.free))}};
    values[name] = value;
  }
  return {std::move(values), {}};
}

// What a step's texts rely on.
void check_says(const Step& step, const std::string& field, const scenario::Prepared& prepared,
                const Means& means, std::vector<Message>& problems) {
  std::string rules;
  for (const std::string& rule : step.says) rules += rule + ' ';
  const Outcome<Figures> figures = figures_for(rules, prepared, step.view, means);
  for (const Message& error : figures.errors) problems.push_back(Message("{}.says: {}", field, error));
  if (!figures) return;
  for (const std::string& rule : step.says) {
    const sim::IntegerResult result = sim::evaluate_integer(rule, *figures.value);
    if (!result.value)
      problems.push_back(Message("{}.says: \"{}\": {}", field, rule, result.error));
    else if (*result.value == 0)
      problems.push_back(
          Message("{}.says: \"{}\" does not hold: {}", field, rule, figures_text(rule, *figures.value)));
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
  const Outcome<scenario::Prepared> prepared = prepare_view(step.view, nullptr, means.limits.budget);
  for (const Message& error : prepared.errors) problems.push_back(Message("{}.show: {}", field, error));
  if (!prepared) return;
  const Outcome<std::int64_t> there = evaluate("requests", *prepared.value, step.view, "show", means);
  for (const Message& error : there.errors) problems.push_back(Message("{}.show: {}", field, error));
  if (!there) return;
  check_says(step, field, *prepared.value, means, problems);
  if (!step.prediction) return;
  const Outcome<std::int64_t> truth = answer(*step.prediction, *prepared.value, step.view, means);
  for (const Message& error : truth.errors) problems.push_back(Message("{}.predict: {}", field, error));
  if (truth) check_wrong(*step.prediction, *truth.value, field, problems);
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
  const Outcome<Grade> begun = grade(lesson.challenge, {}, means);
  for (const Message& error : begun.errors) problems.push_back(Message("{}: {}", field, error));
  if (!begun) return;
  if (begun.value->passed())
    problems.push_back(Message("{}.goals: the goals hold from the start, so there is nothing to do", field));
  if (lesson.challenge.solution.empty()) return;
  const Outcome<Grade> solved = grade(lesson.challenge, {lesson.challenge.solution, ""}, means);
  for (const Message& error : solved.errors) problems.push_back(Message("{}.solution: {}", field, error));
  if (!solved) return;
  for (const GoalVerdict& goal : solved.value->goals) {
    if (!goal.holds)
      problems.push_back(Message("{}.solution: does not reach \"{}\": {}", field, goal.rule, goal.figures));
  }
}

}  // namespace

bool Grade::passed() const {
  return output_right && std::ranges::all_of(goals, [](const GoalVerdict& g) { return g.holds; });
}

Outcome<Grade> grade(const Challenge& challenge, const Attempt& attempt, const Means& means) {
  const sim::Limits& limits = means.limits;
  const Outcome<ParameterValues> values = values_of(challenge, attempt, limits.budget);
  if (!values) return {{}, values.errors};
  View view = challenge.view;
  view.values = *values.value;
  const std::string& text = attempt.text.empty() ? view.code : attempt.text;
  Grade grade;
  if (!text.empty()) {
    const Outcome<Message> wrong = try_output(challenge, view.values, text, limits);
    if (!wrong) return {{}, wrong.errors};
    grade.first_difference = *wrong.value;
    grade.output_right = wrong.value->empty();
  }
  const Outcome<scenario::Prepared> prepared =
      prepare_view(view, text.empty() ? nullptr : &text, limits.budget);
  if (!prepared) return {{}, prepared.errors};
  const Means own = text.empty() ? means : of_edited(means);
  for (std::size_t i = 0; i < challenge.goals.size(); ++i) {
    const Goal& goal = challenge.goals[i];
    const Outcome<Figures> figures = figures_for(goal.rule, *prepared.value, view, own);
    if (!figures) return {{}, figures.errors};
    const sim::IntegerResult result = sim::evaluate_integer(goal.rule, *figures.value);
    if (!result.value) return {{}, {Message("goals[{}].rule: \"{}\": {}", i, goal.rule, result.error)}};
    grade.goals.push_back(
        {goal.words, goal.rule, *result.value != 0, figures_text(goal.rule, *figures.value)});
  }
  return {std::move(grade), {}};
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
