// Long work on a thread that also draws, where no other thread can be had: it runs on a stack of its own,
// gives way when its slice of time is over, and goes on in a later frame. Budget::look() is where it gives
// way, so what looks often enough is sliced without knowing of it.
//
//   slices.begin([&] { totals = grid_totals(...); }, now + 10ms);   // back at the latest a few ms after that
//   ... draw ...
//   slices.go_on(12ms);                                             // once a frame
#pragma once

#include <chrono>
#include <functional>
#include <memory>

namespace warplens::platform {

class Slices {
 public:
  using Clock = std::chrono::steady_clock;

  // null: this system puts no work aside; it then runs to its end where it begins.
  static std::unique_ptr<Slices> create();
  virtual ~Slices() = default;

  // Whether one more may begin; each that has not ended keeps a stack.
  virtual bool has_room() const = 0;
  // Returns when the work has ended, or has given way after `until`.
  virtual void begin(std::function<void()> work, Clock::time_point until) = 0;
  // The one that waits longest goes on for that long: at once, or, in a browser, as soon as the frame has
  // been returned from. false: none waits.
  virtual bool go_on(std::chrono::microseconds slice) = 0;
};

}  // namespace warplens::platform
