// Output that is not words (see print in command.h): its controls are written out as its own format has it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "sim/base/budget.h"

namespace warplens::cli {

// From now on a long output stops where the request's budget ends: what prints then throws Stopped.
void print_within(std::shared_ptr<Budget> budget);

// A file that an option names, pipes included; empty: none. Throws CommandFailure: the option is wrong where
// no file can lie there; what else is in the way, a full disk, is the machine's.
void require_place(const std::string& file);
void write_output(const std::string& file, std::string_view content);

void print_csv(std::string_view rows);
// JSON as it is, one document or one a line.
void print_json_text(std::string_view json);

}  // namespace warplens::cli
