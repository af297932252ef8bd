// Work beside the frame, with threads and without.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <thread>

#include "app/actions/apply.h"
#include "app/jobs/job.h"
#include "app/jobs/memo.h"
#include "app/simulate/simulator.h"
#include "tests/app/gallery.h"
#include "tests/app/slices.h"

namespace warplens::jobs::jobs_test {

using Cancel = const std::atomic<bool>*;
using Progress = std::atomic<double>*;
using std::chrono::milliseconds;

enum class Way { Threads, Whole, Slices };  // the last two without threads

RunnerOptions options(Way way, std::chrono::microseconds wait = std::chrono::hours(1)) {
  return {.wait = wait,
          .wake = {},
          .threads = way == Way::Threads,
          .slices = way == Way::Slices ? platform::contexts : nullptr};
}

class Jobs : public ::testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(Ways, Jobs, ::testing::Values(Way::Threads, Way::Whole, Way::Slices),
                         [](const auto& of) {
                           return of.param == Way::Threads ? "Threads"
                                  : of.param == Way::Whole ? "Whole"
                                                           : "Slices";
                         });

// Looks at its budget as long work does, until it was put aside for that many frames.
void look_for(int frames, const int& frame, Cancel cancel) {
  Budget budget({.cancel = cancel});
  for (const int end = frame + frames; frame < end;) budget.check(Stage::Counting);
}

// What a memo is asked for in one frame: the square of the key, unless `work` does something else.
struct Squares {
  explicit Squares(Way way) : runner(options(way)), memos(runner) {}
  Kept<int> of(int key, MemoOptions how = {}) {
    memos.begin_frame();
    const Kept<int> kept = memos.get<int>(
        key,
        [this, key](Budget&, std::atomic<double>*) {
          ++worked;
          if (fails) throw std::runtime_error("no room");
          return std::make_shared<const int>(key * key);
        },
        how);
    memos.end_frame();
    return kept;
  }
  Runner runner;
  Memos memos;
  int worked = 0;
  bool fails = false;
};

TEST_P(Jobs, AMemoIsWorkedOutOnceForEachKey) {
  Squares squares(GetParam());
  const std::shared_ptr<const int> nine = squares.of(3).value;
  ASSERT_TRUE(nine);
  EXPECT_EQ(*nine, 9);
  EXPECT_EQ(squares.of(3).value, nine);
  EXPECT_EQ(*squares.of(4).value, 16);
  EXPECT_EQ(squares.of(3).value, nine) << "it is kept beside the newer one";
  EXPECT_EQ(squares.worked, 2);
}

TEST_P(Jobs, AMemoKeepsNoMoreValuesThanItMay) {
  Squares squares(GetParam());
  for (const int key : {3, 4, 3}) EXPECT_EQ(*squares.of(key, {.most = 1}).value, key * key);
  EXPECT_EQ(squares.worked, 3);
}

TEST_P(Jobs, AMemoThatFailsSaysSoAndIsNotTriedAgain) {
  Squares squares(GetParam());
  squares.fails = true;
  for (int frame = 0; frame < 2; ++frame) {
    const Kept<int> kept = squares.of(3);
    EXPECT_FALSE(kept.value);
    EXPECT_FALSE(kept.busy);
    EXPECT_EQ(kept.failure, "no room");
  }
  EXPECT_EQ(squares.worked, 1);
  squares.fails = false;
  EXPECT_EQ(*squares.of(4).value, 16);
}

TEST_P(Jobs, AMemoThatMayNotBeginHasOnlyWhatIsKnown) {
  Squares squares(GetParam());
  EXPECT_FALSE(squares.of(3, {.begins = false}).busy);
  EXPECT_EQ(squares.worked, 0);
  const auto nine = squares.of(3).value;
  EXPECT_EQ(squares.of(3, {.begins = false}).value, nine);
}

TEST(Memo, IsWorkedOutWhereAFileIsWritten) {
  Budget budget;
  Memos memos(budget, nullptr);
  int worked = 0;
  const auto one = [&](Budget& given, std::atomic<double>*) {
    EXPECT_EQ(&given, &budget);
    return std::make_shared<const int>(++worked);
  };
  EXPECT_EQ(*memos.get<int>(1, one).value, 1);
  EXPECT_EQ(*memos.get<int>(1, one).value, 2) << "the command ends, so nothing is kept";
}

TEST_P(Jobs, WorkThatThrowsHasNoResultButAReason) {
  Runner runner(options(GetParam()));
  Job<int> job(runner);
  job.start([](Cancel, Progress) -> int { throw std::runtime_error("no room"); });
  EXPECT_FALSE(job.take());
  EXPECT_EQ(job.failure(), "no room");
  job.start([](Cancel, Progress) -> int {
    Budget small({.memory_bytes = 1});
    HeldMemory(small).need(2, Stage::Drawing);
    return 0;
  });
  EXPECT_FALSE(job.take());
  EXPECT_THAT(job.failure(), ::testing::HasSubstr("while drawing"));
  job.start([](Cancel, Progress) { return 3; });
  EXPECT_EQ(job.take(), 3);
  EXPECT_EQ(job.failure(), "");
  EXPECT_FALSE(job.take()) << "it is given once";
}

TEST(JobThreads, BeginWithWhatTheRunnerSays) {
  thread_local bool prepared = false;
  RunnerOptions prepares = options(Way::Threads);
  prepares.thread_begins = [] { prepared = true; };
  Runner runner(prepares);
  Job<bool> job(runner);
  job.start([](Cancel, Progress) { return prepared; });
  EXPECT_EQ(job.take(), true);
  EXPECT_FALSE(prepared) << "the frame's own thread is as it was";
}

TEST_P(Jobs, OnlyTheNewestCounts) {
  Runner runner(options(GetParam()));
  Job<int> job(runner);
  for (int i = 0; i < 20; ++i) {
    job.start([i](Cancel cancel, Progress) {
      while (i < 19 && !*cancel) std::this_thread::sleep_for(milliseconds(1));
      return i;
    });
  }
  EXPECT_EQ(job.take(), 19);
  EXPECT_FALSE(job.busy());
  job.start([](Cancel, Progress) { return 1; });
  job.cancel();
  EXPECT_FALSE(job.busy());
  EXPECT_FALSE(job.take());
}

TEST_P(Jobs, AFrameWaitsOnlyForWhatItBegan) {
  Runner runner(options(GetParam()));
  Job<int> job(runner);
  std::atomic<bool> go{false};
  job.start([&](Cancel cancel, Progress) {
    while (!go && !*cancel && runner.threaded()) std::this_thread::yield();
    return 7;
  });
  runner.begin_frame();
  EXPECT_FALSE(job.take()) << "begun in the frame before";
  EXPECT_TRUE(job.busy());
  go = true;
  std::optional<int> result;
  for (int i = 0; i < 300'000 && !result; ++i) {
    runner.work();
    result = job.take();
    if (!result) std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_EQ(result, 7);
}

TEST_P(Jobs, AFrameWaitsOnceForAll) {
  Runner runner(options(GetParam(), milliseconds(0)));
  Job<int> one(runner), two(runner);
  const auto forever = [](Cancel cancel, Progress) {
    while (!*cancel) std::this_thread::yield();
    return 0;
  };
  one.start(forever);
  two.start(forever);
  EXPECT_FALSE(one.take());
  EXPECT_FALSE(two.take()) << "the frame's time is over";
  EXPECT_TRUE(one.busy() && two.busy());
}  // both end with their jobs

TEST_P(Jobs, AJobThatGoesTakesItsWorkAlong) {
  Runner runner(options(GetParam(), milliseconds(0)));
  std::atomic<int> begun{0}, ended{0};
  for (int i = 0; i < 50; ++i) {
    Job<int> job(runner);
    job.start([&](Cancel, Progress) {
      ++begun;
      std::this_thread::sleep_for(milliseconds(1));
      return static_cast<int>(++ended);
    });
  }
  EXPECT_FALSE(runner.work());
  EXPECT_EQ(begun, ended);
}

TEST(Jobs, TheWindowIsWokenForWhatIsWanted) {
  std::atomic<int> woken{0};
  Runner runner({.wait = std::chrono::hours(1), .wake = [&] { ++woken; }, .threads = true});
  {
    Job<int> job(runner);
    for (int i = 0; i < 5; ++i) {
      job.start([i](Cancel cancel, Progress) {
        while (i < 4 && !*cancel) std::this_thread::sleep_for(milliseconds(1));
        return 0;
      });
    }
    EXPECT_EQ(job.take(), 0);
  }
  EXPECT_EQ(woken, 1);
}

TEST(JobSlices, LongWorkGivesWayAndGoesOn) {
  Runner runner(options(Way::Slices, milliseconds(2)));
  Job<int> job(runner);
  runner.begin_frame();
  int frames = 0;
  job.start([&](Cancel cancel, Progress progress) {
    look_for(2, frames, cancel);
    *progress = 0.5;
    look_for(2, frames, cancel);
    return 5;
  });
  EXPECT_FALSE(job.take()) << "it is longer than a frame waits";
  EXPECT_TRUE(job.busy() && runner.has_work());
  std::optional<int> result;
  for (bool half = false; !result && frames < 10'000; ++frames) {
    runner.begin_frame();
    runner.work();
    half = half || job.progress() == 0.5;
    result = job.take();
    EXPECT_TRUE(result || job.busy());
    EXPECT_TRUE(!result || half) << "what it wrote between two slices is seen";
  }
  EXPECT_EQ(result, 5);
  EXPECT_GT(frames, 3);
  EXPECT_FALSE(runner.has_work());
}

TEST(JobSlices, WhatIsPutAsideEndsWhereItIsCancelled) {
  Runner runner(options(Way::Slices, milliseconds(2)));
  std::atomic<int> ended{0};
  int begun = 0;
  const auto for_ever = [&, none = 0](Cancel cancel, Progress) {
    ++begun;
    struct AtTheEnd {
      std::atomic<int>& count;
      ~AtTheEnd() { ++count; }
    } end{ended};
    look_for(1, none, cancel);
    return 0;
  };
  {
    Job<int> gone(runner), replaced(runner);
    for (Job<int>* job : {&gone, &replaced}) {
      for (const int before = begun;
           begun == before;) {  // on a busy machine a frame's time may be over first
        runner.begin_frame();
        job->start(for_ever);
        EXPECT_FALSE(job->take());
      }
    }
    replaced.start([](Cancel, Progress) { return 8; });
    std::optional<int> result;
    for (int frame = 0; frame < 100'000 && !result; ++frame) {
      runner.work();
      runner.begin_frame();
      result = replaced.take();
    }
    EXPECT_EQ(result, 8);
    EXPECT_EQ(ended, 1) << "what it threw was caught on its own stack, and its stack unwound";
  }
  EXPECT_EQ(ended, 2);
}

TEST(JobSlices, MoreThanThereIsRoomForWaitTheirTurn) {
  Runner runner(options(Way::Slices, milliseconds(1)));
  std::vector<std::unique_ptr<Job<int>>> jobs;
  int frame = 0;
  for (int i = 0; i < 40; ++i) {
    jobs.push_back(std::make_unique<Job<int>>(runner));
    runner.begin_frame();
    jobs.back()->start([&, i](Cancel cancel, Progress) {
      look_for(3, frame, cancel);
      return i;
    });
    jobs.back()->take();
  }
  std::vector<int> results;
  for (; frame < 10'000 && results.size() < jobs.size(); ++frame) {
    runner.begin_frame();
    runner.work();
    for (const auto& job : jobs) {
      if (const auto result = job->take()) results.push_back(*result);
    }
  }
  std::sort(results.begin(), results.end());
  ASSERT_EQ(results.size(), jobs.size());
  for (int i = 0; i < 40; ++i) EXPECT_EQ(results[static_cast<std::size_t>(i)], i);
}

// A browser has one thread: everything comes out the same, if later.
TEST(Jobs, TheSimulatorNeedsNoThreads) {
  for (const char* scenario : {"transpose_shared", "reduce_sequential", "copy_stride"}) {
    const app::State state = app::opening(app::gallery(), scenario);
    Runner threads(options(Way::Threads)), none(options(Way::Whole)),
        slow(options(Way::Slices, milliseconds(0)));
    app::Simulator with(&app::gallery(), threads), without(&app::gallery(), none),
        later(&app::gallery(), slow);
    const auto a = with.derive(state), b = without.derive(state);
    ASSERT_TRUE(a->fresh && a->totals) << scenario;
    ASSERT_TRUE(b->fresh && b->totals) << scenario;
    auto c = later.derive(state);
    EXPECT_FALSE(c->fresh);
    for (int frame = 0; frame < 100'000 && !(c->fresh && c->totals); ++frame) {
      slow.work();
      slow.begin_frame();
      c = later.derive(state);
    }
    ASSERT_TRUE(c->fresh && c->totals) << scenario;
    for (const auto& other : {b, c}) {
      EXPECT_EQ(a->events->size(), other->events->size());
      EXPECT_EQ(a->place.event, other->place.event);
      for (std::size_t i = 0; i < a->totals->global_sites.size(); ++i)
        EXPECT_EQ(a->totals->global_sites[i].sectors, other->totals->global_sites[i].sectors);
    }
  }
}

}  // namespace warplens::jobs::jobs_test
