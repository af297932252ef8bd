#include "app/measure/pack.h"

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>

#include "sim/base/team.h"
#include "sim/scenario/json_document.h"

namespace warplens::measure {
namespace {

using nlohmann::json;

}  // namespace

void Pack::index() {
  by_key_.clear();
  for (std::size_t i = 0; i < measurements.size(); ++i) by_key_[measurements[i].key.digest] = i;
}

const Measurement* Pack::find(const MeasurementKey& key) const {
  const auto found = by_key_.find(key.digest);
  return found == by_key_.end() ? nullptr : &measurements[found->second];
}

std::string Pack::provenance() const {
  return device.name + ", driver " + device.driver + ", CUDA " + device.cuda + ", " + when.substr(0, 10);
}

scenario::Outcome<Pack> load_pack(const std::filesystem::path& file, Budget* budget) {
  auto document = scenario::JsonDocument::load(file, limits_of_lines(budget));
  const scenario::JsonValue root = document.root();
  Pack pack;
  if (document.ok() && document.has_schema("pack")) {
    Fields fields(root);
    pack.file = file;
    pack.title = root.optional_text("title", file.stem().string());
    fields.needed("device", [&](Fields& own) { describe(own, pack.device); });
    fields.maybe("peaks", pack.peaks, [](Fields& own, PeakRecord& peaks) { describe(own, peaks, true); });
    if (pack.peaks) pack.peaks->device = pack.device, pack.when = pack.peaks->when;
    for (const scenario::JsonValue& entry : root.list("measurements")) {
      if (budget != nullptr) budget->check(Stage::Reading);
      if (!document.ok()) break;
      Measurement& made = pack.measurements.emplace_back(measurement_from_json(entry));
      made.device = pack.device;
      made.recorded = true;
      pack.when = std::max(pack.when, made.when);
    }
  }
  if (!document.ok()) return {{}, {document.errors().front()}};
  pack.index();
  return {std::move(pack), {}};
}

void add_gpu_name(const DeviceInfo& gpu, std::string* names) {
  if (names->find(gpu.name) == std::string::npos) *names += (names->empty() ? "" : ", ") + gpu.name;
}

namespace {

// Without what was measured of a wrong output, which is told.
scenario::Outcome<Pack> load_valid(const std::filesystem::path& file, Budget* budget) {
  scenario::Outcome<Pack> pack = load_pack(file, budget);
  if (!pack.value) return pack;
  const std::size_t wrong =
      std::erase_if(pack.value->measurements, [](const Measurement& m) { return !m.is_valid(); });
  if (wrong == 0) return pack;
  pack.value->index();
  pack.errors.push_back(
      Message("{}: {} measurements are left out, because their output was wrong", file.string(), wrong));
  return pack;
}

}  // namespace

scenario::Outcome<std::vector<Pack>> load_packs(const std::filesystem::path& folder, Budget* budget) {
  std::vector<std::filesystem::path> files;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::ranges::sort(files);
  // They are what the first picture waits for.
  std::vector<scenario::Outcome<Pack>> packs(files.size());
  std::atomic<std::size_t> next = 0;
  run_team(
      static_cast<int>(std::min<std::size_t>(files.size(), static_cast<std::size_t>(processor_threads()))),
      [&](int) {
        for (std::size_t i = next++; i < files.size(); i = next++) packs[i] = load_valid(files[i], budget);
      });
  scenario::Outcome<std::vector<Pack>> outcome;
  outcome.value.emplace();
  for (scenario::Outcome<Pack>& pack : packs) {
    if (pack.value) outcome.value->push_back(std::move(*pack.value));
    outcome.errors.insert(outcome.errors.end(), pack.errors.begin(), pack.errors.end());
  }
  std::sort(outcome.value->begin(), outcome.value->end(), [](const Pack& a, const Pack& b) {
    return a.when != b.when ? a.when > b.when : a.file < b.file;
  });
  return outcome;
}

std::string pack_text(const Pack& pack) {
  const auto dump = [](const json& document) {
    return document.dump(-1, ' ', false, json::error_handler_t::replace);
  };
  std::string text = "{\"schema\": \"warplens.pack/1\",\n\"title\": " + dump(pack.title) +
                     ",\n\"device\": " + dump(scenario::json_of(pack.device));
  if (pack.peaks) {
    PeakRecord peaks = *pack.peaks;
    json written;
    Fields fields(written);
    describe(fields, peaks, true);
    text += ",\n\"peaks\": " + dump(written);
  }
  text += ",\n\"measurements\": [";
  for (std::size_t i = 0; i < pack.measurements.size(); ++i)
    text += (i == 0 ? "\n" : ",\n") + dump(to_json(pack.measurements[i], true));
  return text + "\n]}\n";
}

scenario::Outcome<Measurement> load_measurement(const std::filesystem::path& file, Budget* budget) {
  auto document = scenario::JsonDocument::load(file, limits_of_lines(budget));
  Measurement measurement;
  if (document.ok() && document.has_schema("measurement"))
    measurement = measurement_from_json(document.root());
  measurement.recorded = true;
  if (!document.ok()) return {{}, {document.errors().front()}};
  return {std::move(measurement), {}};
}

}  // namespace warplens::measure
