// A child is ended with all that it started, and what is said of its end is who ended it.
#include <gtest/gtest.h>
#include <signal.h>

#include <cerrno>
#include <thread>

#include "kernels/protocol/child_process.h"

namespace warplens::measure {
namespace left_behind_test {

constexpr std::chrono::minutes kPatience{5};

std::unique_ptr<ChildProcess> shell(const std::string& script) {
  Message error;
  auto child = ChildProcess::start({"sh", "-c", script}, error);
  EXPECT_TRUE(child) << error;
  return child;
}

// The process that the script's only line of output names.
pid_t started_by(ChildProcess& child) {
  const auto said = child.read_line(Clock::now() + kPatience, nullptr, 100);
  EXPECT_EQ(said.event, ChildProcess::Event::Line);
  return static_cast<pid_t>(std::atoi(said.line.c_str()));
}

bool is_gone(pid_t process) {
  for (int i = 0; i < 30'000; ++i) {
    if (kill(process, 0) != 0 && errno == ESRCH) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST(ChildProcess, LeavesNoProcessBehindItsLauncher) {
  for (const char* script : {"sleep 300 & echo $!", "sleep 300 & echo $!; exit 3",
                             "sleep 300 & echo $!; wait", "trap '' TERM; sleep 300 & echo $!"}) {
    const auto child = shell(script);
    const pid_t left = started_by(*child);
    ASSERT_GT(left, 1);
    child->end(0.05);
    EXPECT_TRUE(is_gone(left)) << script;
  }
}

TEST(ChildProcess, NorWhenItIsGivenUp) {
  pid_t left = 0;
  {
    const auto child = shell("sleep 300 & echo $!");
    left = started_by(*child);
    while (child->running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_TRUE(is_gone(left));
}

TEST(ChildProcess, SaysWhoEndedIt) {
  const auto by_itself = shell("exit 3"), by_a_signal = shell("kill -SEGV $$"),
             by_us = shell("exec >&-; while true; do sleep 1; done");
  by_itself->end(300);
  by_a_signal->end(300);
  by_us->end(0.05);
  EXPECT_EQ(by_itself->how_it_ended(), "ended with exit code 3");
  EXPECT_EQ(by_a_signal->how_it_ended(), "was killed by signal 11");
  EXPECT_EQ(by_us->how_it_ended(), "did not end by itself and was ended");
}

}  // namespace left_behind_test
}  // namespace warplens::measure
