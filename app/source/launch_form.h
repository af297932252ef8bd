// A launch as it is filled in: every field a text, as it was typed. Extents, sizes and lengths
// are integer expressions over the kernel's scalars, its template arguments, the block's extents and the
// file's constants:
//
//   grid (n + block_x - 1) / block_x     block 256     n 1048576     in: n elements, filled with their index
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "app/source/kernel_facts.h"
#include "sim/launch/launch.h"
#include "sim/scenario/scenario.h"

namespace warplens::app {

struct LaunchForm {
  struct Value {
    std::string name, type, text;
    bool is_type = false;  // of a template parameter
    friend bool operator==(const Value&, const Value&) = default;
  };
  // As a scenario has it, with texts in place of rules; `data` and `addresses` are those of `written`.
  struct Buffer : scenario::BufferRule {
    std::string name, type;
    // What the program writes there, where that is more than a fill; and whether it is what the buffer holds.
    // It is for the length that the program gives the buffer: with another one the fill takes its place.
    std::optional<Written> written = {};
    bool holds_written = false;
    bool is_symbol = false;  // no argument, but a variable of the device's memory, or `behind`
    friend bool operator==(const Buffer& a, const Buffer& b) {
      const auto all = [](const Buffer& of) {
        return std::tie(of.name, of.type, of.elements, of.fill, of.range, of.offset, of.written,
                        of.holds_written, of.is_symbol, of.element, of.offset_bytes, of.same_as);
      };
      return all(a) == all(b);
    }
  };
  std::string kernel;
  std::vector<Value> templates, scalars;
  std::array<std::string, 3> grid{"1", "1", "1"}, block{"32", "1", "1"};
  std::string shared = "0";  // dynamic, bytes
  std::vector<Buffer> buffers;
  friend bool operator==(const LaunchForm&, const LaunchForm&) = default;
};

// The names of fields: grid.x, block.z, shared, template.BM, scalar.n, elements.in, offset.in,
// fill.in (sim::name_of: "zero", "iota", "random" ...; "random(0,63)"; kWritten; "index" of older sessions is
// "iota"). Of PTX also element.in ("f32"), bytes.in (the offset), same.in and held.in (hexadecimal), which
// have no place in the form.
inline constexpr const char* kWritten = "program";                                  // what the program writes
bool set_field(LaunchForm* form, std::string_view field, const std::string& text);  // false: no such field
std::string field_text(const LaunchForm& form, std::string_view field);
std::map<std::string, std::string> given_fields(const LaunchForm& form);  // those without a place in it

// Worked out: each field's number, and what is wrong with the others, by field.
struct FormValues {
  std::map<std::string, std::int64_t> numbers;  // by field
  std::map<std::string, std::int64_t> names;    // what an expression may use, by name
  std::map<std::string, Message> errors;        // by field
};
FormValues work_out(const LaunchForm& form, const FileFacts& facts);

// As a scenario whose rules are numbers, so that everything that runs a scenario runs a form. Integers that
// are plain numbers become parameters with sliders. `home`: the form whose values the sliders call unturned.
// Whether the buffer holds what the program writes, and the values give it the length that goes with it.
bool holds_written(const LaunchForm::Buffer& buffer, const FormValues& values);
scenario::Scenario scenario_of(const LaunchForm& form, const FormValues& values, const LaunchForm& home);

// The form for another text or kernel: what has the same name keeps what was filled in; the rest is as in
// `guess`.
LaunchForm carried_to(const LaunchForm& from, const LaunchForm& guess);

// Sensible values at once, so that a picture appears as soon as a file is opened: those of the host code's
// launch where it says them, else what the names in the signature are commonly used for.

// `launch`: one of the file's own, or null. Compiles the kernel where only that says what a parameter is.
LaunchForm guess_form(const KernelFacts& kernel, const FileFacts& facts, const KnownLaunch* launch,
                      const std::string& text, const Means& means);

// Whether the launch has said all three extents of the form: "grid.", "block.".
bool says_all(const KnownLaunch& launch, const LaunchForm& form, const std::string& group);

// The compiler has not said what is within a parameter, since the text has a mistake.
bool lacks_members(const LaunchForm& form, const KernelFacts& kernel);

// `form` after a run of the grid's corners: shapes and sizes that fail give way to others. Takes a fraction
// of a second at most, whatever the kernel does. What `launch` says stays as it is, also where the kernel
// fails with it. `has_lengths`: buffers that nobody gives a length become as long as the corners need, else
// they have no end, since how far a few blocks reach is none for the others.
LaunchForm probed(LaunchForm form, const FileFacts& facts, const std::string& text, const KnownLaunch* launch,
                  const Means& means, bool has_lengths = false);

}  // namespace warplens::app
