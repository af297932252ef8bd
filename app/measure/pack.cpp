#include "app/measure/pack.h"

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>

#include "sim/base/team.h"
#include "sim/scenario/text_file.h"

namespace warplens::measure {
namespace {

using nlohmann::json;

// "warplens.pack/1": another name is another format, a larger number a newer program's.
void check_schema(const Fields& fields, const std::string& expected) {
  const std::string schema = fields.text("schema");
  if (schema == expected) return;
  const std::size_t slash = expected.find('/');
  if (schema.substr(0, slash + 1) == expected.substr(0, slash + 1))
    fields.complain(
        "schema", Message("is \"{}\": this file was made by a newer Warplens; this one reads \"{}\"", schema,
                          expected));
  else
    fields.complain("schema", Message("is \"{}\", not \"{}\"", schema, expected));
}

scenario::Outcome<json> read_document(const std::filesystem::path& file, Budget* budget) {
  const auto text = scenario::read_text(file, kLongestDocument);
  if (!text) return {{}, text.errors};
  Message wrong;
  auto document = parse_json(*text.value, wrong, budget);
  if (!document) return {{}, {Message("{}: {}", file.string(), wrong)}};
  return {std::move(document), {}};
}

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
  const auto document = read_document(file, budget);
  if (!document) return {{}, document.errors};
  scenario::Outcome<Pack> outcome;
  Message error;
  const Fields fields(*document.value, "", error);
  check_schema(fields, "warplens.pack/1");
  Pack pack;
  pack.file = file;
  pack.title = fields.text_or("title", file.stem().string());
  pack.device = device_from_json(fields.object("device"));
  if (fields.has("peaks")) {
    pack.peaks = peak_record_from_json(fields.object("peaks"));
    pack.peaks->device = pack.device;
    pack.when = pack.peaks->when;
  }
  const json& list = fields.array("measurements");
  for (std::size_t i = 0; i < list.size() && error.empty(); ++i) {
    if (budget != nullptr) budget->check(Stage::Reading);
    const Fields entry(list[i], "measurements[" + std::to_string(i) + "]", error);
    pack.measurements.push_back(measurement_from_json(entry));
    pack.measurements.back().device = pack.device;
    pack.measurements.back().recorded = true;
    pack.when = std::max(pack.when, pack.measurements.back().when);
  }
  if (!error.empty()) {
    outcome.errors.push_back(Message("{}: {}", file.string(), error));
    return outcome;
  }
  pack.index();
  outcome.value = std::move(pack);
  return outcome;
}

void add_gpu_name(const DeviceInfo& gpu, std::string* names) {
  if (names->find(gpu.name) == std::string::npos) *names += (names->empty() ? "" : ", ") + gpu.name;
}

bool join(Pack& pack, const Pack& other, std::string& problem) {
  if (!pack.device.same_gpu(other.device)) {
    problem = other.file.string() + " was measured on another GPU or driver (" + other.provenance() +
              ") than " + pack.file.string() + " (" + pack.provenance() + ")";
    return false;
  }
  for (const Measurement& measurement : other.measurements)
    if (pack.find(measurement.key) == nullptr) pack.measurements.push_back(measurement);
  if (!pack.peaks) pack.peaks = other.peaks;
  pack.when = std::max(pack.when, other.when);
  pack.index();
  return true;
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
                     ",\n\"device\": " + dump(to_json(pack.device));
  if (pack.peaks) text += ",\n\"peaks\": " + dump(to_json(*pack.peaks, true));
  text += ",\n\"measurements\": [";
  for (std::size_t i = 0; i < pack.measurements.size(); ++i)
    text += (i == 0 ? "\n" : ",\n") + dump(to_json(pack.measurements[i], true));
  return text + "\n]}\n";
}

scenario::Outcome<Measurement> load_measurement(const std::filesystem::path& file, Budget* budget) {
  const auto document = read_document(file, budget);
  if (!document) return {{}, document.errors};
  scenario::Outcome<Measurement> outcome;
  Message error;
  const Fields fields(*document.value, "", error);
  check_schema(fields, "warplens.measurement/1");
  Measurement measurement = measurement_from_json(fields);
  measurement.recorded = true;
  if (error.empty())
    outcome.value = std::move(measurement);
  else
    outcome.errors.push_back(Message("{}: {}", file.string(), error));
  return outcome;
}

}  // namespace warplens::measure
