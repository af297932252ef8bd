#include "app/measure/sanitize.h"

#include <filesystem>

#include "app/measure/gpu_client.h"
#include "sim/file/temporary.h"
#include "sim/file/whole_file.h"
#include "sim/scenario/text_file.h"

namespace warplens::measure {
namespace {

constexpr std::size_t kLongestReport = 64u << 20;
constexpr std::size_t kPaddingBytes = 64u << 10;
constexpr double kStartSeconds = 120, kGraceSeconds = 60;  // instrumented programs are slow

// Where compute-sanitizer writes what it found.
class ReportFile {
 public:
  ReportFile() {
    std::error_code error;
    path_ = std::filesystem::temp_directory_path(error) / ("warplens-sanitizer-" + file::random_digits());
    made_ = static_cast<bool>(file::write_whole(path_, ""));
  }
  ~ReportFile() {
    std::error_code ignored;
    if (made_) std::filesystem::remove(path_, ignored);
  }
  ReportFile(const ReportFile&) = delete;
  ReportFile& operator=(const ReportFile&) = delete;
  bool made() const { return made_; }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
  bool made_ = false;
};

bool stopped(const SanitizeOptions& options) {
  return options.stop != nullptr && *options.stop;
}

// How the launch itself ended; the client and with it compute-sanitizer have ended when this returns.
std::optional<Failure> launch_once(const std::vector<std::string>& command, MeasureRequest request,
                                   const SanitizeOptions& options) {
  ClientOptions patient;
  patient.hello_seconds = kStartSeconds;
  patient.grace_seconds = kGraceSeconds;
  patient.patience_seconds = options.patience_seconds;
  GpuClient client(command, patient);
  for (double waited = 0; waited < kStartSeconds && !stopped(options); waited += 0.2)
    if (client.wait_for_status(0.2).state != ClientState::Starting) break;
  if (const ClientStatus status = client.status(); status.state != ClientState::Ready) {
    if (stopped(options)) return make_failure(FailureKind::Cancelled, Message("stopped"));
    return status.failure;
  }
  const std::uint64_t ticket = client.submit(std::move(request));
  while (true) {
    if (stopped(options)) client.cancel(ticket);
    for (ClientEvent& event : client.wait(0.2)) {
      if (event.ticket != ticket) continue;
      if (std::holds_alternative<Measurement>(event.what)) return std::nullopt;
      if (auto* failure = std::get_if<Failure>(&event.what)) return std::move(*failure);
    }
  }
}

}  // namespace

std::variant<Sanitized, Failure> sanitize(MeasureRequest request, const SanitizeOptions& options) {
  const std::string program = find_sanitizer();
  if (program.empty())
    return make_failure(
        FailureKind::Start, Message("compute-sanitizer was not found."),
        Message("It is part of the CUDA Toolkit; put it on PATH, or name it with WARPLENS_SANITIZER=path."));
  Message error;
  const std::vector<std::string> gpu = gpu_command("", error);
  if (gpu.empty()) return make_failure(FailureKind::Start, error);
  const ReportFile file;
  if (!file.made())
    return make_failure(FailureKind::Start, Message("no temporary file can be made: {}", file.path()));
  request.cold_samples = request.warm_samples = 0;
  request.counters = request.reference = request.machine_code = false;

  std::vector<std::string> command{program, "--tool", options.tool};
  // Buffers lie wall to wall: one element beyond the end of one is the first of the next, and would pass
  // unnoticed.
  if (options.tool == "memcheck") command.insert(command.end(), {"--padding", std::to_string(kPaddingBytes)});
  command.insert(command.end(), {"--log-file", file.path()});
  command.insert(command.end(), gpu.begin(), gpu.end());
  Sanitized result;
  result.ended = launch_once(command, std::move(request), options);
  const auto text = scenario::read_text(file.path(), kLongestReport);
  result.report = read_sanitizer_report(text ? *text.value : std::string());
  if (!result.report.problem.empty())
    return make_failure(FailureKind::Start,
                        Message("compute-sanitizer could not check the kernel: {}", result.report.problem));
  // A kernel that broke is what was looked for; anything else stands in the way of looking.
  if (result.ended && result.report.findings.empty() && result.ended->kind != FailureKind::Kernel)
    return *result.ended;
  return result;
}

}  // namespace warplens::measure
