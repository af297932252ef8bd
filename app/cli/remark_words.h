// Remarks in the language of the command line.
#pragma once

#include <string>
#include <vector>

#include "app/measure/remark.h"

namespace warplens::cli {

// One line a remark, each behind `indent`.
std::string lines_of(const std::vector<measure::Remark>& remarks, const std::string& indent);

}  // namespace warplens::cli
