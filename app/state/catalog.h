// The scenarios there are: the gallery's, and files that the user opened.
#pragma once

#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/lesson/lesson.h"
#include "sim/scenario/ladder.h"
#include "sim/scenario/scenario.h"

namespace warplens::app {

struct Catalog {
  std::deque<scenario::Scenario> scenarios;                    // whose places in memory never change
  std::vector<std::shared_ptr<const lesson::Lesson>> lessons;  // in the order of the course
  std::vector<Message> errors;                                 // files that could not be read, in words

  // The next in the course; null after the last, and after one that is not of the course.
  std::shared_ptr<const lesson::Lesson> after(const lesson::Lesson& lesson) const;
  const scenario::Scenario* find(std::string_view name) const;  // nullptr: there is none
  // Rungs in order; a scenario without a ladder stands alone.
  std::vector<const scenario::Scenario*> ladder_of(const scenario::Scenario& scenario) const;
  // The first rung of every ladder, and every scenario without one.
  std::vector<const scenario::Scenario*> ladders() const;
};

// Where a budget is given and ends, throws Stopped.
Catalog load_catalog(const std::filesystem::path& kernels_folder, Budget* budget = nullptr);
void load_lessons(const std::filesystem::path& folder, Catalog* catalog);

using scenario::clamped;
using scenario::find_parameter;
using scenario::is_size;

// `by` steps or choices further, clamped. A size steps through the powers of two.
std::int64_t stepped(const scenario::ScenarioParameter& parameter, std::int64_t value, int by);

// As scenario::carried_over and carried_over_in_size, as far as that can be launched.
scenario::ParameterValues carried_to(const scenario::Scenario& from, const scenario::ParameterValues& values,
                                     const scenario::Scenario& to);
scenario::ParameterValues carried_in_size(const scenario::Scenario& from,
                                          const scenario::ParameterValues& values,
                                          const scenario::Scenario& to);

}  // namespace warplens::app
