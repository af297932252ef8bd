// What is measured: one kernel text, compiled one way, launched one way. And its key, by which a panel finds
// the measurement of exactly what it shows, and of nothing else.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/launch/launch.h"
#include "sim/launch/tensor_map.h"
#include "sim/scenario/fields.h"

namespace warplens::scenario {
struct Setup;
}

namespace warplens::measure {

// SHA-256 (FIPS 180-4), to name a kernel's text and a measurement's key by their content.

// 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

using scenario::Fields;

// AsWritten: every shared access of the text is executed as it stands (tiles volatile, so that none is merged
// or dropped): counters then equal the simulator's. AsOptimised: the compiler's free hand.
enum class CompileMode : std::uint8_t { AsWritten, AsOptimised };
const char* name_of(CompileMode mode);  // "as_written", "as_optimised"
// A text without shared memory is the same program both ways: it is measured and found as AsWritten.
CompileMode effective_mode(const std::string& text, CompileMode mode);

struct BufferArgument {
  std::uint64_t elements = 0;
  int element_bytes = 4;  // 16 for float4*
  sim::Fill fill = sim::Fill::Zero;
  bool is_const = false;  // the kernel cannot write it
  std::optional<sim::FillRange> range = {};
  // The kernel gets a tensor map of these elements. What the launch says of it ("A.width") stands among the
  // arguments too, for the key alone; this is what it comes to.
  std::optional<sim::TensorMapShape> tensor = {};
  // In place of a fill: what it holds, zeros behind it, and its hash, which alone a recorded measurement has.
  std::shared_ptr<const std::string> data = {};
  std::string data_hash = {};
  bool is_zero() const { return fill == sim::Fill::Zero && data_hash.empty(); }
  sim::Buffer as_filled() const { return {elements, fill, 0, range, {}, data}; }
};
inline constexpr std::size_t kMostData = std::size_t{16} << 20;  // bytes, of all buffers of a launch

// A kernel's argument, in the order of its parameters.
struct KernelArgument {
  std::string name;
  sim::ScalarType type = sim::ScalarType::I32;  // of the value, or of a buffer's (first) scalar
  std::variant<std::int64_t, double, BufferArgument> value;
  bool is_buffer() const { return std::holds_alternative<BufferArgument>(value); }
  // "A.width": of a tensor map, which the kernel gets as a whole.
  bool is_part() const { return name.find('.') != std::string::npos; }
};

struct Subject {
  std::string source_name;  // for messages only
  std::string text;         // empty in a recorded measurement, which has the hash
  std::string text_hash;    // "sha256:...", of the headers too; filled by hash_of
  std::string kernel;
  std::vector<std::string> template_arguments;
  std::vector<std::pair<std::string, std::string>> defines;
  CompileMode mode = CompileMode::AsWritten;
  sim::Dim3 grid, block;
  std::uint64_t shared_bytes = 0;  // dynamic
  std::vector<KernelArgument> arguments;
  std::map<std::string, std::string> headers = {};  // that the text includes, by the names it does so with
};
std::string whole_text(const Subject& subject);  // with its headers behind it
std::string hash_of(const Subject& subject);     // what it was read with, else of its whole text

std::string hash_text(const std::string& text);  // "sha256:" and 64 digits
// Of a buffer's contents, worked out once: panels ask for the key of what they show again and again.
std::string hash_data(const std::shared_ptr<const std::string>& data);

// A hash of text, kernel, template arguments, defines, launch, arguments and mode, in 64 hexadecimal digits.
// The source's name, the GPU and the number of samples are not in it.
struct MeasurementKey {
  std::string digest;
  friend bool operator==(const MeasurementKey&, const MeasurementKey&) = default;
  friend bool operator<(const MeasurementKey& a, const MeasurementKey& b) { return a.digest < b.digest; }
};
MeasurementKey key_of(const Subject& subject);
// The subject of a setup, as far as it needs no compiling: without arguments, and without a kernel where the
// setup names none.
Subject subject_of(const scenario::Setup& setup, CompileMode mode);
// The same key straight from a setup, without compiling anything.
MeasurementKey key_of(const scenario::Setup& setup, CompileMode mode);

// `with_text`: and its headers, and what buffers hold, of which hashes are written otherwise.
void describe(Fields& f, Subject& subject, bool with_text);

}  // namespace warplens::measure
