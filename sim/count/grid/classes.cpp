#include "sim/count/grid/classes.h"

#include <algorithm>

#include "sim/classes/tracker.h"
#include "sim/count/access_counter.h"

namespace warplens::sim {

namespace {

constexpr std::size_t kMostRepresentatives = 1024;
// Of all blocks: each moves at most 32 sectors, 2^10 bytes, and sums over them are to fit in 64 bits.
constexpr double kMostWarpInstructions = 0x1p53;

class ClassCounter {
 public:
  ClassCounter(const CountingRun& run, Totals& totals, std::vector<BlockCell>* classes)
      : run_(run),
        totals_(totals),
        parts_(classes),
        counter_(run.bound, run.code, run.budget),
        tracker_(run.bound, run.code, run.budget),
        running_(run.bound, run.code, run.budget, Stage::Counting) {
    runner_.handle_with(counter_);
    runner_.observe_with(tracker_);
  }

  std::vector<BlockCell> count() {
    left_ = {whole_grid(run_.bound.launch.grid)};
    while (!left_.empty() && !hopeless()) {
      const BlockCell cell = left_.back();
      left_.pop_back();
      const bool counted = count_cell(cell);
      totals_.warp_instructions = runner_.executed();
      if (!counted) return {};
      show_progress();
    }
    if (!left_.empty() && totals_.data_dependent.empty()) {
      totals_.data_dependent = Message("nearly every block differs from the others");
    }
    return left_;
  }

 private:
  // Simulating a class costs a few times what a block by brute force does.
  bool hopeless() const { return classes_ >= 64 && covered_ < 4 * classes_; }

  // False: the run has failed.
  bool count_cell(const BlockCell& cell) {
    // The middle of a cell has most of it around it: the edges then come out as cells of their own.
    Dim3 origin;
    origin.x = middle(cell.side[0]);
    origin.y = middle(cell.side[1]);
    origin.z = middle(cell.side[2]);
    tracker_.start(cell, origin);
    runner_.start(block_, origin);
    const std::uint64_t barriers = runner_.barriers(), before = runner_.executed();
    const bool done = runner_.run(block_);
    ++totals_.blocks_simulated;
    totals_.note_wait(runner_.waited_at());
    totals_.note_divergence(runner_.divergence());
    if (!done) {
      totals_.error = runner_.error();
      counter_.add_to(totals_, 1);
      return false;
    }
    const BlockCell part = tracker_.alike().cell();
    whole_ += static_cast<double>(runner_.executed() - before) * static_cast<double>(part.count());
    if (whole_ > kMostWarpInstructions) {
      RunError& error = totals_.error.emplace();
      error.kind = RunError::Kind::MemoryLimit;
      error.message = Message(
          "the warps of this grid run too many instructions for their counts to be added up: choose a "
          "smaller size");
      return false;
    }
    counter_.add_to(totals_, part.count());
    if (parts_ != nullptr) parts_->push_back(part);
    if (totals_.representatives.size() < kMostRepresentatives) totals_.representatives.push_back(origin);
    totals_.barriers += (runner_.barriers() - barriers) * part.count();
    subtract(cell, tracker_.alike().box(), part, left_);
    if (totals_.data_dependent.empty()) totals_.data_dependent = tracker_.reason();
    covered_ += part.count();
    ++classes_;
    return true;
  }

  static std::uint32_t middle(const Progression& side) {
    return static_cast<std::uint32_t>(side.first + side.count / 2 * side.step);
  }

  void show_progress() const {
    if (run_.progress == nullptr) return;
    run_.progress->store(static_cast<double>(covered_) / static_cast<double>(run_.bound.launch.grid.count()));
  }

  const CountingRun& run_;
  Totals& totals_;
  std::vector<BlockCell>* parts_;
  AccessCounter counter_;
  Tracker tracker_;
  RunningBlocks running_;
  BlockRunner& runner_ = running_.runner;
  BlockState block_;
  std::vector<BlockCell> left_;
  std::uint64_t classes_ = 0, covered_ = 0;
  double whole_ = 0;  // warp instructions of all blocks covered
};

}  // namespace

std::vector<BlockCell> count_classes(const CountingRun& run, Totals& totals,
                                     std::vector<BlockCell>* classes) {
  return ClassCounter(run, totals, classes).count();
}

}  // namespace warplens::sim
