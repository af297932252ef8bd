// What a class voted, as a picture.
#pragma once

#include <string>
#include <vector>

#include "app/language/strings.h"
#include "app/vote/round.h"

namespace warplens::share {

// The histograms of the rounds that were revealed, one below the other, as SVG; empty: none was.
std::string class_picture(const std::vector<vote::Round>& rounds, const language::Strings& strings);

}  // namespace warplens::share
