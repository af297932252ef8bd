// A kernel's text as a program; whatever the compiler says of it fails the test.
#pragma once

#include <gtest/gtest.h>

#include "sim/lower/lower.h"

namespace warplens::sim {

inline Program program_of(const CompileRequest& request) {
  const CompileResult compiled = compile(request);
  for (const cuda::Diagnostic& d : compiled.diagnostics) ADD_FAILURE() << render(d, request.text, "k.cu");
  return compiled.program.value_or(Program{});
}
inline Program program_of(const std::string& text) {
  return program_of(CompileRequest{.text = text});
}

}  // namespace warplens::sim
