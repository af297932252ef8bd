// What a person names on a command line, made ready to run: a scenario, or a kernel file with its launch.
//
//   transpose_shared --set nrows=2048 --block 32,16 --set pad=1
//   mine.cu --kernel k --template 32,float4 --grid 64,64 --block 32,8 --set n=2048 --set in=@4194304:iota
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sim/memory/gpu_model.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/text_file.h"

// What a person types: numbers, places, files. Never for a name or a number out of a document.

namespace warplens::scenario {

// Decimal or 0x..., with nothing before or behind it; finite. Outside of the range is an error, which names
// it. `what` begins the error: "--step".
Outcome<std::int64_t> parse_whole(const std::string& text, const std::string& what, std::int64_t least,
                                  std::int64_t most = std::numeric_limits<std::int64_t>::max());
Outcome<double> parse_real(const std::string& text, const std::string& what, double least, double most);

// A block of a grid, from 0: "3", "0,3" or "0,3,1"; what is left out is 0.
Outcome<sim::Dim3> parse_index(const std::string& text, const std::string& what);
// How many numbers parse_extents reads: 2 of "32,16".
int extents_given(const std::string& text);

// If a name has two values, it is not known which one was meant: "--set pad=2: pad is given twice". Empty: no
// name is in `texts` (NAME=VALUE each) more than once.
std::vector<Message> given_twice(const std::string& option, const std::vector<std::string>& texts);

// The text of a file that was named on the command line; "-" is standard input, which is waited for until the
// budget ends: then it throws Stopped.
Outcome<std::string> read_input(const std::string& what, std::size_t limit = kMaxTextBytes,
                                Budget* budget = nullptr);

// Every text as written; empty: left out.
struct Target {
  // A scenario's name, one with its parameters ("warplens:...", short_text.h), FILE.scenario.json,
  // FILE.launch.json, or any other file: a kernel.
  std::string what;
  std::string kernel{}, template_arguments{}, grid{}, block{}, shared{};
  int launch = 0;                       // of the host code's launches of the kernel, from 1; 0: the first
  std::vector<std::string> defines{};   // NAME[=VALUE]
  std::vector<std::string> sets{};      // NAME=VALUE
  std::vector<std::string> includes{};  // folders with headers, as -I
  std::string source{};                 // the text that PTX was compiled from
  bool compiled = false;                // as a compiler leaves it: see app/measure/compiler.h
  std::string architecture{};           // that it compiles for
};

// Where a budget is given and ends, these two throw Stopped.
Outcome<Setup> resolve(const Target& target, Budget* budget = nullptr);

// NAME=VALUE taken apart; without "=" the value is absent.
struct Binding {
  std::string name;
  std::optional<std::string> value;
};
Binding split_binding(const std::string& text);
// The names that --set or --define gives twice.
std::vector<Message> names_given_twice(const Target& target);

// The two halves of what resolve() makes of a kernel file, for those who find its launch elsewhere. The text
// with its headers, kernel, template arguments and definitions; where there are errors the value is
// incomplete.
Outcome<Setup> read_kernel_file(const Target& target, Budget* budget = nullptr);
// Every --set as an argument of the launch; gives what is wrong.
std::vector<Message> set_arguments(const Target& target, sim::Launch& launch);

// The scenario that a target names, where its parameters are needed too; an empty value without errors: a
// kernel file.
Outcome<Scenario> find_scenario(const std::string& what, Budget* budget = nullptr);

// Compiled, and the launch found possible.
struct Prepared {
  Setup setup;
  sim::Program program;
  const memory::GpuModel* gpu = nullptr;
  std::string warnings;  // rendered, ending with a newline; or empty
};
// Errors of the kernel's text are rendered with line, column and caret.
Outcome<Prepared> prepare(Setup setup, const memory::GpuModel& gpu, Budget* budget = nullptr);

// "32", "32,16" or "32,16,1"; also with x between. `what` names it in the error: "--block".
Outcome<sim::Dim3> parse_extents(const std::string& text, const std::string& what);
// "4096", "-1", "0x10", "1.5", "true", "@4194304", "@N:iota", "@:random" (without end, filled).
Outcome<sim::Argument> parse_argument(const std::string& text, const std::string& what);
// At commas outside of parentheses, angle brackets and quotes.
inline constexpr const char* kNesting = "([{<";  // brackets of a list of template arguments

}  // namespace warplens::scenario
