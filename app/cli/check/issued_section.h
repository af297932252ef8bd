// A part of the correlation's page: of which measurements compilers make other accesses than the text has,
// and whether that is what makes predictions and counters equal.
#pragma once

#include <string>

#include "app/cli/check/correlation.h"

namespace warplens::cli {

std::string issued_section(const Correlation& correlation);  // Markdown

}  // namespace warplens::cli
