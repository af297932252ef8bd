#include "app/cli/sanitize.h"

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>

#include "app/measure/gpu_client.h"
#include "app/measure/sanitizer.h"
#include "app/measure/whole_file.h"

namespace warplens::cli {

namespace {

using measure::Failure;
using measure::FailureKind;

constexpr std::size_t kLongestReport = 64u << 20;

class ReportFile {
 public:
  ReportFile() {
    std::string name = (std::filesystem::temp_directory_path() / "warplens-sanitizer-XXXXXX").string();
    const int fd = mkstemp(name.data());
    if (fd < 0) throw CommandFailure(kMachineCannot, "no temporary file can be made: " + name);
    close(fd);
    path_ = name;
  }
  ~ReportFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  ReportFile(const ReportFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Instrumented kernels are slow, and the report is written at the very end.
measure::ClientOptions patient() {
  measure::ClientOptions options;
  options.hello_seconds = 120;
  options.grace_seconds = 60;
  options.patience_seconds = 30;
  return options;
}

// How the launch itself ended; the client and with it compute-sanitizer have ended when this returns.
std::optional<Failure> launch_once(const std::vector<std::string>& command, measure::MeasureRequest request) {
  measure::GpuClient client(command, patient());
  const measure::ClientStatus status = client.wait_for_status(120);
  if (status.state != measure::ClientState::Ready) return status.failure;
  const std::uint64_t ticket = client.submit(std::move(request));
  while (true)
    for (measure::ClientEvent& event : client.wait(0.5)) {
      if (event.ticket != ticket) continue;
      if (std::holds_alternative<measure::Measurement>(event.what)) return std::nullopt;
      if (auto* failure = std::get_if<Failure>(&event.what)) return std::move(*failure);
    }
}

}  // namespace

ExitCode run_sanitizer(measure::MeasureRequest request, const std::string& tool) {
  const std::string sanitizer = measure::find_sanitizer();
  if (sanitizer.empty())
    throw CommandFailure(
        kMachineCannot,
        "compute-sanitizer was not found. It is part of the CUDA Toolkit; put it on PATH, or name it "
        "with WARPLENS_SANITIZER=path.");
  std::string error;
  const std::vector<std::string> gpu = measure::gpu_command("", error);
  if (gpu.empty()) throw CommandFailure(kMachineCannot, error);
  request.cold_samples = request.warm_samples = 0;
  request.counters = request.reference = request.machine_code = false;
  const std::string source = request.subject.text;

  const ReportFile file;
  std::vector<std::string> command{sanitizer, "--tool", tool, "--log-file", file.path()};
  command.insert(command.end(), gpu.begin(), gpu.end());
  const auto failure = launch_once(command, std::move(request));
  std::string text;
  measure::read_whole_file(file.path(), kLongestReport, text, error);
  const measure::SanitizerReport report = measure::read_sanitizer_report(text);
  if (!report.problem.empty()) throw CommandFailure(kMachineCannot, measure::in_words(report, source));
  // A kernel that broke is what was looked for; anything else stands in the way of looking.
  if (report.findings.empty() && failure && failure->kind != FailureKind::Kernel)
    throw CommandFailure(failure->kind == FailureKind::Compile ? kInputWrong : kMachineCannot,
                         failure->words());
  print(measure::in_words(report, source));
  if (report.findings.empty() && failure) print(failure->words() + "\n");
  return report.findings.empty() && !failure ? kDone : kCheckFailed;
}

}  // namespace warplens::cli
