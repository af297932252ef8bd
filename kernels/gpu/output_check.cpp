#include "kernels/gpu/output_check.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <list>
#include <optional>
#include <set>
#include <thread>

#include "kernels/protocol/source_scan.h"
#include "sim/count/totals.h"
#include "sim/memory/gpu_model.h"

namespace warplens::gpu {
namespace {

using measure::BufferArgument;
using measure::CheckState;
using measure::KernelArgument;
using measure::MeasureRequest;
using measure::OutputResult;
using sim::ScalarType;

constexpr double kSimulationSeconds = 10;
constexpr std::uint64_t kSimulationInstructions = 2'000'000'000;
constexpr int kExpectedBlock = 256;
constexpr std::size_t kRememberedBytes = std::size_t{1} << 30, kRememberedRules = 32;

int scalars_each(const KernelArgument& argument) {
  return std::get<BufferArgument>(argument.value).element_bytes / sim::size_of(argument.type);
}

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

const KernelArgument* find_buffer(const MeasureRequest& request, const std::string& name) {
  for (const KernelArgument& argument : request.subject.arguments)
    if (argument.name == name && argument.is_buffer()) return &argument;
  return nullptr;
}

std::optional<std::uint64_t> number_in(const std::string& text) {
  std::uint64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

std::uint64_t count_of(const MeasureRequest& request, const KernelArgument& target) {
  const std::uint64_t count = std::get<BufferArgument>(target.value).elements;
  return std::min(count, number_in(request.check->elements).value_or(count));
}

// How many threads work the expected values out: one an element, or one for each of what is counted.
std::uint64_t threads_of(const MeasureRequest& request, const KernelArgument& target) {
  return number_in(request.check->counted).value_or(count_of(request, target));
}

memory::GpuModel unlimited_model() {
  return memory::default_gpu_model();
}

// Runs a kernel in the simulator, no longer than the watch allows, and gives one buffer (or all) back.
struct Simulated {
  std::vector<std::vector<std::uint8_t>> buffers;
  std::vector<sim::KernelParameter> parameters;
  std::string problem;
};

Simulated simulate(const sim::CompileRequest& compile, const sim::Launch& launch, const Watch& watch,
                   double seconds) {
  Simulated simulated;
  const sim::CompileResult compiled = sim::compile(compile);
  if (!compiled.program) {
    simulated.problem =
        compiled.diagnostics.empty() ? "it does not compile" : compiled.diagnostics.front().message.english();
    return simulated;
  }
  simulated.parameters = compiled.program->parameters;
  std::atomic<bool> cancel{false}, done{false};
  // The simulator looks at a flag; this thread sets it when the time is up.
  std::thread alarm([&, limit = std::min(seconds, watch.seconds - watch.elapsed())] {
    const auto until = Watch::Clock::now() + std::chrono::duration<double>(std::max(limit, 0.0));
    while (!done && Watch::Clock::now() < until && !watch.is_cancelled())
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    cancel = true;
  });
  sim::Limits limits;
  limits.instructions = kSimulationInstructions;
  limits.cancel = &cancel;
  sim::GridValues values = sim::run_grid(*compiled.program, launch, unlimited_model(), limits);
  done = true;
  alarm.join();
  if (values.error) simulated.problem = values.error->message;
  simulated.buffers = std::move(values.buffers);
  return simulated;
}

std::vector<std::byte> as_bytes(const std::vector<std::uint8_t>& bytes) {
  std::vector<std::byte> result(bytes.size());
  std::transform(bytes.begin(), bytes.end(), result.begin(), [](std::uint8_t b) { return std::byte{b}; });
  return result;
}

sim::Launch expected_launch(const MeasureRequest& request, const ExpectedKernel& kernel,
                            const KernelArgument& target) {
  sim::Launch launch;
  launch.block = {kExpectedBlock, 1, 1};
  const std::uint64_t threads = threads_of(request, target);
  launch.grid = {static_cast<std::uint32_t>((threads + kExpectedBlock - 1) / kExpectedBlock), 1, 1};
  launch.arguments["warplens_expected"] =
      sim::Buffer{std::get<BufferArgument>(target.value).elements, sim::Fill::Zero};
  for (const KernelArgument& argument : request.subject.arguments)
    if (const auto* buffer = std::get_if<BufferArgument>(&argument.value))
      if (std::find(kernel.buffers.begin(), kernel.buffers.end(), argument.name) != kernel.buffers.end())
        launch.arguments[argument.name] = sim::Buffer{buffer->elements, buffer->fill};
  return launch;
}

// Expected values depend on the rule and the buffers, not on the launch: a ladder asks for the same ones at
// every rung.
struct Remembered {
  std::string key;
  std::vector<std::byte> bytes;
};

std::string memory_key(const std::string& text, const sim::Launch& launch) {
  std::string key = text;
  for (const auto& [name, argument] : launch.arguments)
    if (const auto* buffer = std::get_if<sim::Buffer>(&argument))
      key += "\n" + name + " " + std::to_string(buffer->elements) + " " + sim::name_of(buffer->fill);
  return key;
}

struct Expected {
  const std::vector<std::byte>* bytes = nullptr;
  std::string problem;
};

Expected expected_bytes(const MeasureRequest& request, const KernelArgument& target, const Watch& watch) {
  static std::list<Remembered> remembered;
  Expected expected;
  for (const bool with_text : {false, true}) {
    const ExpectedKernel kernel = expected_kernel(request, with_text);
    if (!kernel.problem.empty()) {
      expected.problem = kernel.problem;
      continue;
    }
    const sim::Launch launch = expected_launch(request, kernel, target);
    const std::string key = memory_key(kernel.text, launch);
    for (const Remembered& entry : remembered)
      if (entry.key == key) return {&entry.bytes, {}};
    sim::CompileRequest compile{
        kernel.text, kernel.kernel, {}, with_text ? request.subject.defines : cuda::Defines{}};
    Simulated simulated = simulate(compile, launch, watch, watch.seconds);
    if (simulated.buffers.empty() || !simulated.problem.empty()) {
      expected.problem = simulated.problem;
      continue;
    }
    remembered.push_front({key, as_bytes(simulated.buffers.front())});
    std::size_t total = 0;
    for (const Remembered& entry : remembered) total += entry.bytes.size();
    while (remembered.size() > 1 && (total > kRememberedBytes || remembered.size() > kRememberedRules)) {
      total -= remembered.back().bytes.size();
      remembered.pop_back();
    }
    return {&remembered.front().bytes, {}};
  }
  return expected;
}

// Where nothing was compared, nothing is known.
void decide(OutputResult& result) {
  if (result.compared == 0) {
    result.how = "there is no output to compare";
    return;
  }
  result.state = result.differing == 0 ? CheckState::Right : CheckState::Wrong;
}

OutputResult check_by_rule(const MeasureRequest& request, const ReadBack& read_back, const Watch& watch) {
  OutputResult result;
  const KernelArgument* target = find_buffer(request, request.check->buffer);
  if (target == nullptr) {
    result.how = "the check names a buffer '" + request.check->buffer + "' that the kernel does not have";
    return result;
  }
  const std::uint64_t count = count_of(request, *target);
  const Expected expected = expected_bytes(request, *target, watch);
  if (expected.bytes == nullptr) {
    result.how = "the expected values could not be computed: " + expected.problem;
    return result;
  }
  result.buffer = target->name;
  result.how = "expected values computed on the host: " + request.check->expected;
  compare_elements(*expected.bytes, read_back(target->name), target->type, count, scalars_each(*target),
                   request.check->tolerance, result);
  decide(result);
  return result;
}

double usual_tolerance(ScalarType type) {
  if (type == ScalarType::F64) return 1e-12;
  if (type == ScalarType::BF16) return 8e-2;  // has three bits fewer than F16
  return type == ScalarType::F16 ? 1e-2 : 1e-5;
}

OutputResult check_by_simulation(const MeasureRequest& request, const ReadBack& read_back,
                                 const Watch& watch) {
  OutputResult result;
  const measure::Subject& s = request.subject;
  sim::Launch launch{s.grid, s.block, s.shared_bytes, {}};
  for (const KernelArgument& argument : s.arguments) {
    if (const auto* buffer = std::get_if<BufferArgument>(&argument.value))
      launch.arguments[argument.name] = sim::Buffer{buffer->elements, buffer->fill};
    else if (const auto* integer = std::get_if<std::int64_t>(&argument.value))
      launch.arguments[argument.name] = *integer;
    else
      launch.arguments[argument.name] = std::get<double>(argument.value);
  }
  const Simulated simulated =
      simulate({s.text, s.kernel, s.template_arguments, s.defines}, launch, watch, kSimulationSeconds);
  if (!simulated.problem.empty() || simulated.buffers.size() != s.arguments.size()) {
    result.how = "there is no rule for the output, and the simulation did not end: " + simulated.problem;
    return result;
  }
  result.how = "simulated on the host";
  for (std::size_t p = 0; p < s.arguments.size() && result.differing == 0; ++p) {
    const KernelArgument& argument = s.arguments[p];
    const auto* buffer = std::get_if<BufferArgument>(&argument.value);
    if (buffer == nullptr || buffer->is_const) continue;
    result.buffer = argument.name;
    compare_elements(as_bytes(simulated.buffers[p]), read_back(argument.name), argument.type,
                     buffer->elements, scalars_each(argument), usual_tolerance(argument.type), result);
  }
  decide(result);
  return result;
}

}  // namespace

ExpectedKernel expected_kernel(const MeasureRequest& request, bool with_subject_text) {
  ExpectedKernel result;
  result.kernel = "warplens_expected_values";
  const KernelArgument* target = find_buffer(request, request.check->buffer);
  // Only what the rule names: settings that it does not depend on must not make it another rule.
  std::set<std::string> used;
  for (const measure::ScanToken& token : measure::scan_tokens(request.check->expected))
    used.emplace(token.text);
  std::string parameters, constants;
  std::set<std::string> named{"i"};
  for (const KernelArgument& argument : request.subject.arguments) {
    if (used.count(argument.name) == 0 && argument.name != request.check->buffer) continue;
    named.insert(argument.name);
    if (argument.is_buffer()) {
      const std::string type = element_type(argument);
      // A buffer of structures can take part only where the rule's kernel sees the structure, which it cannot
      // name.
      if (type.empty()) {
        result.problem = "buffer '" + argument.name + "' holds structures";
        return result;
      }
      parameters += ", const " + type + "* " + argument.name;
      result.buffers.push_back(argument.name);
    } else if (const auto* integer = std::get_if<std::int64_t>(&argument.value)) {
      constants += "  const long long " + argument.name + " = " + std::to_string(*integer) + "ll;\n";
    } else {
      char number[48];
      std::snprintf(number, sizeof number, "%.17g", std::get<double>(argument.value));
      const bool bare = std::string(number).find_first_of(".en") == std::string::npos;
      constants += "  const double " + argument.name + " = " + number + (bare ? ".0" : "") + ";\n";
    }
  }
  for (const auto& [name, value] : request.parameters)
    if (used.count(name) > 0 && named.insert(name).second)
      constants += "  const long long " + name + " = " + std::to_string(value) + "ll;\n";
  result.text = with_subject_text ? request.subject.text + "\n" : "";
  result.text += "__global__ void " + result.kernel + "(" + element_type(*target) + "* warplens_expected" +
                 parameters +
                 ") {\n  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;\n" +
                 constants + "  if (i < " + std::to_string(threads_of(request, *target)) + "ll) " +
                 (request.check->counted.empty()
                      ? "warplens_expected[i] = " + request.check->expected + ";\n}\n"
                      : "atomicAdd(&warplens_expected[" + request.check->expected + "], 1);\n}\n");
  return result;
}

OutputResult check_output(const MeasureRequest& request, const ReadBack& read_back, const Watch& watch) {
  if (request.check) return check_by_rule(request, read_back, watch);
  if (request.simulate_for_check) return check_by_simulation(request, read_back, watch);
  OutputResult result;
  result.how = "not asked for";
  return result;
}

}  // namespace warplens::gpu
