// Output that is not words (see print in command.h): its controls are written out as its own format has it.
#pragma once

#include <string_view>

namespace warplens::cli {

void print_csv(std::string_view rows);
// JSON as it is, one document or one a line.
void print_json_text(std::string_view json);

}  // namespace warplens::cli
