// The answer to a lesson's question, asked of the simulator.
#pragma once

#include <cstdint>
#include <string>

#include "sim/lesson/figures.h"
#include "sim/scenario/target.h"

namespace warplens::lesson {

// A rule or an expression over the figures of a view (figures.h). `field` names it in errors.
Outcome<std::int64_t> evaluate(const std::string& rule, const scenario::Prepared& prepared, const View& view,
                               const std::string& field, const Means& means = {});

// The number asked for, or the index of the right choice. It is an error when not exactly one choice is
// right.
Outcome<std::int64_t> answer(const Prediction& prediction, const scenario::Prepared& prepared,
                             const View& view, const Means& means = {});

}  // namespace warplens::lesson
