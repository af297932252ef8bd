// What the compiler made of a kernel: the difference between a measurement as written and one as optimised,
// told in remarks ("merged 4 neighbouring loads into one 16-byte load"). Sources, in order of strength: the
// machine code's instructions, the bytes that shared instructions asked for, the number of instructions
// executed.
//
//   for (const Remark& remark : mode_difference(written, optimised)) say(in_words(remark, strings));
#pragma once

#include <vector>

#include "app/measure/remark.h"
#include "kernels/protocol/measurement.h"

namespace warplens::measure {

// Both of one text and one launch; an empty list where they are of different ones. The first remark is the
// gist; then come counts that changed, registers, machine code and the time. Keys begin with "difference.".
std::vector<Remark> mode_difference(const Measurement& as_written, const Measurement& as_optimised);

// The same text, kernel, launch and arguments, whatever the mode.
bool same_but_mode(const Measurement& a, const Measurement& b);

}  // namespace warplens::measure
