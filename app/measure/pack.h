// A recorded pack: measurements made on one GPU, kept in a file, standing in for a GPU where there is none.
//
//   auto pack = load_pack("assets/recorded/h200-transpose.json");
//   const Measurement* m = pack.value->find(key_of(setup, CompileMode::AsWritten));
//   // null: there is no measurement of exactly this
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/measure/gpu_client.h"
#include "kernels/protocol/measurement.h"
#include "kernels/protocol/peak_record.h"
#include "kernels/protocol/protocol.h"
#include "sim/scenario/scenario.h"

namespace warplens::measure {

struct Pack {
  std::filesystem::path file;
  std::string title;                      // "transpose on an NVIDIA H200"
  DeviceInfo device;                      // all its measurements were made on it
  std::string when;                       // the day of the last of them
  std::vector<Measurement> measurements;  // each with `device` filled in and `recorded` set
  std::optional<PeakRecord> peaks;        // of the GPU

  const Measurement* find(const MeasurementKey& key) const;
  std::string provenance() const;  // "NVIDIA H200, driver 580.159.03, CUDA 13.0, 2025-11-03"
  void index();                    // after `measurements` changed

 private:
  std::map<std::string, std::size_t> by_key_;
};

// Where a budget is given and ends, what loads throws Stopped.
scenario::Outcome<Pack> load_pack(const std::filesystem::path& file, Budget* budget = nullptr);
// Adds what `pack` does not hold yet. False, with the reason in `problem`: they are of different GPUs, and
// `pack` is unchanged.
bool join(Pack& pack, const Pack& other, std::string& problem);
// All packs of assets/recorded, newest first; files that cannot be read are reported beside the others.
// Measurements whose output was wrong are left out, and said: what is shown beside a kernel is a time of the
// right result.
scenario::Outcome<std::vector<Pack>> load_packs(const std::filesystem::path& folder,
                                                Budget* budget = nullptr);

// Adds a GPU's name to "NVIDIA H100, NVIDIA H200", once.
void add_gpu_name(const DeviceInfo& gpu, std::string* names);

std::string pack_text(const Pack& pack);  // warplens.pack/1, one measurement a line

// A single measurement's file, as `warplens-cli measure` writes it.
scenario::Outcome<Measurement> load_measurement(const std::filesystem::path& file, Budget* budget = nullptr);

// Which measurements make a pack: the launches that other packs hold, or that a plan names (tools/plan.py).

struct PlannedMeasurement {
  std::string label;  // "transpose_shared block_x=32 ... pad=1 as written"
  MeasurementKey key;
  MeasureRequest request;
  // What a kernel that runs for long can afford; see limit().
  int most_samples = 60, warm_up = 5;
};

// Settings of the whole pack, brought down to what this measurement can afford.
void limit(PlannedMeasurement& planned);

struct PackPlan {
  std::vector<PlannedMeasurement> measurements;  // each key once; those that share a compiled kernel together
  std::vector<std::string> left_out;             // launches that cannot be measured, in words
};

// Of packs and of plans: {"schema": "warplens.plan/1", "measurements": [{"scenario": {"name": "copy",
// "parameters": {"n": 4096}}}]}, in both modes where the entry names none ("subject": {"mode":
// "as_written"}). Launches of no scenario are left out.
scenario::Outcome<PackPlan> plan_pack(const std::vector<scenario::Scenario>& scenarios,
                                      const std::vector<std::filesystem::path>& files);

// Making a recorded pack: measures a plan one by one, keeps what is done in FILE.partial so that it can go on
// after an interruption, and writes FILE whole at the end.

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
