// A Warplens file that the app adds to what it has: a scenario, or recorded measurements.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/measure/pack.h"
#include "sim/scenario/scenario.h"

namespace warplens::app {

struct Adopted {
  std::optional<scenario::Scenario> scenario;
  std::optional<measure::Pack> pack;
  std::vector<Message> errors;  // in words; then there is none of them
};
// `schema`: "warplens.scenario/1", "warplens.pack/1" or "warplens.measurement/1".
Adopted read_adopted(const std::string& path, const std::string& schema);

}  // namespace warplens::app
