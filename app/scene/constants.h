// What the extents of arrays are written with, as integers.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "sim/lower/lower.h"

namespace warplens::scene {

// The integers that a compilation gives to names: its template arguments and macros. {"PAD", 2}, {"BX", 32}.
std::map<std::string, std::int64_t> constants_of(const sim::CompileRequest& request,
                                                 Budget& budget = Budget::endless());

}  // namespace warplens::scene
