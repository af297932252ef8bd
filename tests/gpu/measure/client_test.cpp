// The client against a stand-in child that misbehaves in every way it can: each time a clear answer, no hang,
// and the next measurement works again where it can.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/gpu/measure/stand_in.h"

namespace warplens::measure {
namespace client_test {

using testing::HasSubstr;

Failure failure_with(const std::string& how, MeasureRequest r = request()) {
  GpuClient client(stand_in(how), options_for(how));
  return failure_of(measure_once(client, std::move(r)));
}

TEST(GpuClient, SaysWhichGpuThereIs) {
  GpuClient client(stand_in("good"), options_for("good"));
  const ClientStatus status = client.wait_for_status(kPatience);
  ASSERT_EQ(status.state, ClientState::Ready);
  EXPECT_EQ(status.gpu->name, "Stand-in GPU");
  EXPECT_EQ(status.gpu->sm(), "sm_90");
  EXPECT_EQ(status.version, "0.1.0");
}

TEST(GpuClient, BringsProgressAndTheMeasurement) {
  GpuClient client(stand_in("good"), options_for("good"));
  int progress = 0;
  const auto result = finish(client, client.submit(request()), &progress);
  const auto* m = std::get_if<Measurement>(&result);
  ASSERT_NE(m, nullptr);
  EXPECT_EQ(progress, 1);
  EXPECT_DOUBLE_EQ(m->cold.median, 3e-6);
  EXPECT_EQ(m->key, key_of(request().subject));
}

TEST(GpuClient, KeepsSeveralTicketsApart) {
  GpuClient client(stand_in("good"), options_for("good"));
  const auto first = client.submit(request()), second = client.submit(request());
  std::vector<std::uint64_t> ended;
  for (int i = 0; i < 3000 && ended.size() < 2; ++i)
    for (const ClientEvent& event : client.wait(0.1))
      if (std::holds_alternative<Measurement>(event.what)) ended.push_back(event.ticket);
  EXPECT_THAT(ended, testing::ElementsAre(first, second));
}

TEST(GpuClient, SaysThatThereIsNoGpu) {
  GpuClient client(stand_in("no-gpu"), options_for("no-gpu"));
  EXPECT_EQ(client.wait_for_status(kPatience).state, ClientState::NoGpu);
  const Failure failure = failure_of(measure_once(client));
  EXPECT_EQ(failure.kind, FailureKind::NoGpu);
  EXPECT_THAT(failure.message, HasSubstr("no NVIDIA driver"));
}

TEST(GpuClient, SaysThatTheProgramIsNotThere) {
  GpuClient none({}, options_for(""));
  EXPECT_EQ(none.wait_for_status(kPatience).failure.kind, FailureKind::Start);
  GpuClient missing({"/nonexistent/warplens-gpu"}, options_for(""));
  const ClientStatus status = missing.wait_for_status(kPatience);
  EXPECT_EQ(status.state, ClientState::Broken);
  EXPECT_THAT(status.failure.message, HasSubstr("/nonexistent/warplens-gpu could not be started"));
}

TEST(GpuClient, PassesOverALoginBanner) {
  GpuClient client(stand_in("chatter"), options_for("chatter"));
  EXPECT_EQ(client.wait_for_status(kPatience).state, ClientState::Ready);
}

struct Misbehaviour {
  const char* how;
  FailureKind kind;
  std::vector<const char*> words;  // of the message
};

// What is no program of ours, speaks another version, or ends at once: its last words are quoted.
TEST(GpuClient, RefusesWhatDoesNotGreetAsItShould) {
  for (const Misbehaviour& one :
       {Misbehaviour{"only-chatter", FailureKind::Protocol, {"no, I am something else"}},
        {"other-version", FailureKind::Protocol, {"warplens.gpu/2"}},
        {"ends-at-once", FailureKind::Start, {"exit code 255", "Could not resolve hostname lab"}}}) {
    SCOPED_TRACE(one.how);
    GpuClient client(stand_in(one.how), options_for(one.how));
    const ClientStatus status = client.wait_for_status(kPatience);
    EXPECT_EQ(status.state, ClientState::Broken);
    EXPECT_EQ(status.failure.kind, one.kind);
    for (const char* words : one.words) EXPECT_THAT(status.failure.message, HasSubstr(words));
  }
}

TEST(GpuClient, GivesUpOnASilentProgram) {
  ClientOptions options = options_for("silent");
  options.hello_seconds = 0.3;
  GpuClient client(stand_in("silent"), options);
  const ClientStatus status = client.wait_for_status(kPatience);
  EXPECT_EQ(status.failure.kind, FailureKind::Start);
  EXPECT_THAT(status.failure.message, HasSubstr("did not answer"));
}

// Nonsense, a field that is none, a link that drops in the middle of a line, a child that is killed.
TEST(GpuClient, SaysWhatIsWrongWithTheAnswer) {
  for (const Misbehaviour& one :
       {Misbehaviour{"garbage", FailureKind::Protocol, {"not json at all"}},
        {"wrong-field", FailureKind::Protocol, {"measurement.subject: must be an object"}},
        {"half-line", FailureKind::Protocol, {"exit code 7 in the middle of a measurement"}},
        {"crashes", FailureKind::Protocol, {"killed by signal 9", "the last word"}}}) {
    SCOPED_TRACE(one.how);
    const Failure failure = failure_with(one.how);
    EXPECT_EQ(failure.kind, one.kind);
    for (const char* words : one.words) EXPECT_THAT(failure.message, HasSubstr(words));
  }
}

TEST(GpuClient, EndsAnEndlessKernelAtItsDeadline) {
  MeasureRequest r = request();
  r.deadline_seconds = 0.2;
  const Failure failure = failure_with("endless", r);
  EXPECT_EQ(failure.kind, FailureKind::Deadline);
  EXPECT_THAT(failure.remedy, HasSubstr("endless loop"));
}

TEST(GpuClient, CancelsWhatRunsAndWhatWaits) {
  GpuClient client(stand_in("endless"), options_for("endless"));
  const auto running = client.submit(request()), waiting = client.submit(request());
  client.wait_for_status(kPatience);
  client.cancel_all();
  std::map<std::uint64_t, FailureKind> ended;
  for (int i = 0; i < 3000 && ended.size() < 2; ++i)
    for (const ClientEvent& event : client.wait(0.1))
      if (const auto* failure = std::get_if<Failure>(&event.what)) ended[event.ticket] = failure->kind;
  EXPECT_EQ(ended[running], FailureKind::Cancelled);
  EXPECT_EQ(ended[waiting], FailureKind::Cancelled);
}

TEST(GpuClient, StartsANewChildAfterALostOne) {
  for (const std::string how : {"sticky", "crashes", "leaves"}) {
    GpuClient client(stand_in(how), options_for(how));
    for (int round = 0; round < 3; ++round) {
      EXPECT_NE(failure_of(measure_once(client)).kind, FailureKind::Internal) << how;
    }
    EXPECT_EQ(client.status().state, ClientState::Ready) << how;
  }
}

TEST(GpuClient, PassesOverAnswersToOlderRequests) {
  GpuClient client(stand_in("stale"), options_for("stale"));
  EXPECT_TRUE(std::holds_alternative<Measurement>(measure_once(client)));
}

// Whatever comes through the pipe is a measurement or an explained failure, and the next request is answered.
TEST(GpuClient, SurvivesAnyAnswer) {
  GpuClient client(stand_in("mutated"), options_for("mutated"));
  MeasureRequest r = request();
  r.deadline_seconds = 0.05;
  int failures = 0;
  for (int round = 0; round < 150; ++round) {
    const auto result = measure_once(client, r);
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
  MeasureRequest r = request();
  r.deadline_seconds = 1e6;  // who waited for that would never come back
  GpuClient client(stand_in("endless"), options_for("endless"));
  client.submit(r);
  client.wait_for_status(kPatience);
}

TEST(GpuClient, WakesTheCallerAfterEachEvent) {
  std::atomic<int> woken{0};
  ClientOptions options = options_for("good");
  options.on_event = [&] { ++woken; };
  GpuClient client(stand_in("good"), options);
  measure_once(client);
  for (int i = 0; i < 60'000 && woken < 3; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
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

}  // namespace client_test
}  // namespace warplens::measure
