// Watches a warp for a loop whose turns change nothing: it comes back to where and what it was, and memory
// holds what it held. Such a loop waits for another warp, or for ever.
#pragma once

#include <array>
#include <vector>

#include "sim/machine/machine.h"

namespace warplens::sim {

class SpinWatch {
 public:
  SpinWatch(const Machine& m, const Step* from);

  // Before a step runs, and after it.
  void before(Machine& m, const Step* s);
  void after(Machine& m);

  bool memory_changed() const { return changed_; }
  // The warp, about to run `s`, is as it was at first.
  bool is_back(const Machine& m, const Step* s) const;

 private:
  const std::byte* bytes_at(Machine& m, Address address, int lane) const;

  const Step* from_;
  LaneMask active_, live_;
  std::vector<RegisterLine> registers_;
  std::vector<Frame> frames_;
  bool changed_ = false;
  // What a step that writes finds in memory, lane by lane.
  struct Found {
    Address address = 0;
    std::array<std::byte, 16> bytes{};
  };
  std::array<Found, kWarpLanes> found_{};
  LaneMask writes_ = 0;
  std::size_t width_ = 0;
};

}  // namespace warplens::sim
