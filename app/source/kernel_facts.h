// What a kernel file says of itself, as far as a launch form can use it: its kernels with their signatures,
// its constants, and the launches in its host code.
//
//   const int N = 1 << 20;
//   dim3 block(256), grid((N + 255) / 256);        Known for scale:  grid.x "(n + 255) / 256", block.x "256",
//   scale<<<grid, block>>>(out, in, 2.0f, N);                        scalar.n "1048576"
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/source/programs.h"
#include "sim/cuda/text/diagnostic.h"
#include "sim/launch/launch.h"

namespace warplens::app {

struct TemplateSlot {
  std::string name, type;  // "BM", "int"; of a type: "T", "typename"
  bool is_type = false;
  std::string fallback;  // as written after '=', or empty
  friend bool operator==(const TemplateSlot&, const TemplateSlot&) = default;
};

// None of the three: a struct, or what another name stands for, which the compiler tells.
struct ParameterSlot {
  std::string name, type;  // "in", "const float*"; of a struct's field "params.n", "int"
  bool is_pointer = false, is_floating = false, is_integer = false;
  // No name for an expression, and the host's argument is the whole struct.
  bool is_field() const { return name.find('.') != std::string::npos; }
  std::size_t argument = 0;   // its place in the signature, which the fields of a struct share
  std::string fallback = {};  // of a number that the launch need not give
  friend bool operator==(const ParameterSlot&, const ParameterSlot&) = default;
};

struct KernelFacts {
  std::string name;
  sim::KernelName whole = {};
  int line = 0, offset = 0;  // of the name
  std::vector<TemplateSlot> templates;
  std::vector<ParameterSlot> parameters;
  std::string text;            // of the whole function
  bool uses_y = false;         // of the block or of the grid
  bool block_uses_y = false;   // of the block, as far as the text says
  std::string dynamic_shared;  // the element type of its extern __shared__ array, or empty
  // "n" of `for (int c = threadIdx.x; c < n; c += blockDim.x)` where each block has a row; or empty.
  std::string row_length = {};
};

// What the program writes into a buffer before a launch: what a fill does too, or the bytes.
struct Written {
  sim::Fill fill = sim::Fill::Zero;
  std::vector<std::string> range = {};  // of what rand() draws
  std::shared_ptr<const std::string> bytes = {};
  std::uint64_t elements = 0;                  // of the buffer, as the kernel takes them
  std::string words = {};                      // of the bytes: "7", "64 values from 0 to 9"
  std::vector<sim::Addresses> addresses = {};  // among the bytes
  bool is_guessed = false;                     // where some of these lead to, or that all is so
  friend bool operator==(const Written& a, const Written& b) {
    const auto is_same = [](const auto& x, const auto& y) { return x == y || (x && y && *x == *y); };
    const auto leads_alike = [&](const sim::Addresses& x, const sim::Addresses& y) {
      return x.of == y.of && is_same(x.places, y.places);
    };
    return is_same(a.bytes, b.bytes) && a.fill == b.fill && a.range == b.range && a.elements == b.elements &&
           std::equal(a.addresses.begin(), a.addresses.end(), b.addresses.begin(), b.addresses.end(),
                      leads_alike);
  }
};

// One launch of the host code.
struct KnownLaunch {
  std::string kernel, label;  // "scale<<<grid, block>>>(out, in, 2.0f, N)"
  std::string otherwise;      // in a loop, than the first time: "block.x 128, n 64"
  std::string file;           // that has it, where the kernel's own does not: "main.cu"
  int line = 0;
  // Fields of the form (launch_form.h), as expressions over the kernel's own scalars and template parameters;
  // without those that follow from values that only a run of the host code knows.
  std::map<std::string, std::string, std::less<>> fields;
  std::map<std::string, Written> contents;  // of its buffers, and of variables in the device's memory
  // Memory that is no argument: what the addresses in an argument's contents lead to; "item->name".
  std::vector<sim::KernelParameter> behind;
  std::vector<std::string> moved;  // parameters whose pointer is moved by what the text does not say
  std::int64_t shared_limit = 0;   // of dynamic shared memory, where cudaFuncSetAttribute has raised it
  bool is_reached = true;          // by a run of the program without arguments
  std::string words() const {      // of a list: "main.cu:12: scale<<<grid, block>>>(out, in, 2.0f, N)"
    return (file.empty() ? "" : file + ":") + std::to_string(line) + ": " + label +
           (otherwise.empty() ? "" : "  " + otherwise);
  }
  // Empty: it does not say it.
  std::string text(std::string_view field) const {
    const auto known = fields.find(field);
    return known == fields.end() ? std::string() : known->second;
  }
  // What a buffer holds, or that it is no buffer but a number.
  bool says_contents(const std::string& buffer) const {
    return contents.contains(buffer) || fields.contains("scalar." + buffer);
  }
};

struct FileFacts {
  std::vector<KernelFacts> kernels;
  std::vector<KnownLaunch> launches;
  std::map<std::string, std::int64_t> constants;  // #define and constexpr integers of the file
  std::vector<cuda::Diagnostic> diagnostics;
  bool sound = false;            // the text could be parsed to its end, but for the bodies of functions
  cuda::HeaderSet headers = {};  // what the text includes
  // Of PTX: the text that it was compiled from, where it lies beside it, and its name as .file has it. Where
  // it was compiled here: the one entry that it is about, and what the text calls its parameters.
  std::string source = {}, source_name = {};
  std::string entry = {};
  std::vector<std::string> parameters = {};

  // By any part of its name, as people and compilers write it; nullptr: there is none, or several.
  const KernelFacts* find(const std::string& kernel) const;
  const KnownLaunch* first_launch(std::string_view kernel) const;  // of the host code; or nullptr
};
// Of a compiled kernel's parameter, also of a struct's member.
ParameterSlot compiled_slot(const sim::KernelParameter& parameter, std::size_t argument);

FileFacts read_facts(const std::string& text, const Means& means = {}, cuda::HeaderSet headers = {});
// Of PTX with its source: where that names the parameters, of the request's kernel alone.
FileFacts facts_of_module(const sim::CompileRequest& request, const Means& means);

}  // namespace warplens::app
