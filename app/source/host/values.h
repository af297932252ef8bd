// Values of host code, read without running it: constants, dim3 variables, names that stand for others. What
// a run would have to find out stays unknown.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/source/host/words.h"
#include "sim/base/budget.h"

namespace warplens::app {

using Names = std::map<std::string, std::string>;  // to what is put in their place

// Begins the names of the kernel's own scalars and template parameters in what a host's variable stands for:
// a variable of the host that happens to be called alike is another.
constexpr const char* kKernels = "warplens_own_";

// `#define imin(a, b) (a < b ? a : b)`, or a function that only returns an expression.
struct Macro {
  std::vector<std::string> parameters;
  std::string body;
  bool is_function = false;  // of integers: `int blocks_of(int n) { return (n + 255) / 256; }`
};
using Macros = std::map<std::string, Macro>;

struct HostValues {
  // An integer's expression, in terms of none of these; `grid.x` of dim3 variables too.
  Names names;
  std::map<std::string, std::array<std::string, 3>> dim3;  // of dim3 variables
  // Bytes of device memory by pointer, as cudaMalloc and its like are last asked for.
  std::map<std::string, std::string> allocated;
  std::map<std::string, std::string> pointers;  // what they are set to: `b + 1` of `float* c = b + 1;`
  Macros macros;                                // and functions that only return an expression
  Names types;                                  // of variables, where they are basic ones
};
// What the whole file says beside the text that the launch sees.
struct FileWords {
  std::set<std::string> changed;  // changed_in_functions()
  Macros functions;               // those that only return an expression
};
FileWords words_of_file(std::string_view text);

// `kept`: names that stand for themselves, or for another, whatever the text gives them. Throws Stopped where
// the budget ends.
HostValues read_host_values(std::string_view text, const Names& kept = {}, Budget& budget = Budget::endless(),
                            const FileWords& file = {});

// The expression with names replaced, sizeof(type), roundings-up (CEIL_DIV(a, b)) and macros written out,
// casts and suffixes of literals left as they are.
std::string put_in(std::string_view expression, const Names& names, const Macros& macros = {});
std::string put_in(std::string_view expression, const HostValues& values);

// Of a basic type as it stands in a signature ("const float*", "float2 *"): that of what it points to. 0:
// another type.
int element_bytes(std::string_view type);

// How many elements a length in bytes holds: "n*4" holds n of 4 bytes, "m" holds (m) / 4.
std::string elements_in(const std::string& bytes, int element_bytes);

// Whether floating numbers occur in it.
bool has_floating_numbers(const std::string& expression);

// An integer of it, as the host's conversion makes one, where floating numbers occur in it: (int)(n / 256.0).
std::string whole(const std::string& expression);

// "dim3(a, b)", a dim3 variable, or a single expression; the names of `values` put in.
std::array<std::string, 3> extents_of(std::string_view expression, const HostValues& values);

}  // namespace warplens::app
