// A block's warp accesses as JSON lines: warplens.trace/1, docs/report.md.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "sim/scenario/target.h"
#include "sim/trace/trace.h"

namespace warplens::report {

// Which buffer an address of global memory lies in, and where in it.
struct BufferPlace {
  int parameter = -1;       // index into Program::parameters; -1: in no buffer
  std::int64_t offset = 0;  // bytes from its base
};
BufferPlace buffer_place(const sim::Program& program, memory::Address address);

// The first line of a trace: kernel, launch and block. Ends with a newline.
std::string trace_header(const scenario::Prepared& prepared, const sim::Trace& trace);
// One event. Ends with a newline.
std::string trace_line(const scenario::Prepared& prepared, const sim::Trace& trace, std::size_t event);

}  // namespace warplens::report
