// A scenario: a kernel file, the parameters that a class turns, and the rules from them to a launch.
//
//   kernels/transpose_shared.cu  +  kernels/transpose_shared.scenario.json  +  {nrows: 2048, pad: 1}
//     ->  Setup
//
// The file's format is warplens.scenario/1, described with an example in docs/scenario.md.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/launch/launch.h"
#include "sim/lower/lower.h"

namespace warplens::scenario {

using LocalText = std::map<std::string, std::string>;  // by language: "en", "zh-CN"; "en" is always there
const std::string& in_language(const LocalText& text, std::string_view language);

struct ScenarioParameter {
  std::string name;  // "pad"
  LocalText label;   // "padding"
  std::string key;   // a letter: key raises it, with shift lowers it; may be empty
  std::int64_t fallback = 0, minimum = 0, maximum = 0, step = 1;
  std::vector<std::int64_t> choices;  // not empty: only these values
  std::vector<std::string> texts;     // as choices: "float", "float4" for an element type; or empty
  std::vector<LocalText> words;       // as choices: what a class reads in place of the value; or empty
};

// In place of a buffer's length: there is none, and the pointer is null.
inline constexpr const char* kNull = "null";

struct BufferRule {
  std::string elements;  // an integer expression over the parameters; "" : without end; kNull
  sim::Fill fill = sim::Fill::Zero;
  std::string fill_parameter;           // the parameter whose text says how to fill; "": `fill` does
  std::string columns;                  // elements a row, for pictures; "": the last factor of `elements`
  std::vector<std::string> range = {};  // two integer expressions, of a fill that takes a range; or none
  std::string offset = {};  // an integer expression: the element that the argument points to; "": the first
  std::shared_ptr<const std::string> data =
      {};  // the bytes that it holds, zeros behind them; no file has them
  // As sim::Buffer has them.
  std::optional<sim::ScalarType> element = {};
  std::uint64_t offset_bytes = 0;
  std::string same_as = {};
  std::vector<sim::Addresses> addresses = {};
  std::optional<sim::KernelParameter> behind = {};  // no parameter's: as CompileRequest has it
};

// Values that a check needs and that are worked out first, as doubles, each one from the buffers and from
// those before it: element i of `name`, 0 <= i < `elements`, is the sum, or the largest, of an expression
// over `i` and `j`, 0 <= j < `terms`.
struct CheckStep {
  std::string name, elements;  // an integer expression over the parameters
  std::string terms;           // a CUDA expression, as `expected` is, over `i`
  std::string of;              // the same over `i` and `j`
  bool largest = false;        // else the sum
  friend bool operator==(const CheckStep&, const CheckStep&) = default;
};

// How the output is checked: element i of `buffer`, 0 <= i < `elements`, must equal the value of `expected`,
// a CUDA expression over `i`, the parameters and the other buffers, as filled before the launch; within
// `tolerance`, relative, and `margin`, absolute. Where something is counted, element e must equal the number
// of i, 0 <= i < `counted`, for which `expected` is e.
struct OutputCheck {
  std::string buffer, elements, expected;
  double tolerance = 0;
  std::string counted = {};  // an integer expression over the parameters; "": nothing
  double margin = 0;
  std::vector<CheckStep> before = {};
};

// What a measurement is held against: a device-to-device copy of the useful bytes, or cuBLAS on the same
// product, C = alpha A B + beta C with the sizes of the kernel's parameters m, n and k (C is m x n, the inner
// size k).
// Hgemm: of halves, summed up in float.
enum class Reference : std::uint8_t { Copy, CublasHgemm, CublasSgemm, CublasDgemm };
inline constexpr std::array<std::pair<Reference, const char*>, 4> kReferenceNames{
    {{Reference::Copy, "copy"},
     {Reference::CublasHgemm, "cublas_hgemm"},
     {Reference::CublasSgemm, "cublas_sgemm"},
     {Reference::CublasDgemm, "cublas_dgemm"}}};
constexpr std::optional<Reference> reference_named(std::string_view wanted) {
  for (const auto& [reference, name] : kReferenceNames)
    if (wanted == name) return reference;
  return std::nullopt;
}

// What the values must fulfil beyond their ranges ("n % 4 == 0"), and what to say where they do not.
struct Requirement {
  std::string rule;  // an integer expression over the parameters; 0: not fulfilled
  LocalText words;
};

struct Scenario {
  std::string name;
  LocalText title, teaches;
  std::filesystem::path file;    // of the scenario itself
  std::filesystem::path source;  // of the kernel
  std::string text;              // the kernel's text
  cuda::HeaderSet headers = {};  // that it includes; null in the gallery, whose kernels stand alone
  std::string source_text = {}, source_name = {};  // of PTX, as CompileRequest has them
  std::vector<std::string> source_parameters = {};
  std::optional<sim::Dim3> cluster = {};
  std::string kernel;
  std::string ladder;                         // "transpose", or empty
  int rung = 0;                               // place on it, from 0
  LocalText rung_label;                       // "tile + padding"
  std::vector<ScenarioParameter> parameters;  // block_x, block_y, block_z among them where they can be chosen
  std::vector<std::string> template_rules;    // a parameter's name, an integer expression, or a type's name
  std::vector<std::pair<std::string, std::string>> define_rules;
  std::vector<std::string> grid_rules, block_rules;  // one to three integer expressions
  std::string shared_rule;
  std::map<std::string, std::string> scalar_rules;  // kernel parameter -> integer expression
  std::map<std::string, BufferRule> buffer_rules;
  std::optional<OutputCheck> check;
  std::vector<Requirement> requirements;
  std::string bytes_rule;       // useful bytes a run moves, for GB/s; may be empty
  std::string operations_rule;  // useful floating-point operations of a run, for GFLOP/s; may be empty
  Reference reference = Reference::Copy;
};

using ParameterValues = std::map<std::string, std::int64_t>;

// All that is needed to compile and launch: what a target on the command line, or the state of the app, comes
// to.
struct Setup {
  std::string name;         // of the scenario, or the file's stem
  std::string source_name;  // for messages: "transpose_shared.cu"
  sim::CompileRequest compile;
  sim::Launch launch;
  std::string compiler, architecture;  // of the PTX that was asked for: "nvcc 13.0.88", "sm_90"; or empty
  std::string guessed;                 // ... and what its parameters of types that the text hides are given
  ParameterValues values;              // of a scenario; empty for a plain file
  std::optional<OutputCheck> check;    // its integer expressions evaluated to numbers
  std::uint64_t useful_bytes = 0;      // 0: not given
  std::uint64_t operations = 0;        // floating-point operations; 0: not given
  Reference reference = Reference::Copy;
};

template <typename T>
struct Outcome {
  Outcome() = default;
  Outcome(T of) : value(std::move(of)) {}                        // NOLINT: returned as it is
  Outcome(Message error) : errors{std::move(error)} {}           // NOLINT
  Outcome(std::vector<Message> all) : errors(std::move(all)) {}  // NOLINT
  Outcome(std::optional<T> of, std::vector<Message> all) : value(std::move(of)), errors(std::move(all)) {}
  std::optional<T> value;
  std::vector<Message> errors;          // in words, with file, line and field
  std::optional<Stopped> stopped = {};  // why a budget ended it; `errors` say so too
  explicit operator bool() const { return value.has_value(); }
};

// Between functions of which one at the top gives an Outcome: what went wrong, on its way there.
struct Refused {
  std::vector<Message> errors;
};
[[noreturn]] inline void refuse(Message words) {
  throw Refused{{std::move(words)}};
}
template <typename T>
T need(Outcome<T> outcome) {
  if (!outcome) throw Refused{std::move(outcome.errors)};
  return std::move(*outcome.value);
}
template <typename Work>
auto outcome_of(const Work& work) -> Outcome<decltype(work())> {
  try {
    return work();
  } catch (const Refused& refused) {
    return refused.errors;
  }
}

// Where a budget is given and ends, what takes one here throws Stopped.
Outcome<Scenario> load_scenario(const std::filesystem::path& file, Budget* budget = nullptr);
// All of a folder, by ladder and rung, then by name. Files that cannot be read are reported in `errors`,
// beside the others' value.
Outcome<std::vector<Scenario>> load_scenarios(const std::filesystem::path& folder, Budget* budget = nullptr);

// The chosen text ("float4"), or the number; and back, of the texts.
std::string text_of(const ScenarioParameter& parameter, std::int64_t value);
std::optional<std::int64_t> value_named(const ScenarioParameter& parameter, std::string_view text);
// What a class reads for the value: its words, its text, or the number.
std::string shown_value(const ScenarioParameter& parameter, std::int64_t value, std::string_view language);

ParameterValues defaults(const Scenario& scenario);
// Values left out take their defaults; unknown names, values out of range and rules that fail are errors.
Outcome<Setup> make_setup(const Scenario& scenario, const ParameterValues& values, Budget* budget = nullptr);
// The same with edited kernel text in place of the file's.
Outcome<Setup> make_setup(const Scenario& scenario, const ParameterValues& values, std::string_view text,
                          Budget* budget = nullptr);

// Where the gallery, lessons, palettes, shaders and recorded packs are: beside the installed program, or in
// the source tree; WARPLENS_DATA overrides. Empty: not found.
std::filesystem::path data_folder(std::string_view which);  // "kernels", "assets", "shaders"

// What two rungs of a ladder have in common: values carried from one scenario to another.
const ScenarioParameter* find_parameter(const Scenario& scenario, std::string_view name);

// The value that the parameter can take nearest to `value`.
std::int64_t clamped(const ScenarioParameter& parameter, std::int64_t value);
// From 1 or more to over 128.
bool is_size(const ScenarioParameter& parameter);

// Values for `to`, coming from `from`: what its own subject is (a value whose default differs between the
// two) starts at its default, the rest stays as it was turned.
ParameterValues carried_over(const Scenario& from, const ParameterValues& values, const Scenario& to);
// The same for comparing the two: sizes too stay as they are, where `to` takes them.
ParameterValues carried_over_in_size(const Scenario& from, const ParameterValues& values, const Scenario& to);

}  // namespace warplens::scenario
