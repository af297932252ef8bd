// What a comparison comes to, in one sentence: "B needs 8.0 times fewer sectors and takes 0.46 of the time."
#pragma once

#include <string>

#include "app/readout/comparison/table.h"

namespace warplens::app {

// Of the whole grid, so empty until both are counted. Where the sizes differ there is another amount of work
// to do: then a request is held against a request, and no time against another.
bool same_work(const TableInput& input);
std::string comparison_result(const TableInput& input, const language::Strings& strings);

// "÷16", "12 % fewer": how `after` stands to `before`, with the unit's name. Empty: they are the same.
std::string change_words(double before, double after, const std::string& unit,
                         const language::Strings& strings);

}  // namespace warplens::app
