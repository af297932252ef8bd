// Written as kernels: the rule's own expressions, with what they name around them.
#include "kernels/protocol/expected_rule.h"

#include <algorithm>
#include <optional>
#include <set>

#include "kernels/protocol/as_written.h"
#include "sim/base/numbers.h"
#include "sim/cuda/text/names.h"

namespace warplens::measure {
namespace {

// "float4" of float and 16 bytes; the scalar's own name for 1; empty for structures.
std::string element_type(const KernelArgument& argument) {
  const int count = scalars_each(argument);
  if (count == 1) return sim::name_of(argument.type);
  return count == 2 || count == 4 ? cuda::vector_name(argument.type, count) : std::string();
}

ExpectedPart part_of(const scenario::CheckStep& step) {
  ExpectedPart part;
  part.name = step.name;
  part.type = "double";
  part.elements = part.threads = number_in<std::uint64_t>(step.elements).value_or(0);
  part.expressions = {step.terms, step.of};
  const std::string one = "(double)(" + step.of + ")";
  part.body = "{\n    double warplens_all = " + std::string(step.largest ? "-1.0 / 0.0" : "0") +
              ";\n    for (long long j = 0; j < (" + step.terms + "); ++j) warplens_all " +
              (step.largest ? "= fmax(warplens_all, " + one + ")" : "+= " + one) +
              ";\n    warplens_expected[i] = warplens_all;\n  }";
  return part;
}

ExpectedPart last_part(const MeasureRequest& request, const KernelArgument& target) {
  const scenario::OutputCheck& check = *request.check;
  const std::uint64_t elements = std::get<BufferArgument>(target.value).elements;
  ExpectedPart part;
  part.type = element_type(target);
  part.elements = elements;
  part.threads =
      number_in<std::uint64_t>(check.counted)
          .value_or(std::min(elements, number_in<std::uint64_t>(check.elements).value_or(elements)));
  part.expressions = {check.expected};
  part.body = check.counted.empty() ? "warplens_expected[i] = " + check.expected + ";"
                                    : "atomicAdd(&warplens_expected[" + check.expected + "], 1);";
  return part;
}

std::string number_text(double value) {
  const std::string number = formatted("%.17g", value);
  return number + (number.find_first_of(".en") == std::string::npos ? ".0" : "");
}

// Gives a part its text. Only what the rule names goes into it: settings that it does not depend on must not
// make it another rule. Returns why there is none, in words.
std::string write_text(const MeasureRequest& request, const std::vector<ExpectedPart>& before,
                       ExpectedPart& part) {
  std::set<std::string> used, named{"i"};
  for (const std::string& expression : part.expressions)
    for (const ScanToken& token : scan_tokens(expression)) used.emplace(token.text);
  std::string parameters, constants;
  const auto add_buffer = [&](const std::string& type, const std::string& name) {
    parameters += ", const " + type + "* " + name;
    part.buffers.push_back(name);
    named.insert(name);
  };
  for (const ExpectedPart& one : before)
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
  part.text = std::string("__global__ void ") + kExpectedKernel + "(" + part.type + "* warplens_expected" +
              parameters + ") {\n  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;\n" +
              constants + "  if (i < " + std::to_string(part.threads) + "ll) " + part.body + "\n}\n";
  return {};
}

}  // namespace

int scalars_each(const KernelArgument& buffer) {
  return std::get<BufferArgument>(buffer.value).element_bytes / sim::size_of(buffer.type);
}

ExpectedRule expected_rule(const MeasureRequest& request, const KernelArgument& target) {
  ExpectedRule rule;
  const auto add = [&](ExpectedPart part) {
    if (rule.problem.empty()) rule.problem = write_text(request, rule.parts, part);
    rule.parts.push_back(std::move(part));
  };
  for (const scenario::CheckStep& step : request.check->before) add(part_of(step));
  if (element_type(target).empty()) rule.problem = "buffer '" + target.name + "' holds structures";
  add(last_part(request, target));
  const std::uint64_t all = rule.parts.back().elements;
  rule.elements = std::min(all, number_in<std::uint64_t>(request.check->elements).value_or(all));
  return rule;
}

}  // namespace warplens::measure
