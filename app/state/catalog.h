// The scenarios there are: the gallery's, and files that the user opened.
#pragma once

#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/lesson/lesson.h"
#include "sim/scenario/scenario.h"

namespace warplens::app {

struct Catalog {
  std::deque<scenario::Scenario> scenarios;                    // whose places in memory never change
  std::vector<std::shared_ptr<const lesson::Lesson>> lessons;  // in the order of the course
  std::vector<std::string> errors;                             // files that could not be read, in words

  const scenario::Scenario* find(std::string_view name) const;  // nullptr: there is none
  // Rungs in order; a scenario without a ladder stands alone.
  std::vector<const scenario::Scenario*> ladder_of(const scenario::Scenario& scenario) const;
  // The first rung of every ladder, and every scenario without one.
  std::vector<const scenario::Scenario*> ladders() const;
};

// Where a budget is given and ends, throws Stopped.
Catalog load_catalog(const std::filesystem::path& kernels_folder, Budget* budget = nullptr);
void load_lessons(const std::filesystem::path& folder, Catalog* catalog);

const scenario::ScenarioParameter* find_parameter(const scenario::Scenario& scenario, std::string_view name);

// The value that the parameter can take nearest to `value`.
std::int64_t clamped(const scenario::ScenarioParameter& parameter, std::int64_t value);
// `by` steps or choices further, clamped. A size (from 1 or more to over 128) steps through the powers of
// two.
bool is_size(const scenario::ScenarioParameter& parameter);
std::int64_t stepped(const scenario::ScenarioParameter& parameter, std::int64_t value, int by);

// Values for `to`, coming from `from`: what its own subject is (a value whose default differs between the
// two) starts at its default, the rest stays as it was turned, as far as that can be launched.
scenario::ParameterValues carried_over(const scenario::Scenario& from,
                                       const scenario::ParameterValues& values, const scenario::Scenario& to);
// The same for comparing the two: sizes too stay as they are, where `to` takes them.
scenario::ParameterValues carried_over_in_size(const scenario::Scenario& from,
                                               const scenario::ParameterValues& values,
                                               const scenario::Scenario& to);

}  // namespace warplens::app
