// The scenarios there are: the gallery's, and files that the user opened.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/state.h"
#include "sim/lesson/lesson.h"
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
};

// Where a budget is given and ends, throws Stopped.
Catalog load_catalog(const std::filesystem::path& kernels_folder, Budget* budget = nullptr);
void load_lessons(const std::filesystem::path& folder, Catalog* catalog);

using scenario::clamped;
using scenario::find_parameter;
using scenario::is_size;

// `by` steps or choices further, clamped. A size steps through the powers of two.
std::int64_t stepped(const scenario::ScenarioParameter& parameter, std::int64_t value, int by);

// "padding 2, block y 16": the values of `others` that are not those of `shown`.
std::string other_values(const scenario::Scenario& scenario, const scenario::ParameterValues& shown,
                         const scenario::ParameterValues& others, std::string_view language);

// As scenario::carried_over and carried_over_in_size, as far as that can be launched.
scenario::ParameterValues carried_to(const scenario::Scenario& from, const scenario::ParameterValues& values,
                                     const scenario::Scenario& to);
scenario::ParameterValues carried_in_size(const scenario::Scenario& from,
                                          const scenario::ParameterValues& values,
                                          const scenario::Scenario& to);

// The kernel that the settings choose: one of the catalog, or the user's own.

// The scenario that the settings are of: of the catalog, or the user's own. Null: there is none. Lives as
// long as both.
const scenario::Scenario* scenario_of(const Catalog& catalog, const Settings& settings);
// The name of the kernel on screen; empty: there is none, or it is still to be found.
std::string kernel_name_of(const Catalog& catalog, const Settings& settings);
// The kernel's text on screen.
const std::string& text_of(const Catalog& catalog, const Settings& settings);
// Settings with another text; the user's own kernel keeps its form as far as the new signature has it.
Settings with_text(const Catalog& catalog, const Settings& settings, const std::string& text);

inline constexpr const char* kIndexInput = "index";  // the one-line input of an index expression
// The fields of a form in the order in which Tab goes through them.
std::vector<std::string> form_fields(const UserKernel& own);
// What a one-line input shows while it is not typed into.
std::string field_value(const Catalog& catalog, const State& state, const std::string& id);

// Which values of a scenario's parameters make a launch that can be, as far as that is told without compiling
// the kernel: the limits of block and grid, and what the scenario requires.

enum class LaunchLimit : std::uint8_t { None, Threads, Block, Grid, Requirement };

// Why the values cannot be launched; None: nothing of the above is in the way.
LaunchLimit limit_of(const scenario::Scenario& scenario, const scenario::ParameterValues& values);

struct PossibleValue {
  std::int64_t value = 0;
  LaunchLimit limit = LaunchLimit::None;               // that kept `value` from being what was wanted
  const scenario::Requirement* requirement = nullptr;  // of the scenario, where that is the limit
};
// What parameter `name` can become, on the way from its value in `values` to `wanted`, as near to that as can
// be. `by_steps`: only values that keys and sliders come to. Where `values` cannot be launched themselves,
// nothing is held back.
PossibleValue nearest_possible(const scenario::Scenario& scenario, const scenario::ParameterValues& values,
                               const std::string& name, std::int64_t wanted, bool by_steps);

// Why the parameter goes no further, and where it is now ("block y 16"); none: nothing kept it.
std::optional<Notice> limit_notice(const PossibleValue& possible,
                                   const scenario::ScenarioParameter& parameter, const std::string& language);
bool is_limit(const Notice& notice);

// `values`, or, where those cannot be launched, with as few of them at their defaults as makes them possible.
scenario::ParameterValues made_possible(const scenario::Scenario& scenario, scenario::ParameterValues values);

// Values and places as they are typed into a one-line input.
//
//   value_in(*parameter, "1,023")    // 1023, or nothing where the parameter cannot take it
//   block_in({64, 64, 1}, "3, 15")   // {3, 15, 0};  "976": counted along x, then y, then z

inline constexpr std::string_view kValueInput = "value.";  // + the parameter's name
inline constexpr const char* kBlockInput = "block";

// What is typed counts when it is finished, not letter by letter.
inline bool is_typed_whole(std::string_view input) {
  return input == kBlockInput || input.starts_with(kValueInput);
}
// The parameter whose value is typed into this input; null: it is another input.
const scenario::ScenarioParameter* typed_parameter(const Catalog& catalog, const Settings& settings,
                                                   std::string_view input);

// The number, an integer expression ("1 << 20"), or the name of a choice ("float4", "32x8").
std::optional<std::int64_t> value_in(const scenario::ScenarioParameter& parameter, std::string_view text);
std::int64_t value_of(const scenario::ScenarioParameter& parameter, const scenario::ParameterValues& values);
// What can be typed: "1 … 1,024", "4 … 16,384, every 4th", "float, float2, float4".
std::string range_text(const scenario::ScenarioParameter& parameter, std::string_view language);

std::optional<sim::Dim3> block_in(const sim::Dim3& grid, std::string_view text);

// What a class turns most comes first: padding before sizes, as the scenario's own order is that of a
// signature. The order on screen, and of Tab.
std::vector<const scenario::ScenarioParameter*> parameters_in_order(const scenario::Scenario& scenario);

}  // namespace warplens::app
