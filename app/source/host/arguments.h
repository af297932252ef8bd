// What a program does that is started without arguments: which branches of `if (argc > 1)` it goes through.
#pragma once

#include <string>
#include <string_view>

namespace warplens::app {

// The text with what such a run passes over made blank, and with it the conditions that say so; what is left
// stands where it stood. Conditions that more than argc decides stay.
std::string without_arguments(std::string_view text);

}  // namespace warplens::app
