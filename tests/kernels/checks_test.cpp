// Each scenario's own output check (`expected`), worked out in the simulator as a kernel of its own, holds
// for the kernel's output, and does not hold for an output that is wrong in one place.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "sim/memory/gpu_model.h"
#include "tests/kernels/gallery.h"

namespace warplens::test {
namespace {

using scenario::ParameterValues;

const warp::KernelParameter& find_parameter(const warp::Program& program, const std::string& name) {
  for (const warp::KernelParameter& p : program.parameters) {
    if (p.name == name) return p;
  }
  throw std::runtime_error("no parameter " + name);
}

// "const float*" -> "float"
std::string pointee(const warp::KernelParameter& p) {
  std::string type = p.type_text.substr(0, p.type_text.find('*'));
  for (const std::string qualifier : {"const ", "volatile "}) {
    if (type.starts_with(qualifier)) type.erase(0, qualifier.size());
  }
  return type;
}

std::string constants(const scenario::Setup& s, const warp::Program& program) {
  std::string text;
  for (const warp::KernelParameter& p : program.parameters) {
    if (p.is_pointer) continue;
    const warp::Argument& argument = s.launch.arguments.at(p.name);
    const auto* integer = std::get_if<std::int64_t>(&argument);
    text += "  const " + p.type_text + " " + p.name + " = " +
            (integer ? std::to_string(*integer) : std::to_string(std::get<double>(argument))) + ";\n";
  }
  for (const auto& [name, value] : s.values) {
    bool taken = false;
    for (const warp::KernelParameter& p : program.parameters) taken |= p.name == name;
    if (!taken) text += "  const long long " + name + " = " + std::to_string(value) + ";\n";
  }
  return text;
}

// What the check expects of the first `elements` elements, as bytes of the buffer's type.
std::vector<std::uint8_t> expected_buffer(const scenario::Setup& s, const warp::Program& program) {
  const warp::KernelParameter& target = find_parameter(program, s.check->buffer);
  scenario::Setup e = s;
  e.compile.kernel = "expected_values";
  e.compile.template_arguments.clear();
  std::string parameters = pointee(target) + "* expected";
  for (const warp::KernelParameter& p : program.parameters) {
    if (p.is_pointer) parameters += ", const " + pointee(p) + "* " + p.name;
  }
  e.compile.text += "\n__global__ void expected_values(" + parameters +
                    ") {\n  long long i = blockIdx.x * blockDim.x + threadIdx.x;\n" + constants(s, program) +
                    "  if (i < " + s.check->elements + ") expected[i] = " + s.check->expected + ";\n}\n";
  std::uint64_t elements = std::stoull(s.check->elements);
  warp::Launch launch{{static_cast<std::uint32_t>((elements + 255) / 256)}, {256}, 0, {}};
  launch.arguments["expected"] = warp::Buffer{elements, warp::Fill::Zero};
  for (const auto& [name, argument] : s.launch.arguments) {
    if (std::holds_alternative<warp::Buffer>(argument)) launch.arguments[name] = argument;
  }
  warp::GridValues values = warp::run_grid(compile(e), launch, memory::default_gpu_model());
  if (values.error) throw std::runtime_error(values.error->message);
  return values.buffers.at(0);
}

template <typename T>
std::int64_t first_apart(const std::vector<T>& want, const std::vector<T>& have, double tolerance) {
  for (std::size_t i = 0; i < want.size(); ++i) {
    const double expected = want[i];
    if (!(std::abs(have[i] - expected) <= tolerance * std::abs(expected)))
      return static_cast<std::int64_t>(i);
  }
  return -1;
}

// The first element that is not within the tolerance, or -1.
std::int64_t first_wrong(const scenario::Setup& s, const warp::KernelParameter& target,
                         const std::vector<std::uint8_t>& expected, const std::vector<std::uint8_t>& got) {
  if (expected.size() != got.size()) return 0;
  if (s.check->tolerance == 0) {
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (got[i] != expected[i]) return static_cast<std::int64_t>(i) / target.element_bytes;
    }
    return -1;
  }
  return target.type == warp::ScalarType::F64
             ? first_apart(as<double>(expected), as<double>(got), s.check->tolerance)
             : first_apart(as<float>(expected), as<float>(got), s.check->tolerance);
}

class Checks : public testing::TestWithParam<std::string> {};

void expect_check_holds(const Case& c) {
  scenario::Setup s = setup(c);
  ASSERT_TRUE(s.check);
  warp::Program program = compile(s);
  const warp::KernelParameter& target = find_parameter(program, s.check->buffer);
  std::vector<std::uint8_t> expected = expected_buffer(s, program),
                            got = simulated_buffer(c, s.check->buffer);
  ASSERT_FALSE(got.empty());
  EXPECT_EQ(first_wrong(s, target, expected, got), -1);
  std::size_t last = got.size() - static_cast<std::size_t>(target.element_bytes);
  got[got.size() - 1] ^= 0x40;  // the highest byte of the last element
  EXPECT_EQ(first_wrong(s, target, expected, got), static_cast<std::int64_t>(last) / target.element_bytes);
}

TEST_P(Checks, HoldForTheOutputAndForNoOther) {
  for (const Case& c : parameter_sweep(GetParam())) {
    SCOPED_TRACE(testing::PrintToString(c));
    expect_check_holds(c);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Small, Checks, testing::ValuesIn(all_names()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace warplens::test
