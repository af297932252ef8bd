// A PTX module, as compilers write it: its directives, and the instructions of its functions. What they do is
// not known here. ISA: NVIDIA, "Parallel Thread Execution ISA", chapters 4, 5, 7 and 11.
//
//   .version 9.0  .target sm_90  .visible .entry k(.param .u64 k_param_0) { .reg .b32 %r<4>; ... ret; }
#pragma once

#include <cstddef>
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

// The text that PTX was compiled from, where its .loc directives lead into it.
class SourceText {
 public:
  // `name` as .file gives it; empty: the file in which the entry begins. An empty text leaves all places in
  // the PTX.
  SourceText(const Module& module, const Function& entry, std::string_view text, const std::string& name);

  bool is_empty() const { return text_.empty(); }
  // The line that the statement comes from, without the space around it; of what was inlined from another
  // file the call. Where nothing is said, the entry's line. Without a text: the statement's own place.
  cuda::SourceRange range_of(const Statement& statement) const;
  std::string text_of(const cuda::SourceRange& range) const;

 private:
  int line_of(int location) const;  // 0: it lies in other files

  const Module& module_;
  std::string_view text_;
  std::vector<std::size_t> lines_;  // where each begins
  int file_ = -1;
  int first_line_ = 1;
};

// The name of the file in which an entry begins, as .file has it; empty: the module says of none.
std::string source_file_of(const Module& module, const Function& entry);

// An entry of a PTX module with the functions that it calls inlined: one list of instructions, whose names
// are each their own.
struct Inlined {
  std::vector<Statement>
      body;  // without calls; ld.param, st.param and mov of a parameter's address are moves
  std::map<std::string, std::string> types;  // of registers
  std::map<std::string, const Variable*>
      variables;  // local and shared ones of the functions, by their names here
};

// What a kernel's parameter holds at a byte offset is a register "[name+8]"; its type is that of its first
// read.
struct ParameterPart {
  std::string name;
  std::uint64_t offset = 0;
};
std::string part_register(const std::string& name, std::uint64_t offset);

// Throws Stopped, and a cuda::Diagnostic: recursion, calls through pointers and of functions that are not in
// the module are errors; of the latter vprintf() does nothing, and __assertfail() ends the kernel.
Inlined inline_calls(const Module& module, const Function& entry, Budget& budget);

// The control flow of a PTX kernel: basic blocks, who dominates whom, and loops.
struct Block {
  enum class Exit : std::uint8_t { Goto, Branch, Switch, Return };
  std::size_t begin = 0, end = 0;  // of the statements, jump and labels aside
  Exit exit = Exit::Return;
  std::size_t jump = 0;   // the statement that jumps; of a block that runs on, the last one
  std::vector<int> next;  // Goto: one; Branch: where the predicate holds, where not; Switch: by its index
  int dominator = -1;     // the immediate one
  int order = -1;         // in reverse postorder; -1: it cannot be reached
  int loop =
      -1;  // of the innermost loop that it lies in, the header; with what stands before its ways out meet
  bool is_header = false;
  int entered = 0;  // from how many places, those that close a loop aside
  bool returns_at_once() const { return exit == Exit::Return && begin == end; }
};

struct Graph {
  std::vector<Block> blocks;  // 0: the entry
  std::vector<int> order;     // those that can be reached, in reverse postorder
  std::vector<int> around;    // by header: the header of the loop around it, or -1

  bool dominates(int above, int below) const;
  // Whether `block` lies in the loop of `header`.
  bool is_in(int block, int header) const;
};

// Of statements without calls. Every loop has one entry (the graph is reducible), or a cuda::Diagnostic that
// is thrown says where not. Throws Stopped.
Graph graph_of(const std::vector<Statement>& body, Budget& budget);

}  // namespace warplens::sim::lower::ptx
