// Syntax tree -> Program: names and types are checked, templates instantiated, device functions inlined.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/budget.h"
#include "sim/cuda/parse/parse.h"
#include "sim/lower/kernel_name.h"
#include "sim/program/program.h"

namespace warplens::sim {

namespace lower::ptx {
struct Function;
struct Module;
}  // namespace lower::ptx

struct CompileRequest {
  std::string text;
  // Empty: the only kernel of the file. "k", and, where there are several, "ns::k" or "k(float*, int)"; with
  // "k<32>" `template_arguments` may be left out.
  std::string kernel = {};
  std::vector<std::string> template_arguments = {};  // as written: "32", "true", "float4"
  cuda::Defines defines = {};
  cuda::HeaderSet headers = {};  // what the text includes
  // Where `text` is PTX: the text that it was compiled from, by its .loc directives, and the name that .file
  // gives it. Places are then in that text, which is what a person reads; diagnostics are in the PTX.
  std::string source = {}, source_name = {};
  std::vector<std::string> parameters = {};  // ... and what that calls the kernel's parameters; else param_0
  std::vector<SharedArray> shared_arrays = {};  // ... and what that declares, for their types and extents
  std::vector<KernelParameter> textures = {};   // ... and its textures, for what they hold
  std::set<std::size_t> pointers = {};          // ... and which of its parameters the launch gives buffers
  std::array<std::uint32_t, 3> cluster = {1, 1, 1};  // in blocks, where the text does not say it
  bool buffers_overlap = false;                      // as Program has it
  std::vector<KernelParameter> behind = {};          // memory that only what other buffers hold leads to
  bool assembled = false;  // PTX as ptxas assembles it: its accesses of shared memory are joined
  const std::string& shown() const { return source.empty() ? text : source; }
};

struct CompileResult {
  std::optional<Program> program;  // empty where there is an error
  std::vector<cuda::Diagnostic> diagnostics;
  // Set where the budget ended it: the text may be right. `diagnostics` then says so too, as an error.
  std::optional<Stopped> stopped;
};

// Never throws. Without a budget nothing but the compiler's own limits (docs/language.md) ends it.
CompileResult compile(const CompileRequest& request, Budget* budget = nullptr);

// What a file offers, without instantiating anything: for choosing a kernel and filling in its form.
struct KernelSignature {
  std::string name;  // that of no other kernel of the file: "k", "ns::k" or "k(float*, int)"
  std::vector<std::string> template_parameters;  // "int BX", "typename T"
  std::vector<std::string> parameters;           // "float* out", "int n"
  cuda::SourceRange range;
};
struct KernelList {
  std::vector<KernelSignature> kernels;
  std::vector<cuda::Diagnostic> diagnostics;
  std::optional<Stopped> stopped;  // as CompileResult's
};
KernelList list_kernels(std::string_view text, const cuda::Defines& defines = {}, Budget* budget = nullptr,
                        const cuda::HeaderSet& headers = {});

// What each kernel of a file is called, apart from all others of it.
struct NamedKernel {
  std::string name;
  const cuda::Function* function = nullptr;
  KernelName whole = {};
};
std::vector<NamedKernel> named_kernels(const cuda::TranslationUnit& unit);
struct NamedEntry {
  std::string name;
  const lower::ptx::Function* function = nullptr;
  KernelName whole = {};
};
std::vector<NamedEntry> named_entries(const lower::ptx::Module& module);

// An expression over named integers whose value is an integer, in 64-bit CUDA semantics: a scenario's launch
// rule. Floating numbers may occur on the way (`ceil(n / 256.0)`), in C++'s types; a result that is not whole
// is an error, unless it is cast. Errors in words.
struct IntegerResult {
  std::optional<std::int64_t> value;
  Message error;
};
IntegerResult evaluate_integer(std::string_view expression, const std::map<std::string, std::int64_t>& names);
// The same whose value is any number: what a kernel's float is given.
struct RealResult {
  std::optional<double> value;
  Message error;
};
RealResult evaluate_real(std::string_view expression, const std::map<std::string, std::int64_t>& names);
// The functions of one floating number, by their names without `std::` and a float's `f`.
std::optional<double> apply_function(std::string_view name, double x);

}  // namespace warplens::sim
