#include "kernels/gpu/output_check.h"

#include <algorithm>

#include "sim/count/compare_values.h"
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

const KernelArgument* find_buffer(const MeasureRequest& request, const std::string& name) {
  for (const KernelArgument& argument : request.subject.arguments)
    if (argument.name == name && argument.is_buffer()) return &argument;
  return nullptr;
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
  const Expected expected = expected_values(request, *target, watch);
  if (expected.bytes == nullptr) {
    result.how = "the expected values could not be computed: " + expected.problem;
    return result;
  }
  result.buffer = target->name;
  result.how = "expected values computed on the host: " + request.check->expected;
  compare_elements(*expected.bytes, read_back(target->name), target->type, expected.elements,
                   measure::scalars_each(*target), request.check->tolerance, result, request.check->margin);
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
      launch.arguments[argument.name] = buffer->as_filled();
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
    compare_elements(std::as_bytes(std::span(simulated.buffers[p])), read_back(argument.name), argument.type,
                     buffer->elements, measure::scalars_each(argument), usual_tolerance(argument.type),
                     result);
  }
  decide(result);
  return result;
}

}  // namespace

OutputResult check_output(const MeasureRequest& request, const ReadBack& read_back, const Watch& watch) {
  if (request.check) return check_by_rule(request, read_back, watch);
  return check_by_simulation(request, read_back, watch);
}

void compare_elements(std::span<const std::byte> expected, const std::vector<std::byte>& got,
                      sim::ScalarType type, std::uint64_t count, int scalars_each, double tolerance,
                      measure::OutputResult& result, double margin) {
  const sim::ValueDifference difference =
      sim::compare_values(expected, got, type, scalars_each, count, tolerance, margin);
  result.compared += difference.compared;
  if (difference.differing != 0 && result.differing == 0) {
    result.element = difference.element;
    result.expected = difference.expected;
    result.got = difference.got;
  }
  result.differing += difference.differing;
}

namespace {

constexpr std::uint64_t kSimulationInstructions = 2'000'000'000;
constexpr std::uint64_t kMostRemembered = std::uint64_t{2} << 30;

}  // namespace

Simulated simulate(const sim::CompileRequest& compile, const sim::Launch& launch, const Watch& watch,
                   double seconds) {
  Simulated simulated;
  const sim::CompileResult compiled = sim::compile(compile);
  if (!compiled.program) {
    simulated.problem =
        compiled.diagnostics.empty() ? "it does not compile" : compiled.diagnostics.front().message.english();
    return simulated;
  }
  sim::Limits limits;
  limits.instructions = kSimulationInstructions;
  limits.deadline = Budget::in(std::min(seconds, watch.seconds - watch.elapsed()));
  limits.cancel = watch.cancelled;
  sim::GridValues values = sim::run_grid(*compiled.program, launch, memory::default_gpu_model(), limits);
  if (values.error) simulated.problem = values.error->message;
  simulated.buffers = std::move(values.buffers);
  return simulated;
}

const std::vector<std::byte>& remember(RememberedBytes& remembered, const std::string& key,
                                       std::vector<std::byte> bytes) {
  std::uint64_t total = bytes.size();
  for (const auto& [name, kept] : remembered) total += kept.size();
  if (total > kMostRemembered) remembered.clear();
  return remembered[key] = std::move(bytes);
}

}  // namespace warplens::gpu
