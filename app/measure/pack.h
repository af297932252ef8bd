// A recorded pack: measurements made on one GPU, kept in a file, standing in for a GPU where there is none.
//
//   auto pack = load_pack("assets/recorded/h200-transpose.json");
//   const Measurement* m = pack.value->find(key_of(setup, CompileMode::AsWritten));
//   // null: there is no measurement of exactly this
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/protocol/measurement.h"
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

}  // namespace warplens::measure
