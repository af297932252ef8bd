// The client against a stand-in child that misbehaves in every way it can: each time a clear answer, no hang,
// and the next measurement works again where it can.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "app/measure/gpu_client.h"

namespace warplens::measure {
namespace {

using testing::HasSubstr;

std::vector<std::string> stand_in(const std::string& how) {
  return {WARPLENS_BIN_DIR "/stand-in-gpu", how};
}

ClientOptions quick() {
  ClientOptions options;
  options.hello_seconds = 10;
  options.grace_seconds = 0.2;
  options.cancel_seconds = 0.2;
  options.patience_seconds = 0.1;
  options.longest_back_off_seconds = 0.05;
  return options;
}

MeasureRequest request() {
  MeasureRequest r;
  r.subject.text = "__global__ void k(float* a) { a[threadIdx.x] = 1; }";
  r.subject.kernel = "k";
  r.subject.arguments = {{"a", sim::ScalarType::F32, BufferArgument{32, 4, sim::Fill::Zero, false}}};
  r.useful_bytes = 128;
  r.deadline_seconds = 20;
  return r;
}

// The end of one ticket; Failure Internal "nothing came" after a generous time.
std::variant<Measurement, Failure> finish(GpuClient& client, std::uint64_t ticket, int* progress = nullptr) {
  for (int i = 0; i < 300; ++i)
    for (ClientEvent& event : client.wait(0.1)) {
      if (event.ticket != ticket) continue;
      if (progress != nullptr && std::holds_alternative<Progress>(event.what)) ++*progress;
      if (auto* m = std::get_if<Measurement>(&event.what)) return std::move(*m);
      if (auto* f = std::get_if<Failure>(&event.what)) return std::move(*f);
    }
  return Failure{FailureKind::Internal, Message::verbatim("nothing came"), {}, {}, false};
}

Failure failure_with(const std::string& how, MeasureRequest r = request()) {
  GpuClient client(stand_in(how), quick());
  const auto result = finish(client, client.submit(std::move(r)));
  const auto* failure = std::get_if<Failure>(&result);
  return failure != nullptr
             ? *failure
             : Failure{FailureKind::Internal, Message::verbatim("it succeeded"), {}, {}, false};
}

TEST(GpuClient, SaysWhichGpuThereIs) {
  GpuClient client(stand_in("good"), quick());
  const ClientStatus status = client.wait_for_status(10);
  ASSERT_EQ(status.state, ClientState::Ready);
  EXPECT_EQ(status.gpu->name, "Stand-in GPU");
  EXPECT_EQ(status.gpu->sm(), "sm_90");
  EXPECT_EQ(status.version, "0.1.0");
}

TEST(GpuClient, BringsProgressAndTheMeasurement) {
  GpuClient client(stand_in("good"), quick());
  int progress = 0;
  const auto result = finish(client, client.submit(request()), &progress);
  const auto* m = std::get_if<Measurement>(&result);
  ASSERT_NE(m, nullptr);
  EXPECT_EQ(progress, 1);
  EXPECT_DOUBLE_EQ(m->cold.median, 3e-6);
  EXPECT_EQ(m->key, key_of(request().subject));
}

TEST(GpuClient, KeepsSeveralTicketsApart) {
  GpuClient client(stand_in("good"), quick());
  const auto first = client.submit(request()), second = client.submit(request());
  std::vector<std::uint64_t> ended;
  for (int i = 0; i < 100 && ended.size() < 2; ++i)
    for (const ClientEvent& event : client.wait(0.1))
      if (std::holds_alternative<Measurement>(event.what)) ended.push_back(event.ticket);
  EXPECT_THAT(ended, testing::ElementsAre(first, second));
}

TEST(GpuClient, SaysThatThereIsNoGpu) {
  GpuClient client(stand_in("no-gpu"), quick());
  EXPECT_EQ(client.wait_for_status(10).state, ClientState::NoGpu);
  const auto result = finish(client, client.submit(request()));
  ASSERT_TRUE(std::holds_alternative<Failure>(result));
  EXPECT_EQ(std::get<Failure>(result).kind, FailureKind::NoGpu);
  EXPECT_THAT(std::get<Failure>(result).message, HasSubstr("no NVIDIA driver"));
}

TEST(GpuClient, SaysThatTheProgramIsNotThere) {
  GpuClient none({}, quick());
  EXPECT_EQ(none.wait_for_status(10).failure.kind, FailureKind::Start);
  GpuClient missing({"/nonexistent/warplens-gpu"}, quick());
  const ClientStatus status = missing.wait_for_status(10);
  EXPECT_EQ(status.state, ClientState::Broken);
  EXPECT_THAT(status.failure.message, HasSubstr("/nonexistent/warplens-gpu could not be started"));
}

TEST(GpuClient, PassesOverALoginBanner) {
  GpuClient client(stand_in("chatter"), quick());
  EXPECT_EQ(client.wait_for_status(10).state, ClientState::Ready);
}

TEST(GpuClient, RefusesAProgramThatIsSomethingElse) {
  GpuClient client(stand_in("only-chatter"), quick());
  const ClientStatus status = client.wait_for_status(10);
  EXPECT_EQ(status.state, ClientState::Broken);
  EXPECT_THAT(status.failure.message, HasSubstr("no, I am something else"));
}

TEST(GpuClient, RefusesAnotherVersionOfTheProtocol) {
  GpuClient client(stand_in("other-version"), quick());
  const ClientStatus status = client.wait_for_status(10);
  EXPECT_EQ(status.failure.kind, FailureKind::Protocol);
  EXPECT_THAT(status.failure.message, HasSubstr("warplens.gpu/2"));
}

TEST(GpuClient, QuotesTheLaunchersLastWords) {
  GpuClient client(stand_in("ends-at-once"), quick());
  const ClientStatus status = client.wait_for_status(10);
  EXPECT_EQ(status.failure.kind, FailureKind::Start);
  EXPECT_THAT(status.failure.message, HasSubstr("exit code 255"));
  EXPECT_THAT(status.failure.message, HasSubstr("Could not resolve hostname lab"));
}

TEST(GpuClient, GivesUpOnASilentProgram) {
  ClientOptions options = quick();
  options.hello_seconds = 0.3;
  GpuClient client(stand_in("silent"), options);
  const ClientStatus status = client.wait_for_status(10);
  EXPECT_EQ(status.failure.kind, FailureKind::Start);
  EXPECT_THAT(status.failure.message, HasSubstr("did not answer"));
}

TEST(GpuClient, SaysThatTheAnswerIsNonsense) {
  const Failure failure = failure_with("garbage");
  EXPECT_EQ(failure.kind, FailureKind::Protocol);
  EXPECT_THAT(failure.message, HasSubstr("not json at all"));
}

TEST(GpuClient, NamesTheFieldThatIsWrong) {
  const Failure failure = failure_with("wrong-field");
  EXPECT_EQ(failure.kind, FailureKind::Protocol);
  EXPECT_THAT(failure.message, HasSubstr("measurement.subject must be an object"));
}

TEST(GpuClient, SurvivesALinkThatDropsInTheMiddleOfALine) {
  const Failure failure = failure_with("half-line");
  EXPECT_EQ(failure.kind, FailureKind::Protocol);
  EXPECT_THAT(failure.message, HasSubstr("exit code 7 in the middle of a measurement"));
}

TEST(GpuClient, SaysHowTheChildWasKilled) {
  const Failure failure = failure_with("crashes");
  EXPECT_EQ(failure.kind, FailureKind::Protocol);
  EXPECT_THAT(failure.message, HasSubstr("killed by signal 9"));
  EXPECT_THAT(failure.message, HasSubstr("the last word"));
}

TEST(GpuClient, EndsAnEndlessKernelAtItsDeadline) {
  MeasureRequest r = request();
  r.deadline_seconds = 0.2;
  const Failure failure = failure_with("endless", r);
  EXPECT_EQ(failure.kind, FailureKind::Deadline);
  EXPECT_THAT(failure.remedy, HasSubstr("endless loop"));
}

TEST(GpuClient, KillsAChildThatIgnoresSigterm) {
  MeasureRequest r = request();
  r.deadline_seconds = 0.2;
  EXPECT_EQ(failure_with("deaf", r).kind, FailureKind::Deadline);
}

TEST(GpuClient, CancelsWhatRunsAndWhatWaits) {
  GpuClient client(stand_in("endless"), quick());
  const auto running = client.submit(request()), waiting = client.submit(request());
  client.wait_for_status(10);
  client.cancel_all();
  std::map<std::uint64_t, FailureKind> ended;
  for (int i = 0; i < 100 && ended.size() < 2; ++i)
    for (const ClientEvent& event : client.wait(0.1))
      if (const auto* failure = std::get_if<Failure>(&event.what)) ended[event.ticket] = failure->kind;
  EXPECT_EQ(ended[running], FailureKind::Cancelled);
  EXPECT_EQ(ended[waiting], FailureKind::Cancelled);
}

TEST(GpuClient, StartsANewChildAfterALostOne) {
  for (const std::string how : {"sticky", "crashes", "leaves"}) {
    GpuClient client(stand_in(how), quick());
    for (int round = 0; round < 3; ++round) {
      const auto result = finish(client, client.submit(request()));
      ASSERT_TRUE(std::holds_alternative<Failure>(result)) << how;
      EXPECT_NE(std::get<Failure>(result).message, "nothing came") << how;
    }
    EXPECT_EQ(client.status().state, ClientState::Ready) << how;
  }
}

TEST(GpuClient, PassesOverAnswersToOlderRequests) {
  GpuClient client(stand_in("stale"), quick());
  EXPECT_TRUE(std::holds_alternative<Measurement>(finish(client, client.submit(request()))));
}

// Whatever comes through the pipe is a measurement or an explained failure, and the next request is answered.
TEST(GpuClient, SurvivesAnyAnswer) {
  GpuClient client(stand_in("mutated"), quick());
  MeasureRequest r = request();
  r.deadline_seconds = 0.05;
  int failures = 0;
  for (int round = 0; round < 150; ++round) {
    const auto result = finish(client, client.submit(r));
    const auto* failure = std::get_if<Failure>(&result);
    if (failure == nullptr) continue;
    ++failures;
    EXPECT_TRUE(failure->kind == FailureKind::Protocol || failure->kind == FailureKind::Deadline)
        << failure->words();
    EXPECT_FALSE(failure->message.empty());
  }
  EXPECT_GT(failures, 50);
}

TEST(GpuClient, EndsWithoutWaitingForARunningKernel) {
  const auto begin = Clock::now();
  {
    GpuClient client(stand_in("endless"), quick());
    client.submit(request());
    client.wait_for_status(10);
  }
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(15));
}

TEST(GpuClient, WakesTheCallerAfterEachEvent) {
  std::atomic<int> woken{0};
  ClientOptions options = quick();
  options.on_event = [&] { ++woken; };
  GpuClient client(stand_in("good"), options);
  finish(client, client.submit(request()));
  for (int i = 0; i < 1000 && woken < 3; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_GE(woken, 3);  // ready, progress, measurement
}

TEST(GpuCommand, PutsTheProgramBehindTheLauncher) {
  Message error;
  EXPECT_THAT(gpu_command("ssh -p 22 'my lab'", error),
              testing::ElementsAre("ssh", "-p", "22", "my lab", "warplens-gpu"));
  EXPECT_THAT(gpu_command("ssh lab /opt/bin/warplens-gpu", error),
              testing::ElementsAre("ssh", "lab", "/opt/bin/warplens-gpu"));
  EXPECT_TRUE(gpu_command("ssh 'lab", error).empty());
  EXPECT_THAT(error, HasSubstr("quote"));
}

TEST(GpuCommand, TakesTheEnvironmentsWord) {
  setenv("WARPLENS_GPU", "/somewhere/warplens-gpu --batch", 1);
  Message error;
  EXPECT_THAT(gpu_command("", error), testing::ElementsAre("/somewhere/warplens-gpu", "--batch"));
  unsetenv("WARPLENS_GPU");
}

}  // namespace
}  // namespace warplens::measure
