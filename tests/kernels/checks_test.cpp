// Each scenario's own output check (`expected`), worked out in the simulator by the kernels that the GPU's
// process makes of it, holds for the kernel's output; and it does not hold for an output that is wrong in one
// place, wherever that is.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <span>
#include <stdexcept>

#include "app/measure/gpu_client.h"
#include "kernels/protocol/expected_rule.h"
#include "sim/count/compare_values.h"
#include "sim/memory/gpu_model.h"
#include "tests/kernels/gallery.h"

namespace warplens::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes run(const sim::Program& program, const sim::Launch& launch, const std::string& buffer) {
  sim::GridValues values = sim::run_grid(program, launch, memory::default_gpu_model());
  if (values.error) throw std::runtime_error(values.error->message);
  const auto at = std::ranges::find(program.parameters, buffer, &sim::KernelParameter::name);
  if (at == program.parameters.end()) throw std::runtime_error("no buffer " + buffer);
  return values.buffers.at(static_cast<std::size_t>(at - program.parameters.begin()));
}

// A check: the buffer that it is of, and what it expects there.
struct Expected {
  measure::KernelArgument target;
  std::size_t elements = 0;
  double tolerance, margin;
  Bytes bytes;

  // What the small kernels of the rule leave, each run behind the kernel's own text.
  Expected(const scenario::Setup& s, const sim::Program& program)
      : tolerance(s.check->tolerance), margin(s.check->margin) {
    const auto request = measure::make_request(s, program, measure::CompileMode::AsWritten);
    if (!request) throw std::runtime_error(request.errors.front().english());
    target =
        *std::ranges::find(request.value->subject.arguments, s.check->buffer, &measure::KernelArgument::name);
    const measure::ExpectedRule rule = measure::expected_rule(*request.value, target);
    if (!rule.problem.empty()) throw std::runtime_error(rule.problem);
    elements = rule.elements;
    auto known = s.launch.arguments;
    for (const measure::ExpectedPart& part : rule.parts) {
      scenario::Setup of = s;
      of.compile.kernel = measure::kExpectedKernel;
      of.compile.template_arguments.clear();
      of.compile.text += "\n" + part.text;
      sim::Launch launch{{static_cast<std::uint32_t>((part.threads + 255) / 256)}, {256}, 0, {}};
      launch.arguments["warplens_expected"] = sim::Buffer{part.elements, sim::Fill::Zero};
      for (const std::string& name : part.buffers) launch.arguments[name] = known.at(name);
      bytes = run(compile(of), launch, "warplens_expected");
      sim::Buffer buffer{part.elements};
      buffer.data = std::make_shared<const std::string>(bytes.begin(), bytes.end());
      known[part.name] = buffer;
    }
  }
  // The first element that is not within the tolerance, or -1.
  std::int64_t first_wrong(const Bytes& got) const {
    const int scalars = measure::scalars_each(target);
    const auto difference =
        sim::compare_values(std::as_bytes(std::span(bytes)), std::as_bytes(std::span(got)), target.type,
                            scalars, elements, tolerance, margin);
    return difference.differing == 0 ? -1 : static_cast<std::int64_t>(difference.element);
  }
  std::size_t element_bytes() const {
    return static_cast<std::size_t>(std::get<measure::BufferArgument>(target.value).element_bytes);
  }
};

class Checks : public testing::TestWithParam<std::string> {};

// A changed bit is seen in the first and the last element and in some between, in the highest byte of each;
// where every bit counts, in the lowest too.
void expect_every_flip_is_seen(const Expected& expected, Bytes got) {
  const std::size_t element = expected.element_bytes(), count = got.size() / element;
  std::vector<std::pair<std::size_t, std::uint8_t>> flips{{element - 1, 0x40}};
  if (expected.tolerance == 0) flips.insert(flips.end(), {{0, 0x01}, {element / 2, 0x10}});
  for (const std::size_t at : std::set<std::size_t>{0, 1 % count, count / 3, count / 2, count - 1}) {
    for (const auto& [byte, bit] : flips) {
      got[at * element + byte] ^= bit;
      EXPECT_EQ(expected.first_wrong(got), static_cast<std::int64_t>(at)) << "byte " << byte;
      got[at * element + byte] ^= bit;
    }
  }
  got.pop_back();
  EXPECT_NE(expected.first_wrong(got), -1) << "a byte is missing";
}

void expect_check_holds(const Case& c) {
  const scenario::Setup s = setup(c);
  ASSERT_TRUE(s.check);
  const sim::Program program = compile(s);
  const Expected expected(s, program);
  const Bytes got = run(program, s.launch, s.check->buffer);
  ASSERT_FALSE(got.empty());
  ASSERT_EQ(got.size(), expected.elements * expected.element_bytes()) << "all of it is checked";
  EXPECT_EQ(expected.first_wrong(got), -1) << "the simulated kernel, against the scenario's check";
  expect_every_flip_is_seen(expected, got);
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
