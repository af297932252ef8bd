// Figures that others publish of kernels like those of a ladder, on GPUs that are not at hand:
// warplens.published/1. Nothing of them was measured here, so they are no measurements, have no key, and are
// never compared with one.
//
//   auto packs = load_published_packs(assets / "published");
//   for (const PublishedPack& pack : published_of(*packs.value, "transpose")) ...
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/budget.h"
#include "sim/scenario/scenario.h"

namespace warplens::measure {

struct PublishedEntry {
  scenario::LocalText label;       // as they call it: "naive"
  std::vector<std::string> rungs;  // scenarios that it is about; none: the reference
  bool is_reference = false;       // a library's: cuBLAS
  double seconds = 0;              // 0: not published, as the next two
  double gb_per_second = 0, gflop_per_second = 0;
  std::map<std::string, double> counters;  // by nvprof's names: "gld_transactions_per_request"
  scenario::LocalText note;                // where the rungs may differ, as text; empty: nothing to say

  bool is_about(std::string_view scenario) const;
};

struct PublishedPack {
  std::filesystem::path file;
  scenario::LocalText title, source;  // "Transpose on a Quadro P2000"; "published in lecture notes"
  std::string gpu, architecture;      // "Quadro P2000", "Pascal"; empty: not published
  std::string model;                  // "sm_61"; empty: none
  std::string ladder;
  scenario::ParameterValues size;  // of the parameters that are sizes; empty: not published
  std::vector<PublishedEntry> entries;
};

// Read strictly: an unknown field, a figure that is none or not positive, a scenario twice are errors that
// name file, line and field.
scenario::Outcome<PublishedPack> load_published(const std::filesystem::path& file, Budget* budget = nullptr);
// All of a folder, by name; those that cannot be read are reported beside the others. No folder: none.
scenario::Outcome<std::vector<PublishedPack>> load_published_packs(const std::filesystem::path& folder,
                                                                   Budget* budget = nullptr);

// Those about the ladder, in their order.
std::vector<const PublishedPack*> published_of(const std::vector<PublishedPack>& packs,
                                               std::string_view ladder);

}  // namespace warplens::measure
