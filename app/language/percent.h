// A share as every view says it.
#pragma once

#include <string>

namespace warplens::language {

// 0.125 -> "12.5", 0.0625 -> "6.25": at most two decimals, the sign left to the words around it. Only the
// whole is "100", and only nothing "0".
std::string percent(double part);

}  // namespace warplens::language
