#include "app/measure/record_pack.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "sim/base/numbers.h"
#include "sim/file/journal.h"
#include "sim/file/whole_file.h"
#include "sim/scenario/text_file.h"

namespace warplens::measure {
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
    Message problem;
    const auto document = parse_json(line, problem);
    if (!document) continue;
    const Fields fields(*document, "", problem);
    Measurement measurement = measurement_from_json(fields);
    if (problem.empty() && measurement.device.same_gpu(device))
      measurements.push_back(std::move(measurement));
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
