// Nobody meets "not measured" on the way through the defaults and the lessons: what their time panels show is
// in the packs that are shipped, or waits for a GPU by name, in tests/data/not_recorded.txt.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "sim/lesson/lesson.h"
#include "sim/scenario/scenario.h"
#include "tests/app/recorded.h"

namespace warplens::app {
namespace recorded_states_test {

const std::filesystem::path kRoot = WARPLENS_SOURCE_DIR;

std::string words_of(const scenario::Scenario& scenario, const scenario::ParameterValues& values,
                     measure::CompileMode mode) {
  std::string words = scenario.name;
  for (const auto& [name, value] : values) words += " " + name + "=" + std::to_string(value);
  return words + " " + measure::name_of(mode);
}

// What a time panel shows on the way through the scenarios' defaults and through the lessons, whose
// challenges begin somewhere and end at their solution: each with the other rungs of its ladder in the same
// size.
struct ShownState {
  const scenario::Scenario* scenario = nullptr;
  scenario::ParameterValues values;
  std::string where;  // "lesson banks, step 3": what it is beside, in words
};

std::vector<ShownState> shown_states(const std::vector<scenario::Scenario>& scenarios,
                                     const std::vector<lesson::Lesson>& lessons) {
  std::vector<ShownState> shown;
  // With the other rungs, whose bars stand beside it.
  const auto add = [&](const scenario::Scenario& scenario, const scenario::ParameterValues& values,
                       const std::string& where) {
    shown.push_back({&scenario, values, where});
    for (const scenario::Scenario& rung : scenarios)
      if (!scenario.ladder.empty() && rung.ladder == scenario.ladder && rung.name != scenario.name)
        shown.push_back({&rung, scenario::carried_over_in_size(scenario, values, rung), where});
  };
  const auto add_launch = [&](const lesson::View& view, const scenario::ParameterValues& turned,
                              const std::string& where) {
    for (const scenario::Scenario& scenario : scenarios) {
      if (scenario.name != view.scenario) continue;
      scenario::ParameterValues values = scenario::defaults(scenario);
      for (const scenario::ParameterValues* more : {&view.values, &turned})
        for (const auto& [name, value] : *more) values[name] = value;
      add(scenario, values, where);
    }
  };
  const auto add_view = [&](const lesson::View& view, const scenario::ParameterValues& turned,
                            const std::string& where) {
    add_launch(view, turned, where);
    for (const lesson::View& beside : view.beside) add_launch(beside, {}, where + ", beside");
  };
  for (const scenario::Scenario& scenario : scenarios)
    add(scenario, scenario::defaults(scenario), scenario.name);
  for (const lesson::Lesson& one : lessons) {
    for (std::size_t i = 0; i < one.steps.size(); ++i)
      add_view(one.steps[i].view, {}, "lesson " + one.name + ", step " + std::to_string(i + 1));
    add_view(one.challenge.view, {}, "lesson " + one.name + ", challenge");
    add_view(one.challenge.view, one.challenge.solution, "lesson " + one.name + ", solution");
  }
  return shown;
}

std::set<std::string> missing_states() {
  const auto scenarios = scenario::load_scenarios(kRoot / "kernels").value.value();
  const auto lessons = lesson::load_lessons(kRoot / "assets" / "lessons").value.value();
  const auto shown = shown_states(scenarios, lessons);
  EXPECT_GT(shown.size(), 300u);
  std::set<std::string> missing;
  for (const ShownState& state : shown) {
    const auto setup = scenario::make_setup(*state.scenario, state.values);
    EXPECT_TRUE(setup) << state.where << ": " << ::testing::PrintToString(setup.errors);
    if (!setup) continue;
    for (const auto mode : {measure::CompileMode::AsWritten, measure::CompileMode::AsOptimised})
      if (mode == measure::effective_mode(setup.value->compile.text, mode) &&
          recorded().find(*setup.value, mode) == nullptr)
        missing.insert(words_of(*state.scenario, state.values, mode));
  }
  return missing;
}

std::set<std::string> states_that_wait() {
  std::ifstream list(kRoot / "tests" / "data" / "not_recorded.txt");
  std::set<std::string> waiting;
  for (std::string line; std::getline(list, line);)
    if (!line.empty() && line[0] != '#') waiting.insert(line);
  return waiting;
}

std::string lines_without(const std::set<std::string>& lines, const std::set<std::string>& known) {
  std::string rest;
  for (const std::string& line : lines)
    if (!known.contains(line)) rest += line + "\n";
  return rest;
}

TEST(RecordedStates, AreAllThere) {
  const std::set<std::string> missing = missing_states(), waiting = states_that_wait();
  EXPECT_EQ(lines_without(missing, waiting), "") << "not in any pack: tools/plan.py states";
  EXPECT_EQ(lines_without(waiting, missing), "") << "recorded by now, and still in the list of what waits";
}

}  // namespace recorded_states_test
}  // namespace warplens::app
