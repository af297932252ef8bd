// A kernel's text as a program, what it counts and what it leaves; whatever the compiler says of it fails the
// test.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "sim/count/totals.h"
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

inline Totals totals_of(const Program& program, const Launch& launch, bool brute_force = false) {
  const TotalsOptions options{.brute_force = brute_force, .threads = 0, .limits = {}};
  return grid_totals(program, launch, memory::default_gpu_model(), options);
}

// Along x.
inline Launch launch_of(std::uint32_t threads, std::uint32_t blocks = 1,
                        std::map<std::string, Argument> arguments = {}) {
  return {.grid = {blocks}, .block = {threads}, .arguments = std::move(arguments)};
}

// What a launch leaves in the buffer of that number; empty, with a failure, where it cannot run.
template <class T>
std::vector<T> values_of(const Program& program, const Launch& launch, std::size_t buffer = 0) {
  const GridValues values = run_grid(program, launch, memory::default_gpu_model());
  if (values.error) {
    ADD_FAILURE() << values.error->message;
    return {};
  }
  std::vector<T> out(values.buffers.at(buffer).size() / sizeof(T));
  std::memcpy(out.data(), values.buffers[buffer].data(), out.size() * sizeof(T));
  return out;
}

}  // namespace warplens::sim
