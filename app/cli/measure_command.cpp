// Runs warplens-gpu on a target and writes its answer.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/cli/target.h"
#include "app/measure/gpu_client.h"
#include "app/measure/pack.h"
#include "app/platform/stop.h"
#include "kernels/protocol/protocol.h"
#include "sim/base/numbers.h"
#include "sim/text/shown.h"

namespace warplens::cli {

namespace {

using measure::CompileMode;
using measure::Failure;
using measure::FailureKind;
using measure::Measurement;

// Of what kept a GPU from measuring: the input's fault, a limit, or this machine's.
ExitCode exit_code_of(FailureKind kind) {
  switch (kind) {
    case FailureKind::Compile:
    case FailureKind::BadRequest:
    case FailureKind::Launch:
    case FailureKind::Kernel:
      return kInputWrong;
    case FailureKind::Deadline:
    case FailureKind::OutOfMemory:
    case FailureKind::Cancelled:
      return kLimitHit;
    default:
      return kMachineCannot;
  }
}

struct MeasureOptions {
  TargetOptions target;
  std::string file, via, mode = "as_written";
  int samples = 60;
  double seconds = 60, wait = 120;
  bool no_counters = false, no_reference = false, request_only = false, peaks = false;
  // Of one measurement: as written where both are asked for.
  CompileMode one_mode() const {
    return mode == "as_optimised" ? CompileMode::AsOptimised : CompileMode::AsWritten;
  }
};

constexpr double kBetweenLooks = 0.05;  // seconds, at what a GPU says and at what a person asks

[[noreturn]] void fail(const Failure& failure) {
  throw CommandFailure(exit_code_of(failure.kind), failure.words().english());
}

void adjust(const MeasureOptions& options, measure::MeasureRequest& request) {
  request.cold_samples = request.warm_samples = options.samples;
  request.deadline_seconds = options.seconds;
  request.counters = !options.no_counters;
  request.reference = !options.no_reference;
}

// Without a scenario's rule for the useful bytes, those that the kernel asks for are counted, where that is
// quick.
void count_bytes(const scenario::Prepared& prepared, const Budget& whole, measure::MeasureRequest& request) {
  if (request.useful_bytes > 0) return;
  constexpr double kQuick = 10;  // seconds
  SimulationOptions simulation;
  simulation.begun =
      std::make_shared<Budget>(Allowance{.deadline = std::min(Budget::in(kQuick), whole.allowance().deadline),
                                         .cancel = whole.allowance().cancel});
  try {
    const report::Report report = simulate(prepared, simulation);
    for (const auto& group : report.global) request.counted_bytes += group.bytes;
  } catch (const CommandFailure& failure) {
    request.counted_bytes = 0;  // what the simulator cannot run, a GPU may
    if (failure.code() == kInputWrong) warn(std::string("measured all the same: ") + failure.what());
  }
  if (platform::asked_to_stop()) throw Stopped{StopReason::Cancelled, Stage::Counting, 0};
}

measure::MeasureRequest request_for(const MeasureOptions& options, CompileMode mode) {
  if (options.target.target.what.empty())
    throw CommandFailure(kInputWrong,
                         "name a TARGET, or --peaks; tools/record.py measures the launches of a pack");
  SimulationOptions preparing;
  preparing.seconds = options.seconds;
  preparing.has_lengths = true;
  scenario::Prepared prepared = prepare_target(options.target.target, preparing);
  auto request = value_of(measure::make_request(prepared.setup, prepared.program, mode));
  adjust(options, request);
  count_bytes(prepared, preparing.budget(), request);
  print_within(nullptr);  // what a GPU has measured is printed, however long it took
  return request;
}

// A launcher may queue for long; an interrupt ends the waiting.
measure::ClientStatus wait_for_start(const measure::GpuClient& client, double seconds) {
  const auto until = measure::Clock::now() + std::chrono::duration<double>(seconds + 5);
  measure::ClientStatus status = client.status();
  while (status.state == measure::ClientState::Starting && !platform::asked_to_stop() &&
         measure::Clock::now() < until)
    status = client.wait_for_status(kBetweenLooks);
  if (platform::asked_to_stop())
    throw CommandFailure(kLimitHit, "interrupted while warplens-gpu was being started");
  return status;
}

std::unique_ptr<measure::GpuClient> connect(const MeasureOptions& options) {
  Message error;
  auto command = measure::gpu_command(options.via, error);
  if (command.empty()) throw CommandFailure(options.via.empty() ? kMachineCannot : kInputWrong, error);
  measure::ClientOptions client_options;
  client_options.hello_seconds = options.wait;
  auto client = std::make_unique<measure::GpuClient>(std::move(command), client_options);
  const measure::ClientStatus status = wait_for_start(*client, options.wait);
  if (status.state != measure::ClientState::Ready) fail(status.failure);
  if (status.version != WARPLENS_VERSION)
    warn("warplens-gpu is version " + status.version +
         ", this program " WARPLENS_VERSION "; they speak the same protocol, but may measure differently");
  return client;
}

// A Measurement or a PeakRecord, as the ticket's request asks for.
template <class Answer>
Answer wait_for(measure::GpuClient& client, std::uint64_t ticket) {
  while (true) {
    for (measure::ClientEvent& event : client.wait(kBetweenLooks)) {
      if (event.ticket != ticket) continue;
      if (auto* answer = std::get_if<Answer>(&event.what)) return std::move(*answer);
      if (const auto* failure = std::get_if<Failure>(&event.what)) fail(*failure);
    }
    if (platform::asked_to_stop()) client.cancel(ticket);
  }
}

void write_text(const std::string& path, const std::string& text) {
  if (path.empty() || path == "-") return print_json_text(text);
  write_output(path, text);
}

void write_document(const std::string& file, const nlohmann::json& document) {
  write_text(file, document.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

// "; 3200 GB/s, 92 % of cudaMemcpy device to device"
std::string rates(const Measurement& m) {
  std::string words;
  if (m.gb_per_second(m.cold) > 0) words += formatted("; %.0f GB/s", m.gb_per_second(m.cold));
  if (m.useful_bytes == 0 && m.counted_bytes > 0) words += " of the bytes that it asks for";
  if (m.operations > 0) words += formatted("; %.0f GFLOP/s", m.gflop_per_second(m.cold));
  if (m.share_of_reference() > 0)
    words += formatted(", %.0f %% of ", m.share_of_reference() * 100) + m.reference_what;
  return words;
}

void tell(const Measurement& m) {
  constexpr double kDrift = 0.05;
  if (!m.is_valid()) return warn(m.subject.kernel + ": no time is shown, because the output is wrong");
  std::string words = m.subject.kernel + " " + measure::name_of(m.subject.mode);
  words += formatted(": %.2f us cold (minimum %.2f, spread %.1f %%), %.2f us warm", m.cold.median * 1e6,
                     m.cold.minimum * 1e6, m.cold.spread * 100, m.warm.median * 1e6);
  words += rates(m) + " on " + m.device.name;
  if (m.clocks.throttled) words += " (slowed down: " + m.clocks.throttle_reasons + ")";
  warn(words);
  if (std::abs(measure::drift(m.cold)) > kDrift)
    warn(formatted("the cold times drifted by %+.1f %% from the first third of the samples to the last",
                   measure::drift(m.cold) * 100));
  if (!m.cold.complete || !m.warm.complete)
    warn("the time allowed ended before all samples were taken: --deadline");
  if (!m.reference_reason.empty()) warn("no reference: " + m.reference_reason);
  if (m.counters.values.empty()) warn("no hardware counters: " + m.counters.reason.english());
  if (!m.counters.exact_reason.empty())
    warn("no exact shared wavefronts: " + m.counters.exact_reason.english());
}

// 0 where the output is right or cannot be judged, 1 where it is wrong.
ExitCode judge(const Measurement& m) {
  if (m.check.state == measure::CheckState::Wrong) {
    warn("the output is wrong: " + m.check.buffer + "[" + std::to_string(m.check.element) + "] is " +
         m.check.got + ", expected " + m.check.expected + " (" + std::to_string(m.check.differing) + " of " +
         std::to_string(m.check.compared) + " elements differ)");
    return kCheckFailed;
  }
  if (m.check.state == measure::CheckState::NotChecked) warn("the output was not checked: " + m.check.how);
  return kDone;
}

// Both modes, one after the other, into a pack of two.
ExitCode measure_both(const MeasureOptions& options) {
  measure::Pack pack;
  const auto client = connect(options);
  ExitCode code = kDone;
  for (const CompileMode mode : {CompileMode::AsWritten, CompileMode::AsOptimised}) {
    const Measurement m = wait_for<Measurement>(*client, client->submit(request_for(options, mode)));
    tell(m);
    code = std::max(code, judge(m));
    pack.device = m.device;
    if (pack.measurements.empty() || !(pack.measurements[0].key == m.key)) pack.measurements.push_back(m);
  }
  pack.title = pack.measurements.front().subject.kernel + " on " + pack.device.name;
  write_text(options.file, measure::pack_text(pack));
  return code;
}

ExitCode measure_target(const MeasureOptions& options) {
  if (options.mode == "both" && !options.request_only) return measure_both(options);
  const measure::MeasureRequest request = request_for(options, options.one_mode());
  if (options.request_only) {
    measure::MeasureRequest numbered = request;
    numbered.id = 1;
    print_json_text(
        scenario::json_of(numbered).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
    return kDone;
  }
  const auto client = connect(options);
  const Measurement measurement = wait_for<Measurement>(*client, client->submit(request));
  write_document(options.file, measure::to_json(measurement));
  tell(measurement);
  return judge(measurement);
}

// A pack without measurements: what this GPU can do at most.
ExitCode measure_peaks(const MeasureOptions& options) {
  const auto client = connect(options);
  measure::PeaksRequest request;
  request.deadline_seconds = options.seconds;
  measure::Pack pack;
  pack.peaks = wait_for<measure::PeakRecord>(*client, client->submit(request));
  pack.device = pack.peaks->device;
  pack.title = "peaks of " + pack.device.name;
  write_text(options.file, measure::pack_text(pack));
  for (const report::PeakName& peak : report::peak_names())
    warn(std::string(peak.name) + formatted(": %.4g ", pack.peaks->peaks.*peak.value) + peak.unit +
         " a second");
  for (const report::PeakName& latency : report::latency_names())
    warn(std::string(latency.name) + formatted(": %.1f ns", pack.peaks->peaks.*latency.value * 1e9));
  return kDone;
}

ExitCode run_measure(const MeasureOptions& options) {
  if (options.file != "-") require_place(options.file);  // before a GPU is asked for
  if (options.peaks) return measure_peaks(options);
  return measure_target(options);
}

}  // namespace

void add_measure(Program& program) {
  auto options = std::make_shared<MeasureOptions>();
  CLI::App* command =
      program.app.add_subcommand("measure", "Run the target on a GPU and write the measurement");
  options->target.add_to(*command, false);
  command->add_option("-o,--output", options->file, "The file to write; default: standard output");
  command->add_option("--via", options->via, "A launcher for warplens-gpu: \"ssh host\", \"srun -p gpu\"");
  add_choice(*command, "--mode", &options->mode, {"as_written", "as_optimised", "both"},
             "as_written (every shared access is executed), as_optimised, or both, written as a pack");
  add_number(*command, "--samples", &options->samples, 0, 100000,
             "The number of cold and of warm samples; 0: only launch and check");
  add_number(*command, "--deadline", &options->seconds, 0.1, 86400.0,
             "Seconds that one measurement may take");
  add_number(*command, "--wait", &options->wait, 0.1, 86400.0,
             "Seconds that warplens-gpu may take to answer, for launchers that queue");
  command->add_flag("--no-counters", options->no_counters, "Do not read hardware counters");
  command->add_flag("--no-reference", options->no_reference, "Do not time the copy of the same bytes");
  command->add_flag("--request", options->request_only, "Only print the request that warplens-gpu would get");
  command->add_flag(
      "--peaks", options->peaks,
      "Measure the highest rates of this GPU: bytes, sectors, wavefronts, instructions a second");
  program.runs(command, options, run_measure);
}

}  // namespace warplens::cli
