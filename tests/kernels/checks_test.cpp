// Each scenario's own output check (`expected`), worked out in the simulator as a kernel of its own, holds
// for the kernel's output; and it does not hold for an output that is wrong in one place, wherever that is.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>

#include "sim/memory/gpu_model.h"
#include "tests/kernels/gallery.h"

namespace warplens::test {
namespace {

using Bytes = std::vector<std::uint8_t>;
using scenario::ParameterValues;

const sim::KernelParameter& find_parameter(const sim::Program& program, const std::string& name) {
  for (const sim::KernelParameter& p : program.parameters) {
    if (p.name == name) return p;
  }
  throw std::runtime_error("no parameter " + name);
}

// "const float*" -> "float"
std::string pointee(const sim::KernelParameter& p) {
  if (p.type_text.find("CUtensorMap") != std::string::npos) return sim::name_of(p.type);  // of its elements
  std::string type = p.type_text.substr(0, p.type_text.find('*'));
  for (const std::string qualifier : {"const ", "volatile "}) {
    if (type.starts_with(qualifier)) type.erase(0, qualifier.size());
  }
  return type;
}

std::string constants(const scenario::Setup& s, const sim::Program& program) {
  std::string text;
  for (const sim::KernelParameter& p : program.parameters) {
    if (p.is_pointer || p.name.find('.') != std::string::npos) continue;  // a tensor map's parts
    const sim::Argument& argument = s.launch.arguments.at(p.name);
    const auto* integer = std::get_if<std::int64_t>(&argument);
    text += "  const " + p.type_text + " " + p.name + " = " +
            (integer ? std::to_string(*integer) : std::to_string(std::get<double>(argument))) + ";\n";
  }
  for (const auto& [name, value] : s.values) {
    bool taken = false;
    for (const sim::KernelParameter& p : program.parameters) taken |= p.name == name;
    if (!taken) text += "  const long long " + name + " = " + std::to_string(value) + ";\n";
  }
  return text;
}

using Steps = std::map<std::string, sim::Buffer>;  // worked out already, of doubles

// Runs `statement` for each i below `threads` and gives what it leaves in `expected`.
std::vector<std::uint8_t> worked_out(const scenario::Setup& s, const sim::Program& program,
                                     const Steps& steps, const std::string& type, std::uint64_t elements,
                                     const std::string& threads, const std::string& statement) {
  scenario::Setup e = s;
  e.compile.kernel = "expected_values";
  e.compile.template_arguments.clear();
  std::string parameters = type + "* expected";
  for (const sim::KernelParameter& p : program.parameters) {
    if (p.is_pointer) parameters += ", const " + pointee(p) + "* " + p.name;
  }
  for (const auto& [name, buffer] : steps) parameters += ", const double* " + name;
  e.compile.text += "\n__global__ void expected_values(" + parameters +
                    ") {\n  long long i = blockIdx.x * blockDim.x + threadIdx.x;\n" + constants(s, program) +
                    "  if (i < " + threads + ") {" + statement + "}\n}\n";
  sim::Launch launch{{static_cast<std::uint32_t>((std::stoull(threads) + 255) / 256)}, {256}, 0, {}};
  launch.arguments["expected"] = sim::Buffer{elements, sim::Fill::Zero};
  for (const auto& [name, argument] : s.launch.arguments) {
    if (std::holds_alternative<sim::Buffer>(argument)) launch.arguments[name] = argument;
  }
  for (const auto& [name, buffer] : steps) launch.arguments[name] = buffer;
  sim::GridValues values = sim::run_grid(compile(e), launch, memory::default_gpu_model());
  if (values.error) throw std::runtime_error(values.error->message);
  return values.buffers.at(0);
}

Steps steps_before(const scenario::Setup& s, const sim::Program& program) {
  Steps steps;
  for (const scenario::CheckStep& step : s.check->before) {
    const std::string statement =
        "double all = " + std::string(step.largest ? "-1e300" : "0") + "; for (long long j = 0; j < " +
        step.terms + "; ++j) { double one = " + step.of +
        "; all = " + (step.largest ? "one > all ? one : all" : "all + one") + "; } expected[i] = all;";
    const std::vector<std::uint8_t> values =
        worked_out(s, program, steps, "double", std::stoull(step.elements), step.elements, statement);
    sim::Buffer buffer{std::stoull(step.elements)};
    buffer.data = std::make_shared<const std::string>(values.begin(), values.end());
    steps[step.name] = buffer;
  }
  return steps;
}

// What the check expects of the first `elements` elements, as bytes of the buffer's type.
std::vector<std::uint8_t> expected_buffer(const scenario::Setup& s, const sim::Program& program) {
  const bool counts = !s.check->counted.empty();
  const std::string statement = counts ? "atomicAdd(&expected[" + s.check->expected + "], 1);"
                                       : "expected[i] = " + s.check->expected + ";";
  return worked_out(s, program, steps_before(s, program), pointee(find_parameter(program, s.check->buffer)),
                    std::stoull(s.check->elements), counts ? s.check->counted : s.check->elements, statement);
}

template <typename T>
std::int64_t first_apart(const std::vector<T>& want, const std::vector<T>& have,
                         const scenario::OutputCheck& check) {
  for (std::size_t i = 0; i < want.size(); ++i) {
    const double expected = want[i], got = have[i];
    const bool near = std::isfinite(expected)
                          ? std::abs(got - expected) <= check.tolerance * std::abs(expected) + check.margin
                          : got == expected;
    if (!near) return static_cast<std::int64_t>(i);
  }
  return -1;
}

// The first element that is not within the tolerance, or -1.
std::int64_t first_wrong(const scenario::Setup& s, const sim::KernelParameter& target,
                         const std::vector<std::uint8_t>& expected, const std::vector<std::uint8_t>& got) {
  if (expected.size() != got.size()) return 0;
  if (s.check->tolerance == 0) {
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (got[i] != expected[i]) return static_cast<std::int64_t>(i) / target.element_bytes;
    }
    return -1;
  }
  return target.type == sim::ScalarType::F64 ? first_apart(as<double>(expected), as<double>(got), *s.check)
                                             : first_apart(as<float>(expected), as<float>(got), *s.check);
}

class Checks : public testing::TestWithParam<std::string> {};

Bytes run(const scenario::Setup& s, const sim::Program& program) {
  sim::GridValues values = sim::run_grid(program, s.launch, memory::default_gpu_model());
  if (values.error) throw std::runtime_error(values.error->message);
  for (std::size_t i = 0; i < program.parameters.size(); ++i)
    if (program.parameters[i].name == s.check->buffer) return values.buffers.at(i);
  throw std::runtime_error("no buffer " + s.check->buffer);
}

// A changed bit is seen in the first and the last element and in some between, in the highest byte of each;
// where every bit counts, in the lowest too.
void expect_every_flip_is_seen(const scenario::Setup& s, const sim::KernelParameter& target,
                               const Bytes& expected, Bytes got) {
  const auto element = static_cast<std::size_t>(target.element_bytes);
  const std::size_t count = got.size() / element;
  std::vector<std::pair<std::size_t, std::uint8_t>> flips{{element - 1, 0x40}};
  if (s.check->tolerance == 0) flips.insert(flips.end(), {{0, 0x01}, {element / 2, 0x10}});
  for (const std::size_t at : std::set<std::size_t>{0, 1 % count, count / 3, count / 2, count - 1}) {
    for (const auto& [byte, bit] : flips) {
      got[at * element + byte] ^= bit;
      EXPECT_EQ(first_wrong(s, target, expected, got), static_cast<std::int64_t>(at)) << "byte " << byte;
      got[at * element + byte] ^= bit;
    }
  }
  got.pop_back();
  EXPECT_NE(first_wrong(s, target, expected, got), -1) << "a byte is missing";
}

void expect_check_holds(const Case& c) {
  scenario::Setup s = setup(c);
  ASSERT_TRUE(s.check);
  sim::Program program = compile(s);
  const sim::KernelParameter& target = find_parameter(program, s.check->buffer);
  const Bytes expected = expected_buffer(s, program), got = run(s, program);
  ASSERT_FALSE(got.empty());
  EXPECT_EQ(first_wrong(s, target, expected, got), -1)
      << "the simulated kernel, against the scenario's check";
  expect_every_flip_is_seen(s, target, expected, got);
}

TEST_P(Checks, HoldForTheOutputAndForNoOther) {
  const std::vector<Case> cases = parameter_sweep(GetParam());
  ASSERT_FALSE(cases.empty());
  for (const Case& c : cases) {
    SCOPED_TRACE(testing::PrintToString(c));
    expect_check_holds(c);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Small, Checks, testing::ValuesIn(all_names()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace warplens::test
