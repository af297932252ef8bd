// From what a panel or a command shows to what warplens-gpu is asked.
#pragma once

#include "kernels/protocol/protocol.h"
#include "sim/scenario/scenario.h"

namespace warplens::measure {

// A GPU needs every buffer's length and every scalar; what is missing is an error in words. `program` is the
// setup's own, compiled: it knows the parameters' types and order.
scenario::Outcome<MeasureRequest> make_request(const scenario::Setup& setup, const sim::Program& program,
                                               CompileMode mode);

}  // namespace warplens::measure
