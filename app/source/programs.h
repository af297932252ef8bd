// Kernels compiled, and kept: a text with its kernel, template arguments and definitions is compiled once,
// however many launches, halves of the window and requests to a GPU it serves.
//
//   const auto result = programs.compile(setup.compile, budget);   // result->program, result->diagnostics
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "sim/base/budget.h"
#include "sim/lower/lower.h"
#include "sim/memory/gpu_model.h"

namespace warplens::app {

// All functions may be called by any thread.
class Programs {
 public:
  using Result = std::shared_ptr<const sim::CompileResult>;
  // Never null. What the budget ended is not kept.
  Result compile(const sim::CompileRequest& request, Budget& budget);
  // How often something has been compiled, not found.
  int compilations() const;

 private:
  struct Kept {
    sim::CompileRequest request;
    Result result;
  };
  Result find(const sim::CompileRequest& request);

  mutable std::mutex mutex_;
  std::vector<Kept> kept_;  // newest last
  int compilations_ = 0;
};

// What a stage that reads or compiles kernels may use: programs compiled before (null: none are kept), and
// its budget. `strict`: documents are read to be checked, see JsonValue::replaced().
struct Means {
  Programs* programs = nullptr;
  Budget* budget = &Budget::endless();
  bool strict = false;

  Programs::Result compile(const sim::CompileRequest& request) const;
  // Within a second: for a guess, which is not worth a long wait.
  Programs::Result compile_soon(const sim::CompileRequest& request) const;
};

// What the app, and a command, let one kernel take, until `cancel`: nothing waits for it in the app, so its
// time is not limited.
Allowance app_allowance(const std::atomic<bool>* cancel);

// The architecture that the app predicts for: its limits of launches, its multiprocessors. Chosen once, by
// --gpu, before anything is compiled; it does not change while the program runs.

const memory::GpuModel& predicted_gpu();  // sm_90 where none was chosen
void predict_for(const memory::GpuModel& gpu);

}  // namespace warplens::app
