// A PTX module, as compilers write it: its directives, and the instructions of its functions. What they do is
// not known here. ISA: NVIDIA, "Parallel Thread Execution ISA", chapters 4, 5, 7 and 11.
//
//   .version 9.0  .target sm_90  .visible .entry k(.param .u64 k_param_0) { .reg .b32 %r<4>; ... ret; }
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/budget.h"
#include "sim/cuda/text/diagnostic.h"
#include "sim/lower/ptx/text.h"

namespace warplens::sim::lower::ptx {

// Where an instruction comes from, by `.loc`: the file's number, and from 1 the line and column; line 0: not
// said. `function` is the index in Module::locations of where it was inlined, or -1.
struct Location {
  int file = 0, line = 0, column = 0;
  int inlined_at = -1;
  friend bool operator==(const Location&, const Location&) = default;
};

struct Variable {
  enum class Space : std::uint8_t { Global, Constant, Shared, Local, Parameter };
  Space space = Space::Global;
  std::string name;
  std::string type = "b8";     // of an element: "f32"
  std::uint64_t elements = 1;  // 0: as many as the launch says
  int alignment = 0;           // in bytes; 0: the element's
  bool is_pointer = false;     // of a parameter: .ptr
  bool is_extern = false;
  std::string initial;          // bytes; what is not there is zero
  std::string address_of = {};  // whose address it holds from the start; empty: none
  cuda::SourceRange range;
};

struct Statement {
  Instruction instruction;  // or a label
  cuda::SourceRange range;
  int location = -1;                      // index into Module::locations
  std::vector<int> calls = {};            // of the calls that it came in by, the innermost first
  std::vector<std::string> targets = {};  // of a label with .branchtargets
};

struct Function {
  std::string name;
  bool is_entry = false, is_extern = false;
  std::vector<Variable> parameters, results;
  std::vector<Variable> variables;  // local, shared and others that stand in its body
  std::map<std::string, std::string, std::less<>> registers;  // "%r" of %r<4>, "%f1": type
  std::vector<Statement> body;
  std::vector<std::uint64_t> threads, most_threads;  // .reqntid, .maxntid; empty: not given
  std::vector<std::uint64_t> cluster;                // .reqnctapercluster
  cuda::SourceRange range;                           // of its name
};

struct Module {
  std::string version, target;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::map<int, std::string> files;  // by the number that .loc says
  std::vector<Location> locations;
  std::optional<cuda::Diagnostic> error;  // the first thing that was not understood

  const Function* function(std::string_view name) const;
};

// Whether the text is PTX: its first word is `.version`.
bool is_module(std::string_view text);
Module parse_module(std::string_view text, Budget& budget);  // throws Stopped

// Bytes of "b8" to "f64", "pred", "b128"; 0: none of them.
std::uint64_t bytes_of(std::string_view type);

// The type that a function declares for the register; empty: it declares none. `%r<4>` declares %r0 to %r3.
std::string_view type_of_register(const Function& function, std::string_view name);

// "_Z4turnPf": "turn(float*)"; a name that is not mangled as it is.
std::string demangled(const std::string& name);
// What a person calls it: the last part of a mangled name ("_ZZ4turnPfE4tile": "tile").
std::string plain_name(const std::string& name);

}  // namespace warplens::sim::lower::ptx
