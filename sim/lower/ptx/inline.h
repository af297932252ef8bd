// An entry of a PTX module with the functions that it calls inlined: one list of instructions, whose names
// are each their own.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/lower/ptx/module.h"

namespace warplens::sim::lower::ptx {

struct Inlined {
  std::vector<Statement>
      body;  // without calls; ld.param, st.param and mov of a parameter's address are moves
  std::map<std::string, std::string> types;  // of registers
  std::map<std::string, const Variable*>
      variables;  // local and shared ones of the functions, by their names here
  std::optional<cuda::Diagnostic> error;
};

// What a kernel's parameter holds at a byte offset is a register "[name+8]"; its type is that of its first
// read.
struct ParameterPart {
  std::string name;
  std::uint64_t offset = 0;
};
std::string part_register(const std::string& name, std::uint64_t offset);

// Throws Stopped. Recursion, calls through pointers and of functions that are not in the module are errors;
// of the latter vprintf() does nothing, and __assertfail() ends the kernel.
Inlined inline_calls(const Module& module, const Function& entry, Budget& budget);

}  // namespace warplens::sim::lower::ptx
