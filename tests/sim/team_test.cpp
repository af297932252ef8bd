#include "sim/base/team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

namespace warplens {
namespace {

TEST(Team, EveryMemberWorksOnceAndTheCallerIsTheFirst) {
  for (const int members : {1, 2, 7}) {
    std::mutex mutex;
    std::multiset<int> done;
    std::thread::id first;
    run_team(members, [&](int member) {
      const std::lock_guard lock(mutex);
      done.insert(member);
      if (member == 0) first = std::this_thread::get_id();
    });
    std::multiset<int> all;
    for (int i = 0; i < members; ++i) all.insert(i);
    EXPECT_EQ(done, all);
    EXPECT_EQ(first, std::this_thread::get_id());
  }
  EXPECT_GE(processor_threads(), 1);
}

TEST(Team, WhatOneThrowsIsThrownWhenAllHaveEnded) {
  for (int thrower = 0; thrower < 3; ++thrower) {
    std::atomic<int> ended{0};
    const auto run = [&] {
      run_team(3, [&](int member) {
        if (member == thrower) throw std::runtime_error("no room");
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        ++ended;
      });
    };
    EXPECT_THROW(run(), std::runtime_error);
    EXPECT_EQ(ended, 2);
  }
}

}  // namespace
}  // namespace warplens
