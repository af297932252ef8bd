// Nobody meets "not measured" on the way through the defaults and the lessons: what their time panels show is
// in the packs that are shipped, or waits for a GPU by name, in tests/data/not_recorded.txt.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "tests/app/recorded.h"

namespace warplens::app::recorded_states_test {

std::string words_of(const scenario::Scenario& scenario, const scenario::ParameterValues& values,
                     measure::CompileMode mode) {
  std::string words = scenario.name;
  for (const auto& [name, value] : values) words += " " + name + "=" + std::to_string(value);
  return words + " " + measure::name_of(mode);
}

// Adds what no pack holds of a launch and, in the same size, of the rungs whose bars stand beside it.
void add_missing(const scenario::Scenario& scenario, const scenario::ParameterValues& values,
                 std::set<std::string>* missing) {
  for (const scenario::Scenario* rung : gallery().ladder_of(scenario)) {
    const auto at = rung == &scenario ? values : scenario::carried_over_in_size(scenario, values, *rung);
    const auto setup = scenario::make_setup(*rung, at);
    ASSERT_TRUE(setup) << rung->name << ": " << ::testing::PrintToString(setup.errors);
    for (const auto mode : {measure::CompileMode::AsWritten, measure::CompileMode::AsOptimised})
      if (mode == measure::effective_mode(setup.value->compile.text, mode) &&
          recorded().find(*setup.value, mode) == nullptr)
        missing->insert(words_of(*rung, at, mode));
  }
}

void add_view(const lesson::View& view, scenario::ParameterValues turned, std::set<std::string>* missing) {
  const scenario::Scenario& scenario = *gallery().find(view.scenario);
  turned.insert(view.values.begin(), view.values.end());
  turned.merge(scenario::defaults(scenario));
  add_missing(scenario, turned, missing);
  for (const lesson::View& beside : view.beside) add_view(beside, {}, missing);
}

// On the way through the scenarios' defaults and the lessons, whose challenges begin somewhere and end at
// their solution.
std::set<std::string> missing_states() {
  std::set<std::string> missing;
  for (const scenario::Scenario& scenario : gallery().scenarios)
    add_missing(scenario, scenario::defaults(scenario), &missing);
  for (const auto& one : gallery().lessons) {
    for (const lesson::Step& step : one->steps) add_view(step.view, {}, &missing);
    add_view(one->challenge.view, {}, &missing);
    add_view(one->challenge.view, one->challenge.solution, &missing);
  }
  return missing;
}

std::set<std::string> states_that_wait() {
  std::ifstream list(WARPLENS_SOURCE_DIR "/tests/data/not_recorded.txt");
  std::set<std::string> waiting;
  for (std::string line; std::getline(list, line);)
    if (!line.empty() && line[0] != '#') waiting.insert(line);
  return waiting;
}

TEST(RecordedStates, AreAllThere) {
  const std::set<std::string> missing = missing_states(), waiting = states_that_wait();
  std::vector<std::string> unknown, recorded_by_now;
  std::ranges::set_difference(missing, waiting, std::back_inserter(unknown));
  std::ranges::set_difference(waiting, missing, std::back_inserter(recorded_by_now));
  EXPECT_THAT(unknown, testing::IsEmpty()) << "not in any pack: tools/plan.py states";
  EXPECT_THAT(recorded_by_now, testing::IsEmpty()) << "still in the list of what waits";
}

}  // namespace warplens::app::recorded_states_test
