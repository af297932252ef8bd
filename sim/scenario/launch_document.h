// warplens.launch/1: how code is launched that has no host code here, in a file beside it.
//
//   {"schema": "warplens.launch/1", "code": "matmul.ptx", "kernel": "matmul", "source": "matmul.py",
//    "grid": [4, 4, 1], "block": [128, 1, 1], "shared_bytes": 24576,
//    "arguments": [{"buffer": "f32", "elements": 65536, "contents": {"file": "a.bin"}}, {"i32": 256},
//    {"null": true}]}
//
// Described in docs/compiled.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "sim/scenario/scenario.h"
#include "sim/scenario/target.h"

namespace warplens::scenario {

// PTX, as any compiler writes it: its first word is `.version`.
bool is_ptx(std::string_view text);

// X.launch.json
bool is_launch_document(const std::filesystem::path& file);

// Files that the document names lie beside it or below. The code is compiled once to know its parameters:
// what is wrong with it is an error here. Where a budget is given and ends, it throws Stopped.
Outcome<Setup> load_launch(const std::filesystem::path& file, Budget* budget = nullptr);

// The launch as a document that load_launch() reads, written whole or not at all: its code beside it where it
// does not lie below, contents that are no fill in files of their own. Errors in words, of structs by value
// and macros too.
std::vector<Message> write_launch(const Prepared& prepared, const std::filesystem::path& file);

// The text that PTX was compiled from, where the file that its .file directive names lies in `folder`;
// `named` in its place: a file that the user gives. Fills in `request.source`; errors are about `named`
// alone.
std::vector<Message> add_source(sim::CompileRequest& request, const std::filesystem::path& folder,
                                const std::filesystem::path& named, Budget& budget);

// Bytes as lower-case hexadecimal digits, and back; empty: they are none.
std::string to_hex(const std::string& bytes);
std::optional<std::string> from_hex(const std::string& text);

// "f32"; what a document calls the types of elements.
std::optional<sim::ScalarType> element_named(std::string_view name);
const char* element_name(sim::ScalarType type);

// A parameter as the launch gives it: of a struct all its parts.
using ParameterParts = std::vector<const sim::KernelParameter*>;
std::vector<ParameterParts> parameters_of(const sim::Program& program);
// What a parameter gets are bits, as they lie in memory: where the PTX says less of its type than is `given`,
// they are what counts.
sim::Argument argument_of_bits(const sim::KernelParameter& parameter, sim::ScalarType given,
                               std::uint64_t bits);

// A kernel in CUDA C++ as a compiler left it: the PTX that it made, launched as the text is.
//
//   const std::string text = text_to_compile(written);            // what the compiler is given
//   Outcome<Setup> compiled = as_compiled(written, ptx, budget);   // the same launch, of the PTX

// The text as it is, its places said to be its own; behind it the kernel is named, so that a template is made
// with these arguments where the host code of the file does not do it. A function of CUDA of the same name
// makes that ambiguous: a kernel that is no template is there without being named.
enum class Naming : std::uint8_t { Kernel, Nothing };
std::string text_to_compile(const Setup& written, Naming naming = Naming::Kernel);

// The entry of the PTX that is the kernel, its parameters called as in the text, each with what the launch of
// the text gives it. The text is its source. Where the text cannot be compiled here, what its signature says
// of its parameters has to do: a buffer whose elements are of a type that is not known has no end.
Outcome<Setup> as_compiled(const Setup& written, std::string ptx, Budget& budget);

}  // namespace warplens::scenario
