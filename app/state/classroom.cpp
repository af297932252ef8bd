#include "app/state/classroom.h"

#include <algorithm>
#include <cctype>

#include "sim/base/numbers.h"

namespace warplens::app {
namespace {

// A rule of figures and not of numbers alone: those would be given away by what is on screen.
bool speaks_of_figures(const std::string& rule) {
  return std::any_of(rule.begin(), rule.end(),
                     [](char c) { return std::isalpha(static_cast<unsigned char>(c)); });
}

Hidden hidden_by(const lesson::Prediction& prediction) {
  const std::string rules = prediction.rules();
  const bool costs = speaks_of_figures(rules);
  return {costs, rules.find("active_lanes") != std::string::npos, costs};
}

// A later step asks about the same run of the same kernel.
bool is_asked_later(const ActiveLesson& active) {
  const auto& steps = active.lesson->steps;
  const lesson::View& view = active.view();
  for (auto i = static_cast<std::size_t>(active.step) + 1; i < steps.size(); ++i) {
    const lesson::Step& later = steps[i];
    if (later.prediction && speaks_of_figures(later.prediction->rules()) &&
        later.view.scenario == view.scenario && later.view.values == view.values &&
        later.view.code == view.code)
      return true;
  }
  return false;
}

// The question that is open, or a later one.
bool asks_for_times(const ActiveLesson& active) {
  const auto& steps = active.lesson->steps;
  const int begin = active.step + (active.guess.locked || active.in_challenge() ? 1 : 0);
  for (auto i = static_cast<std::size_t>(begin); i < steps.size(); ++i) {
    if (steps[i].prediction && lesson::speaks_of_times(steps[i].prediction->rules())) return true;
  }
  return false;
}

}  // namespace

std::int64_t Guess::value() const {
  if (marks != 0) return marks;
  if (chosen >= 0) return chosen;
  return number_in<std::int64_t>(typed).value_or(0);
}

const lesson::View& ActiveLesson::view() const {
  return in_challenge() ? lesson->challenge.view : lesson->steps[static_cast<std::size_t>(step)].view;
}

const lesson::Prediction* ActiveLesson::prediction() const {
  if (in_challenge()) return nullptr;
  const auto& prediction = lesson->steps[static_cast<std::size_t>(step)].prediction;
  return prediction ? &*prediction : nullptr;
}

StepStanding standing_of(const LessonRecord& record, int step, int steps) {
  if (step >= steps) return record.passed ? StepStanding::Right : StepStanding::Open;
  if (!record.done.contains(step)) return StepStanding::Open;
  const auto asked = record.predictions.find(step);
  if (asked == record.predictions.end() || asked->second.tries == 0) return StepStanding::Done;
  return asked->second.right ? StepStanding::Right : StepStanding::Wrong;
}

int ActiveLesson::hint_count() const {
  if (in_challenge()) return static_cast<int>(lesson->challenge.hints.size());
  return prediction() != nullptr ? 1 : 0;
}

std::string lesson_key(const lesson::Lesson& lesson, bool built_in) {
  return built_in ? lesson.name : lesson.file.string();
}

std::vector<std::string> words_of(const lesson::Lesson& one, const std::string& language) {
  std::vector<std::string> words;
  const auto add = [&](const lesson::LocalText& text) {
    words.push_back(scenario::in_language(text, language));
  };
  add(one.title), add(one.goal), add(one.challenge.text);
  for (const lesson::Step& step : one.steps) {
    add(step.text);
    if (!step.prediction) continue;
    add(step.prediction->question), add(step.prediction->hint), add(step.prediction->why);
    for (const lesson::Choice& choice : step.prediction->choices) add(choice.words);
    for (const lesson::WrongAnswer& wrong : step.prediction->wrong) add(wrong.why);
  }
  for (const lesson::Goal& goal : one.challenge.goals) add(goal.words);
  for (const lesson::LocalText& hint : one.challenge.hints) add(hint);
  return words;
}

int place_in_a_hall(const std::vector<platform::NetworkAddress>& addresses) {
  using Kind = platform::NetworkAddress::Kind;
  int reachable = 0, place = -1;
  for (std::size_t i = 0; i < addresses.size(); ++i)
    if (addresses[i].kind != Kind::Loopback && addresses[i].kind != Kind::Virtual)
      ++reachable, place = static_cast<int>(i);
  return reachable == 1 ? place : static_cast<int>(addresses.size()) - 1;
}

Hidden hidden_by(const Classroom& classroom) {
  // Predicting goes on to the next access of the same run.
  if (classroom.predicting) return {!classroom.predicting->guess.locked, false, true};
  if (!classroom.active) return {};
  const lesson::Prediction* prediction = classroom.active->prediction();
  const bool times = asks_for_times(*classroom.active);
  if (prediction != nullptr && !classroom.active->guess.locked) {
    Hidden hidden = hidden_by(*prediction);
    hidden.times = times;
    if (hidden.costs) return hidden;
  }
  return {false, false, is_asked_later(*classroom.active), times};
}

}  // namespace warplens::app
