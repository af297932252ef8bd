#include "app/measure/pack.h"

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <tuple>

#include "app/measure/gpu_client.h"
#include "sim/base/numbers.h"
#include "sim/base/team.h"
#include "sim/file/journal.h"
#include "sim/file/whole_file.h"
#include "sim/scenario/json_document.h"
#include "sim/scenario/target.h"
#include "sim/scenario/text_file.h"

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

namespace {

// The most that one measurement's buffers hold, so that checks stay quick.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 29;
// Products take long: fewer samples.
constexpr std::uint64_t kManyOperations = 10'000'000'000, kVeryManyOperations = 100'000'000'000;

std::string label_of(const scenario::Setup& setup, CompileMode mode) {
  std::string label = setup.name;
  for (const auto& [name, value] : setup.values) label += " " + name + "=" + std::to_string(value);
  return label + (mode == CompileMode::AsWritten ? " as written" : " as optimised");
}

// Measurements of one compiled kernel next to each other: it is compiled once.
bool compiled_before(const PlannedMeasurement& a, const PlannedMeasurement& b) {
  const Subject &x = a.request.subject, &y = b.request.subject;
  return std::tie(x.source_name, x.mode, x.template_arguments, x.defines, x.grid.x, x.grid.y) <
         std::tie(y.source_name, y.mode, y.template_arguments, y.defines, y.grid.x, y.grid.y);
}

std::uint64_t buffer_bytes(const Subject& subject) {
  std::uint64_t bytes = 0;
  for (const KernelArgument& argument : subject.arguments)
    if (const auto* buffer = std::get_if<BufferArgument>(&argument.value))
      bytes += buffer->elements * static_cast<std::uint64_t>(buffer->element_bytes);
  return bytes;
}

// So that the whole takes minutes, however long one launch takes.
void choose_limits(PlannedMeasurement& planned) {
  if (planned.request.operations >= kVeryManyOperations) {
    planned.most_samples = 7;
    planned.warm_up = 1;
  } else if (planned.request.operations >= kManyOperations) {
    planned.most_samples = 20;
    planned.warm_up = 2;
  }
  limit(planned);
}

// One launch in one mode.
void plan_one(const scenario::Setup& setup, CompileMode mode, std::set<MeasurementKey>& seen,
              PackPlan& plan) {
  if (!seen.insert(key_of(setup, mode)).second) return;
  const auto leave_out = [&](const std::string& why) {
    plan.left_out.push_back(label_of(setup, mode) + ": " + why);
  };
  auto prepared = scenario::prepare(setup, memory::default_gpu_model());
  if (!prepared)
    return leave_out(prepared.errors.empty() ? "cannot be launched" : prepared.errors.front().english());
  auto request = make_request(prepared.value->setup, prepared.value->program, mode);
  if (!request) return leave_out(request.errors.front());
  if (buffer_bytes(request.value->subject) > kMostBytes)
    return leave_out("its buffers are larger than a pack's measurements may be");
  const MeasurementKey key = key_of(request.value->subject);
  plan.measurements.push_back({label_of(setup, mode), key, std::move(*request.value)});
  choose_limits(plan.measurements.back());
}

}  // namespace

void limit(PlannedMeasurement& planned) {
  MeasureRequest& request = planned.request;
  request.cold_samples = std::min(request.cold_samples, planned.most_samples);
  request.warm_samples = std::min(request.warm_samples, planned.most_samples);
  request.warm_up = std::min(request.warm_up, planned.warm_up);
}

scenario::Outcome<PackPlan> plan_pack(const std::vector<scenario::Scenario>& scenarios,
                                      const std::vector<std::filesystem::path>& files) {
  PackPlan plan;
  std::set<MeasurementKey> seen;
  for (const std::filesystem::path& file : files) {
    auto document = scenario::JsonDocument::load(file, limits_of_lines());
    if (!document.ok()) return {std::nullopt, document.errors()};
    const scenario::JsonValue root = document.root();
    if (root.optional_text("schema").starts_with("warplens.plan/")) {
      if (!document.has_schema("plan")) return {std::nullopt, document.errors()};
    } else if (!document.has_schema("pack")) {
      return {std::nullopt, document.errors()};
    }
    for (const scenario::JsonValue& entry : root.list("measurements")) {
      if (!entry.is_object() || !entry.has("scenario")) continue;
      const scenario::JsonValue of = entry.member("scenario");
      const std::string name = of.text("name");
      const auto found = std::ranges::find(scenarios, name, &scenario::Scenario::name);
      if (found == scenarios.end()) {
        plan.left_out.push_back(name + ": is no scenario of the gallery");
        continue;
      }
      scenario::ParameterValues values;
      for (const auto& [parameter, value] : of.optional_members("parameters"))
        values[parameter] = value.as_integer().value_or(0);
      const auto setup = scenario::make_setup(*found, values);
      if (!setup) {
        plan.left_out.push_back(name + ": " + (setup.errors.empty() ? "" : setup.errors.front().english()));
        continue;
      }
      const std::string only = entry.has("subject") ? entry.member("subject").optional_text("mode") : "";
      for (const CompileMode mode : {CompileMode::AsWritten, CompileMode::AsOptimised})
        if (mode == effective_mode(setup.value->compile.text, mode) &&
            (only.empty() || only == name_of(mode)))
          plan_one(*setup.value, mode, seen, plan);
    }
    if (!document.ok()) return {std::nullopt, document.errors()};
  }
  std::ranges::sort(plan.left_out);
  plan.left_out.erase(std::ranges::unique(plan.left_out).begin(), plan.left_out.end());
  std::ranges::stable_sort(plan.measurements, compiled_before);
  return {std::move(plan), {}};
}

namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMostPartial = 256u << 20;
constexpr double kStatusSeconds = 120;

// What an earlier run left, where it was made on the same GPU; its last line may be torn.
std::vector<Measurement> read_partial(const fs::path& file, const DeviceInfo& device) {
  std::vector<Measurement> measurements;
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return measurements;
  const auto text = scenario::read_text(file, kMostPartial);
  if (!text) return measurements;
  std::istringstream lines(*text.value);
  for (std::string line; std::getline(lines, line);) {
    auto document = scenario::JsonDocument::parse(line, "line", limits_of_lines());
    if (!document.ok()) continue;
    Measurement measurement = measurement_from_json(document.root());
    if (document.ok() && measurement.device.same_gpu(device)) measurements.push_back(std::move(measurement));
  }
  return measurements;
}

bool hopeless(FailureKind kind) {
  return kind == FailureKind::NoGpu || kind == FailureKind::Start || kind == FailureKind::NoCompiler;
}

std::string outcome_in_words(const Measurement& m) {
  return formatted("%.2f us cold, %.0f GB/s, %.0f %% of copy", m.cold.median * 1e6, m.gb_per_second(m.cold),
                   m.share_of_reference() * 100);
}

// Waits for one ticket's end.
std::variant<Measurement, Failure> wait_for(GpuClient& client, std::uint64_t ticket,
                                            const std::atomic<bool>* stop) {
  while (true) {
    for (ClientEvent& event : client.wait(0.2)) {
      if (event.ticket != ticket) continue;
      if (auto* measurement = std::get_if<Measurement>(&event.what)) return std::move(*measurement);
      if (auto* failure = std::get_if<Failure>(&event.what)) return std::move(*failure);
    }
    if (stop != nullptr && *stop) client.cancel(ticket);
  }
}

std::string dump(const nlohmann::json& document) {
  return document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Counts a result and gives it in words; a failure that the next measurement would meet too stops the whole.
std::string note_result(const PlannedMeasurement& planned, const std::variant<Measurement, Failure>& result,
                        Recorded& recorded) {
  if (const auto* failure = std::get_if<Failure>(&result)) {
    if (hopeless(failure->kind) || failure->kind == FailureKind::Cancelled)
      recorded.stopped = *failure;
    else
      recorded.problems.push_back(planned.label + ": " + failure->words().english());
    return failure->message;
  }
  const Measurement& measurement = std::get<Measurement>(result);
  ++recorded.measured;
  if (measurement.check.state != CheckState::Right)
    recorded.problems.push_back(planned.label + ": output " +
                                (measurement.check.state == CheckState::Wrong ? "wrong" : "not checked") +
                                " (" + measurement.check.how + ")");
  return outcome_in_words(measurement);
}

void write_pack(Pack& pack, const fs::path& path, const fs::path& partial, Recorded& recorded) {
  pack.index();
  if (pack.measurements.empty()) {
    recorded.stopped =
        make_failure(FailureKind::BadRequest, Message("there was nothing to measure, or all of it failed"));
    return;
  }
  if (const file::Written written = file::write_whole(path, pack_text(pack)); !written) {
    recorded.stopped = make_failure(FailureKind::Internal, written.words,
                                    Message("What was measured is in {}.", partial.string()));
    return;
  }
  std::error_code ignored;
  fs::remove(partial, ignored);
}

}  // namespace

Recorded record_pack(const PackPlan& plan, GpuClient& client, const RecordOptions& options) {
  Recorded recorded;
  const ClientStatus status = client.wait_for_status(kStatusSeconds);
  if (status.state != ClientState::Ready) {
    recorded.stopped = status.failure;
    return recorded;
  }
  const fs::path partial = options.file.string() + ".partial";
  Pack earlier, pack;
  pack.device = *status.gpu;
  pack.title = options.title;
  earlier.measurements = read_partial(partial, pack.device);
  earlier.index();
  file::Journal journal(partial);
  journal.append("");  // behind a line that an interruption tore

  bool told = false;
  RecordProgress at{0, plan.measurements.size(), 0};
  for (const PlannedMeasurement& planned : plan.measurements)
    at.left += earlier.find(planned.key) == nullptr ? 1 : 0;
  for (const PlannedMeasurement& planned : plan.measurements) {
    ++at.done;
    if (const Measurement* known = earlier.find(planned.key)) {
      pack.measurements.push_back(*known);
      ++recorded.taken_over;
      continue;
    }
    auto result = wait_for(client, client.submit(planned.request), options.stop);
    const std::string words = note_result(planned, result, recorded);
    if (recorded.stopped) return recorded;
    --at.left;
    options.progress(at, planned.label + ": " + words);
    if (auto* measurement = std::get_if<Measurement>(&result)) {
      if (!journal.append(dump(to_json(*measurement))) && !told) {
        recorded.problems.push_back("an interruption would lose what is measured: " +
                                    journal.trouble().english());
        told = true;
      }
      pack.measurements.push_back(std::move(*measurement));
    }
  }
  write_pack(pack, options.file, partial, recorded);
  return recorded;
}

}  // namespace warplens::measure
