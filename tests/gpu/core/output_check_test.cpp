// The verdict on a kernel's output, with made-up output in place of a GPU's.
#include "kernels/gpu/output_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "kernels/gpu/arguments.h"

namespace warplens::gpu {
namespace {

template <typename T>
std::vector<std::byte> bytes(const std::vector<T>& values) {
  std::vector<std::byte> result(values.size() * sizeof(T));
  std::memcpy(result.data(), values.data(), result.size());
  return result;
}

using measure::BufferArgument;
using measure::CheckState;
using measure::KernelArgument;
using measure::MeasureRequest;
using measure::OutputResult;
using sim::ScalarType;
using testing::HasSubstr;

MeasureRequest doubling() {
  MeasureRequest r;
  r.id = 1;
  r.subject.text =
      "__global__ void k(float* out, const float* in, int n) { int i = blockIdx.x * blockDim.x + "
      "threadIdx.x; if (i < n) out[i] = 2 * in[i]; }";
  r.subject.kernel = "k";
  r.subject.grid = {2, 1, 1};
  r.subject.block = {32, 1, 1};
  r.subject.arguments = {{"out", ScalarType::F32, BufferArgument{40, 4, sim::Fill::Zero, false}},
                         {"in", ScalarType::F32, BufferArgument{40, 4, sim::Fill::Iota, true}},
                         {"n", ScalarType::I32, std::int64_t{40}}};
  r.check = scenario::OutputCheck{"out", "n", "in[i] * factor", 0};
  r.check->elements = "40";
  r.parameters = {{"factor", 2}};
  return r;
}

OutputResult check(const MeasureRequest& request, const std::vector<float>& output) {
  return check_output(
      request, [&](const std::string&) { return bytes(output); }, Watch{});
}

std::vector<float> doubled() {
  std::vector<float> values(40);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 2.0f * static_cast<float>(i);
  return values;
}

TEST(OutputCheck, AcceptsWhatTheRuleExpects) {
  const OutputResult result = check(doubling(), doubled());
  EXPECT_EQ(result.state, CheckState::Right) << result.how;
  EXPECT_EQ(result.compared, 40u);
}

TEST(OutputCheck, NamesTheFirstDifference) {
  std::vector<float> wrong = doubled();
  wrong[33] = 67;
  wrong[39] = 0;
  const OutputResult result = check(doubling(), wrong);
  EXPECT_EQ(result.state, CheckState::Wrong);
  EXPECT_EQ(result.element, 33u);
  EXPECT_EQ(result.expected, "66");
  EXPECT_EQ(result.got, "67");
  EXPECT_EQ(result.differing, 2u);
}

TEST(OutputCheck, HoldsToleranceMarginAndLength) {
  struct Row {
    double tolerance, margin;
    std::size_t element;
    float value;
    CheckState state;
    bool by_rule = true;
    const char* elements = "40";
  };
  for (const Row& row : {Row{0, 0, 30, 60.0003f, CheckState::Wrong},
                         {1e-5, 0, 30, 60.0003f, CheckState::Right},
                         {1e-5, 0, 0, 0.0005f, CheckState::Wrong},
                         {1e-5, 1e-3, 0, 0.0005f, CheckState::Right},
                         {1e-5, 1e-3, 0, 0.002f, CheckState::Wrong},
                         {0, 0, 10, -1, CheckState::Right, true, "10"},  // beyond
                         {0, 0, 30, 60.0003f, CheckState::Right, false},
                         {0, 0, 30, 60.003f, CheckState::Wrong, false}}) {
    MeasureRequest request = doubling();
    request.check->tolerance = row.tolerance, request.check->margin = row.margin;
    request.check->elements = row.elements;
    if (!row.by_rule) request.check.reset();
    std::vector<float> near = doubled();
    near[row.element] = row.value;
    EXPECT_EQ(check(request, near).state, row.state)
        << row.value << " within " << row.tolerance << " and " << row.margin << " of " << row.elements;
  }
}

TEST(OutputCheck, SaysWhyARuleCannotBeApplied) {
  MeasureRequest request = doubling();
  request.check->expected = "in[i] +";
  EXPECT_EQ(check(request, doubled()).state, CheckState::NotChecked);
  request.check->expected = "in[i + 1000]";  // beyond the buffer
  const OutputResult result = check(request, doubled());
  EXPECT_EQ(result.state, CheckState::NotChecked);
  EXPECT_THAT(result.how, HasSubstr("could not be computed"));
  request.check->buffer = "nobody";
  EXPECT_THAT(check(request, doubled()).how, HasSubstr("'nobody'"));
}

TEST(OutputCheck, SimulatesTheKernelWhereThereIsNoRule) {
  MeasureRequest request = doubling();
  request.check.reset();
  EXPECT_EQ(check(request, doubled()).state, CheckState::Right) << check(request, doubled()).how;
  std::vector<float> wrong = doubled();
  wrong[7] = 15;
  EXPECT_EQ(check(request, wrong).element, 7u);
}

// Expected values are kept for the next rung, but only for buffers that are filled alike.
TEST(OutputCheck, ExpectsWhatFollowsFromTheFill) {
  MeasureRequest request = doubling();
  EXPECT_EQ(check(request, doubled()).state, CheckState::Right);
  std::get<BufferArgument>(request.subject.arguments[1].value).fill = sim::Fill::Zero;
  EXPECT_EQ(check(request, doubled()).state, CheckState::Wrong);
  EXPECT_EQ(check(request, std::vector<float>(40)).state, CheckState::Right);
}

// Of 0 to 9 modulo 4, three are 0, three are 1, two are 2, two are 3.
TEST(OutputCheck, CountsWhatTheRuleNames) {
  MeasureRequest request = doubling();
  request.check = scenario::OutputCheck{"out", "4", "(int)in[i] % 4", 0, "10"};
  const OutputResult right = check(request, {3, 3, 2, 2});
  EXPECT_EQ(right.state, CheckState::Right) << right.how;
  EXPECT_EQ(right.compared, 4u);
  EXPECT_EQ(check(request, {3, 2, 3, 2}).state, CheckState::Wrong);
}

// Of 0 to 39 the largest below i + 1 is i, the sum of i terms of it is i * i; the largest of -1 and less is
// -1.
TEST(OutputCheck, WorksOutStepsBefore) {
  MeasureRequest request = doubling();
  request.check->before = {{"most", "40", "i + 1", "in[j]", true},
                           {"minus_one", "40", "i + 1", "-1.0 - in[j]", true},
                           {"total", "40", "i", "most[i] * -minus_one[i]"}};
  request.check->expected = "total[i] / factor";
  std::vector<float> squares(40);
  for (std::size_t i = 0; i < squares.size(); ++i) squares[i] = static_cast<float>(i * i) / 2;
  const OutputResult right = check(request, squares);
  EXPECT_EQ(right.state, CheckState::Right) << right.how;
  squares[39] += 1;
  EXPECT_EQ(check(request, squares).element, 39u);
  request.check->before[0].largest = false;  // the sum of 0 to i, i times
  EXPECT_EQ(check(request, squares).state, CheckState::Wrong) << "other steps, other values";
  request.check->before[2].of = "nobody[j]";
  EXPECT_EQ(check(request, squares).state, CheckState::NotChecked);
}

// Expected values follow a range, as the buffer does.
TEST(OutputCheck, ExpectsWhatFollowsFromTheRange) {
  MeasureRequest request = doubling();
  auto& in = std::get<BufferArgument>(request.subject.arguments[1].value);
  in.fill = sim::Fill::Random;
  for (const double most : {1.0, 5.0}) {
    in.range = sim::FillRange{-1, most};
    std::vector<float> values(40);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint64_t bits = sim::fill_element(in.fill, ScalarType::F32, i, 40, in.range);
      std::memcpy(&values[i], &bits, sizeof values[i]);
      values[i] *= 2;
    }
    EXPECT_EQ(check(request, values).state, CheckState::Right);
  }
}

TEST(OutputCheck, WithoutARuleTheFirstOutputThatDiffersIsNamed) {
  MeasureRequest request = doubling();
  request.check.reset();
  request.subject.text = "__global__ void k(float* a, float* b) { a[threadIdx.x] = 1; b[threadIdx.x] = 2; }";
  request.subject.grid = {1, 1, 1};
  request.subject.arguments = {{"a", ScalarType::F32, BufferArgument{32, 4, sim::Fill::Zero, false}},
                               {"b", ScalarType::F32, BufferArgument{32, 4, sim::Fill::Zero, false}}};
  const OutputResult result = check(request, std::vector<float>(32, 3.0f));
  EXPECT_EQ(result.state, CheckState::Wrong) << result.how;
  EXPECT_EQ(result.buffer, "a");
  EXPECT_EQ(result.differing, 32u);
  EXPECT_EQ(check(request, std::vector<float>(32, 1.0f)).buffer, "b");
}

TEST(OutputCheck, ChecksVectorElements) {
  MeasureRequest request = doubling();
  for (int i : {0, 1})
    std::get<BufferArgument>(request.subject.arguments[static_cast<std::size_t>(i)].value) = {
        10, 16, i == 0 ? sim::Fill::Zero : sim::Fill::Iota, i == 1};
  request.check = scenario::OutputCheck{"out", "10", "in[i]", 0};
  std::vector<float> same(40);
  for (std::size_t i = 0; i < same.size(); ++i) same[i] = static_cast<float>(i);
  EXPECT_EQ(check(request, same).state, CheckState::Right) << check(request, same).how;
  same[6] = 0;
  const OutputResult result = check(request, same);
  EXPECT_EQ(result.element, 1u);  // its third component
  EXPECT_EQ(result.expected, "6");
}

TEST(OutputCheck, WhatIsNotReadBackIsWrong) {
  MeasureRequest request = doubling();
  const auto nothing = [](const std::string&) { return std::vector<std::byte>(); };
  for (const bool by_rule : {true, false}) {
    request.check.reset();
    if (by_rule) request.check = scenario::OutputCheck{"out", "40", "2 * in[i]", 0};
    const OutputResult result = check_output(request, nothing, Watch{});
    EXPECT_EQ(result.state, CheckState::Wrong) << result.how;
    EXPECT_EQ(result.differing, 40u);
    EXPECT_EQ(result.got, "nothing");
  }
}

TEST(OutputCheck, NothingComparedIsNotRight) {
  MeasureRequest request = doubling();
  request.check = scenario::OutputCheck{"out", "0", "2 * in[i]", 0};
  EXPECT_NE(check(request, std::vector<float>(40)).state, CheckState::Right);
}

// What is compared, and how it is shown, is the simulator's (CompareValues); here buffers are added up.
TEST(CompareElements, OfSeveralBuffersTheFirstThatDiffersIsNamed) {
  OutputResult result;
  for (const int got : {2, 3})
    compare_elements(bytes<int>({1, 1}), bytes<int>({1, got}), ScalarType::I32, 2, 1, 0, result);
  EXPECT_EQ(result.compared, 4u);
  EXPECT_EQ(result.differing, 2u);
  EXPECT_EQ(result.got, "2");
}

}  // namespace
}  // namespace warplens::gpu
