// Fixed points over numbered entries: each is visited once, in order, and again whenever something that it reads
// has changed. An entry marked behind the current one is visited in the same sweep, one before it in the next:
// the same order as visiting all of them over and over, at the cost of those alone that have something to do.
//
//   Sweeps work(ops.size());
//   work.run([&](std::size_t i) { if (visit(ops[i])) for (std::size_t reader : readers[i]) work.mark(reader); });
//
// Costs O(marks * log(marks)) beside what the visits cost.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "sim/base/budget.h"

namespace warplens {

class Sweeps {
 public:
  Sweeps(std::size_t count, Pace pace) : due_(count, 1), pace_(pace) {}

  void mark(std::size_t entry) {
    if (std::exchange(due_[entry], char{1}) != 0) return;
    if (entry > at_)
      now_.push(entry);
    else
      next_.push_back(entry);
  }

  template <class Visit>
  void run(Visit visit) {  // throws Stopped
    for (std::size_t entry = 0; entry < due_.size(); ++entry) take(entry, visit);
    while (!next_.empty()) {
      for (const std::size_t entry : std::exchange(next_, {})) now_.push(entry);
      while (!now_.empty()) {
        const std::size_t entry = now_.top();
        now_.pop();
        take(entry, visit);
      }
    }
  }

 private:
  template <class Visit>
  void take(std::size_t entry, Visit& visit) {
    pace_.step();
    if (due_[entry] == 0) return;
    at_ = entry;
    due_[entry] = 0;
    visit(entry);
  }

  std::vector<char> due_;
  std::size_t at_ = 0;
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> now_;
  std::vector<std::size_t> next_;
  Pace pace_;
};

}  // namespace warplens
