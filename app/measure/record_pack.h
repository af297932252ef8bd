// Making a recorded pack: measures a plan one by one, keeps what is done in FILE.partial so that it can go on
// after an interruption, and writes FILE whole at the end.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>

#include "app/measure/gpu_client.h"
#include "app/measure/pack.h"
#include "app/measure/pack_plan.h"

namespace warplens::measure {

struct RecordProgress {
  std::size_t done = 0, total = 0;  // of the plan, in its order
  std::size_t left = 0;
};

struct RecordOptions {
  std::filesystem::path file;
  std::string title;
  // After each measurement. `left`: those still to be made, without what an earlier run left behind.
  std::function<void(const RecordProgress& at, const std::string& words)> progress;
  const std::atomic<bool>* stop = nullptr;  // what is done stays in FILE.partial
};

struct Recorded {
  std::size_t measured = 0, taken_over = 0;  // the latter from FILE.partial
  std::vector<std::string> problems;         // measurements that failed or whose output was wrong
  std::optional<Failure> stopped;            // no GPU, no program, interrupted: no file was written
};

Recorded record_pack(const PackPlan& plan, GpuClient& client, const RecordOptions& options);

}  // namespace warplens::measure
