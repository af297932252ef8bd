#include "kernels/gpu/expected_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <list>
#include <memory>
#include <optional>
#include <set>

#include "kernels/gpu/simulated.h"
#include "kernels/protocol/source_scan.h"

namespace warplens::gpu {
namespace {

using measure::BufferArgument;
using measure::KernelArgument;
using measure::MeasureRequest;
using sim::ScalarType;

constexpr int kExpectedBlock = 256;
constexpr std::size_t kRememberedBytes = std::size_t{1} << 30, kRememberedRules = 32;
constexpr const char* kKernel = "warplens_expected_values";

// "float4" of float and 16 bytes; the scalar's own name for 1; empty for structures.
std::string element_type(const KernelArgument& argument) {
  const int count = scalars_each(argument);
  if (count == 1) return sim::name_of(argument.type);
  constexpr std::array<std::pair<ScalarType, const char*>, 10> kBases{{{ScalarType::I8, "char"},
                                                                       {ScalarType::U8, "uchar"},
                                                                       {ScalarType::I16, "short"},
                                                                       {ScalarType::U16, "ushort"},
                                                                       {ScalarType::I32, "int"},
                                                                       {ScalarType::U32, "uint"},
                                                                       {ScalarType::I64, "longlong"},
                                                                       {ScalarType::U64, "ulonglong"},
                                                                       {ScalarType::F32, "float"},
                                                                       {ScalarType::F64, "double"}}};
  for (const auto& [type, base] : kBases)
    if (type == argument.type && (count == 2 || count == 4)) return base + std::to_string(count);
  return {};
}

std::optional<std::uint64_t> number_in(const std::string& text) {
  std::uint64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

// A kernel that fills `warplens_expected`, its first parameter, a thread an element, or for each of what is
// counted.
struct Part {
  std::string name;  // of the values; of the rule itself: empty
  std::string type;  // of an element
  std::uint64_t elements = 0, threads = 0;
  std::vector<std::string> expressions;  // all that the kernel works out
  std::string body;                      // the same, as statements over `i`
  std::string text;                      // of the whole kernel
  std::vector<std::string> buffers;      // that it reads: of the subject, and parts before
};

Part part_of(const scenario::CheckStep& step) {
  Part part;
  part.name = step.name;
  part.type = "double";
  part.elements = part.threads = number_in(step.elements).value_or(0);
  part.expressions = {step.terms, step.of};
  const std::string one = "(double)(" + step.of + ")";
  part.body = "{\n    double warplens_all = " + std::string(step.largest ? "-1.0 / 0.0" : "0") +
              ";\n    for (long long j = 0; j < (" + step.terms + "); ++j) warplens_all " +
              (step.largest ? "= fmax(warplens_all, " + one + ")" : "+= " + one) +
              ";\n    warplens_expected[i] = warplens_all;\n  }";
  return part;
}

Part last_part(const MeasureRequest& request, const KernelArgument& target) {
  const scenario::OutputCheck& check = *request.check;
  const std::uint64_t elements = std::get<BufferArgument>(target.value).elements;
  Part part;
  part.type = element_type(target);
  part.elements = elements;
  part.threads =
      number_in(check.counted).value_or(std::min(elements, number_in(check.elements).value_or(elements)));
  part.expressions = {check.expected};
  part.body = check.counted.empty() ? "warplens_expected[i] = " + check.expected + ";"
                                    : "atomicAdd(&warplens_expected[" + check.expected + "], 1);";
  return part;
}

std::string number_text(double value) {
  char number[48];
  std::snprintf(number, sizeof number, "%.17g", value);
  const bool bare = std::string(number).find_first_of(".en") == std::string::npos;
  return number + std::string(bare ? ".0" : "");
}

// Gives a part its text. Only what the rule names goes into it: settings that it does not depend on must not
// make it another rule. Returns why there is none, in words.
std::string write_text(const MeasureRequest& request, const std::vector<Part>& before, Part& part) {
  std::set<std::string> used, named{"i"};
  for (const std::string& expression : part.expressions)
    for (const measure::ScanToken& token : measure::scan_tokens(expression)) used.emplace(token.text);
  std::string parameters, constants;
  const auto add_buffer = [&](const std::string& type, const std::string& name) {
    parameters += ", const " + type + "* " + name;
    part.buffers.push_back(name);
    named.insert(name);
  };
  for (const Part& one : before)
    if (used.contains(one.name)) add_buffer("double", one.name);
  for (const KernelArgument& argument : request.subject.arguments) {
    if (!used.contains(argument.name) || named.contains(argument.name)) continue;
    if (argument.is_buffer()) {
      const std::string type = element_type(argument);
      // A buffer of structures can take part only where the rule's kernel sees the structure, which it cannot
      // name.
      if (type.empty()) return "buffer '" + argument.name + "' holds structures";
      add_buffer(type, argument.name);
    } else if (const auto* integer = std::get_if<std::int64_t>(&argument.value)) {
      constants += "  const long long " + argument.name + " = " + std::to_string(*integer) + "ll;\n";
    } else {
      constants +=
          "  const double " + argument.name + " = " + number_text(std::get<double>(argument.value)) + ";\n";
    }
    named.insert(argument.name);
  }
  for (const auto& [name, value] : request.parameters)
    if (used.contains(name) && named.insert(name).second)
      constants += "  const long long " + name + " = " + std::to_string(value) + "ll;\n";
  part.text = std::string("__global__ void ") + kKernel + "(" + part.type + "* warplens_expected" +
              parameters + ") {\n  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;\n" +
              constants + "  if (i < " + std::to_string(part.threads) + "ll) " + part.body + "\n}\n";
  return {};
}

using Contents = std::vector<std::pair<std::string, sim::Buffer>>;  // of the parts before, by name

sim::Launch launch_of(const MeasureRequest& request, const Part& part, const Contents& before) {
  sim::Launch launch;
  launch.block = {kExpectedBlock, 1, 1};
  launch.grid = {static_cast<std::uint32_t>((part.threads + kExpectedBlock - 1) / kExpectedBlock), 1, 1};
  launch.arguments["warplens_expected"] = sim::Buffer{part.elements, sim::Fill::Zero};
  const auto reads = [&](const std::string& name) {
    return std::find(part.buffers.begin(), part.buffers.end(), name) != part.buffers.end();
  };
  for (const KernelArgument& argument : request.subject.arguments)
    if (const auto* buffer = std::get_if<BufferArgument>(&argument.value);
        buffer != nullptr && reads(argument.name))
      launch.arguments[argument.name] = buffer->as_filled();
  for (const auto& [name, buffer] : before)
    if (reads(name)) launch.arguments[name] = buffer;
  return launch;
}

// Expected values depend on the rule and the buffers, not on the launch: a ladder asks for the same ones at
// every rung.
struct Remembered {
  std::string key;
  std::vector<std::byte> bytes;
};

std::string memory_key(const MeasureRequest& request, const std::vector<Part>& parts) {
  std::string key;
  for (const Part& part : parts) {
    key += part.text;
    for (const auto& [name, argument] : launch_of(request, part, {}).arguments) {
      const auto& buffer = std::get<sim::Buffer>(argument);
      key += "\n" + name + " " + std::to_string(buffer.elements) + " " + sim::name_of(buffer.fill);
      if (buffer.range) key += " " + number_text((*buffer.range)[0]) + " " + number_text((*buffer.range)[1]);
    }
  }
  return key;
}

const std::vector<std::byte>& remember(std::list<Remembered>& remembered, std::string key,
                                       const std::vector<std::uint8_t>& values) {
  remembered.push_front({std::move(key), bytes_of(values)});
  std::size_t total = 0;
  for (const Remembered& entry : remembered) total += entry.bytes.size();
  while (remembered.size() > 1 && (total > kRememberedBytes || remembered.size() > kRememberedRules)) {
    total -= remembered.back().bytes.size();
    remembered.pop_back();
  }
  return remembered.front().bytes;
}

// Runs the parts one after the other and gives what the last one leaves.
std::vector<std::uint8_t> run_parts(const MeasureRequest& request, const std::vector<Part>& parts,
                                    bool with_text, const Watch& watch, std::string& problem) {
  Contents before;
  for (const Part& part : parts) {
    const sim::CompileRequest compile{(with_text ? request.subject.text + "\n" : "") + part.text,
                                      kKernel,
                                      {},
                                      with_text ? request.subject.defines : cuda::Defines{}};
    Simulated simulated = simulate(compile, launch_of(request, part, before), watch, watch.seconds);
    problem = simulated.buffers.empty() && simulated.problem.empty() ? "it left nothing" : simulated.problem;
    if (!problem.empty()) return {};
    std::vector<std::uint8_t>& values = simulated.buffers.front();
    if (part.name.empty()) return std::move(values);
    sim::Buffer buffer{part.elements};
    buffer.data = std::make_shared<const std::string>(values.begin(), values.end());
    before.emplace_back(part.name, std::move(buffer));
  }
  return {};
}

}  // namespace

int scalars_each(const KernelArgument& buffer) {
  return std::get<BufferArgument>(buffer.value).element_bytes / sim::size_of(buffer.type);
}

// First by itself, then with the kernel's own text before it, whose functions the rule may call.
Expected expected_values(const MeasureRequest& request, const KernelArgument& target, const Watch& watch) {
  static std::list<Remembered> remembered;
  Expected expected;
  const std::uint64_t all = std::get<BufferArgument>(target.value).elements;
  expected.elements = std::min(all, number_in(request.check->elements).value_or(all));
  std::vector<Part> parts;
  const auto add = [&](Part part) {
    if (expected.problem.empty()) expected.problem = write_text(request, parts, part);
    parts.push_back(std::move(part));
  };
  for (const scenario::CheckStep& step : request.check->before) add(part_of(step));
  if (element_type(target).empty()) expected.problem = "buffer '" + target.name + "' holds structures";
  add(last_part(request, target));
  if (!expected.problem.empty()) return expected;
  for (const bool with_text : {false, true}) {
    std::string key = memory_key(request, parts) + (with_text ? request.subject.text : "");
    for (const Remembered& entry : remembered)
      if (entry.key == key) {
        expected.bytes = &entry.bytes;
        expected.problem.clear();
        return expected;
      }
    const std::vector<std::uint8_t> values = run_parts(request, parts, with_text, watch, expected.problem);
    if (!expected.problem.empty()) continue;
    expected.bytes = &remember(remembered, std::move(key), values);
    return expected;
  }
  return expected;
}

}  // namespace warplens::gpu
