// warplens-gpu itself, on any machine: it always starts, always answers in its protocol, and ends with its
// input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "app/measure/gpu_client.h"

namespace warplens::measure {
namespace {

using testing::HasSubstr;

class Program : public testing::Test {
 protected:
  std::unique_ptr<ChildProcess> child;
  void SetUp() override {
    Message error;
    child = ChildProcess::start({WARPLENS_BIN_DIR "/warplens-gpu"}, error);
    ASSERT_TRUE(child) << error;
  }
  Reply ask(const std::string& line) {
    const auto deadline = Clock::now() + std::chrono::minutes(5);
    EXPECT_TRUE(child->write_line(line, deadline));
    const auto received = child->read_line(deadline, nullptr, kLongestLine);
    EXPECT_EQ(received.event, ChildProcess::Event::Line);
    Message error;
    const auto reply = reply_from_line(received.line, error);
    EXPECT_TRUE(reply) << error << ": " << received.line;
    return reply.value_or(Reply{});
  }
  Failure refusal(const std::string& line) {
    const Reply reply = ask(line);
    const auto* failure = std::get_if<Failure>(&reply.body);
    return failure != nullptr
               ? *failure
               : Failure{FailureKind::Internal, Message::verbatim("it was not refused"), {}, {}, false};
  }
};

TEST_F(Program, NamesItsGpuOrSaysWhyThereIsNone) {
  const Reply reply = ask(simple_request("hello", 1).dump());
  const auto* hello = std::get_if<Hello>(&reply.body);
  ASSERT_NE(hello, nullptr);
  EXPECT_EQ(hello->version, WARPLENS_VERSION);
  EXPECT_NE(hello->gpu.has_value(), !hello->reason.empty());
  if (!hello->gpu) {
    EXPECT_THAT(hello->reason, testing::AnyOf(HasSubstr("no NVIDIA driver"), HasSubstr("no GPU")));
  }
}

TEST_F(Program, RefusesWhatItCannotReadAndGoesOn) {
  EXPECT_THAT(refusal("{\"request\": ").message, HasSubstr("not sound JSON"));
  EXPECT_THAT(refusal("[]").message, HasSubstr("must be an object"));
  EXPECT_THAT(refusal(std::string(5000, '[')).message, HasSubstr("nested deeper"));
  EXPECT_THAT(refusal(R"({"request": "dance", "id": 3})").message, HasSubstr("\"dance\""));
  EXPECT_THAT(refusal(R"({"schema": "warplens.gpu/2", "request": "hello", "id": 4})").message,
              HasSubstr("warplens.gpu/2"));
  EXPECT_THAT(refusal(R"({"request": "measure", "id": 5})").message, HasSubstr("subject: is missing"));
}

// Changed in any way, a request is answered, and the program goes on. It sees no GPU: one would run mutated
// kernels.
TEST_F(Program, AnswersEveryMutatedRequest) {
  Message error;
  child = ChildProcess::start({"env", "CUDA_VISIBLE_DEVICES=", WARPLENS_BIN_DIR "/warplens-gpu"}, error);
  ASSERT_TRUE(child) << error;
  ASSERT_FALSE(std::get<Hello>(ask(simple_request("hello", 1).dump()).body).gpu);
  MeasureRequest request;
  request.id = 7;
  request.subject.text = "__global__ void k(float* a, int n) { a[0] = n; }";
  request.subject.kernel = "k";
  request.subject.arguments = {{"a", sim::ScalarType::F32, BufferArgument{32, 4, sim::Fill::Iota, false}},
                               {"n", sim::ScalarType::I32, std::int64_t{5}}};
  request.check = scenario::OutputCheck{"a", "32", "i", 0};
  const std::string good = scenario::json_of(request).dump();
  std::minstd_rand random(11);
  int asked = 0;
  for (int round = 0; round < 300; ++round) {
    std::string line = good;
    for (int i = 0; i < 2; ++i) line[random() % line.size()] = static_cast<char>(' ' + random() % 95);
    if (line.find("\"quit\"") != std::string::npos || line.find("\"cancel\"") != std::string::npos) continue;
    EXPECT_TRUE(std::holds_alternative<Failure>(ask(line).body));
    ++asked;
  }
  EXPECT_GT(asked, 250);
}

TEST_F(Program, EndsWithItsInput) {
  child->end(300);
  EXPECT_EQ(child->how_it_ended(), "ended with exit code 0");
}

TEST_F(Program, EndsWhenAsked) {
  const auto deadline = Clock::now() + std::chrono::minutes(5);
  EXPECT_TRUE(child->write_line(simple_request("quit", 9).dump(), deadline));
  EXPECT_EQ(child->read_line(deadline, nullptr, 1000).event, ChildProcess::Event::Ended);
  while (child->running() && Clock::now() < deadline) {
  }
  EXPECT_EQ(child->how_it_ended(), "ended with exit code 0");
}

}  // namespace
}  // namespace warplens::measure
