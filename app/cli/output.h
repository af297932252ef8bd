// Output that is not words (see print in command.h): its controls are written out as its own format has it.
#pragma once

#include <memory>
#include <string_view>

#include "sim/base/budget.h"

namespace warplens::cli {

// From now on a long output stops where the request's budget ends: what prints then throws Stopped.
void print_within(std::shared_ptr<Budget> budget);

void print_csv(std::string_view rows);
// JSON as it is, one document or one a line.
void print_json_text(std::string_view json);

}  // namespace warplens::cli
