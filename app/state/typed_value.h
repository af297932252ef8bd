// Values and places as they are typed into a one-line input.
//
//   value_in(*parameter, "1,023")    // 1023, or nothing where the parameter cannot take it
//   block_in({64, 64, 1}, "3, 15")   // {3, 15, 0};  "976": counted along x, then y, then z
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/catalog.h"
#include "app/state/state.h"

namespace warplens::app {

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
// As it stands beside the parameter's name, and can be typed.
std::string typed_text(const scenario::ScenarioParameter& parameter, std::int64_t value,
                       std::string_view language);
std::int64_t value_of(const scenario::ScenarioParameter& parameter, const scenario::ParameterValues& values);
// What can be typed: "1 … 1,024", "4 … 16,384, every 4th", "float, float2, float4".
std::string range_text(const scenario::ScenarioParameter& parameter, std::string_view language);

std::optional<sim::Dim3> block_in(const sim::Dim3& grid, std::string_view text);

// What a class turns most comes first: padding before sizes, as the scenario's own order is that of a
// signature. The order on screen, and of Tab.
std::vector<const scenario::ScenarioParameter*> parameters_in_order(const scenario::Scenario& scenario);

}  // namespace warplens::app
