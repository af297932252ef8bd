// Nobody meets "not measured" on the way through the defaults and the lessons: what their time panels show is
// in the packs that are shipped, or waits for a GPU by name, in tests/data/not_recorded.txt.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "app/measure/pack_plan.h"
#include "app/readout/ladder_times.h"
#include "tests/app/gallery.h"

namespace warplens::app {
namespace recorded_states_test {

const std::filesystem::path kRoot = WARPLENS_SOURCE_DIR;

std::string words_of(const scenario::Scenario& scenario, const scenario::ParameterValues& values,
                     measure::CompileMode mode) {
  std::string words = scenario.name;
  for (const auto& [name, value] : values) words += " " + name + "=" + std::to_string(value);
  return words + " " + measure::name_of(mode);
}

std::set<std::string> missing_states() {
  Measurements recorded;
  recorded.packs = measure::load_packs(kRoot / "assets" / "recorded").value.value();
  const auto scenarios = scenario::load_scenarios(kRoot / "kernels").value.value();
  const auto lessons = lesson::load_lessons(kRoot / "assets" / "lessons").value.value();
  const auto shown = measure::shown_states(scenarios, lessons);
  EXPECT_GT(shown.size(), 300u);
  std::set<std::string> missing;
  for (const measure::ShownState& state : shown) {
    const auto setup = scenario::make_setup(*state.scenario, state.values);
    EXPECT_TRUE(setup) << state.where << ": " << ::testing::PrintToString(setup.errors);
    if (!setup) continue;
    for (const auto mode : {measure::CompileMode::AsWritten, measure::CompileMode::AsOptimised})
      if (mode == measure::effective_mode(setup.value->compile.text, mode) &&
          recorded.find(*setup.value, mode) == nullptr)
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
  EXPECT_EQ(lines_without(missing, waiting), "") << "not in any pack: warplens-cli measure --pack all";
  EXPECT_EQ(lines_without(waiting, missing), "") << "recorded by now, and still in the list of what waits";
}

}  // namespace recorded_states_test
}  // namespace warplens::app
