#include "app/cli/sanitize.h"

#include "app/measure/sanitize.h"
#include "app/platform/stop.h"

namespace warplens::cli {

ExitCode exit_code_of(measure::FailureKind kind) {
  switch (kind) {
    case measure::FailureKind::Compile:
    case measure::FailureKind::BadRequest:
    case measure::FailureKind::Launch:
    case measure::FailureKind::Kernel:
      return kInputWrong;
    case measure::FailureKind::Deadline:
    case measure::FailureKind::OutOfMemory:
    case measure::FailureKind::Cancelled:
      return kLimitHit;
    default:
      return kMachineCannot;
  }
}

ExitCode run_sanitizer(measure::MeasureRequest request, const std::string& tool) {
  const std::string source = request.subject.text;
  measure::SanitizeOptions options;
  options.tool = tool;
  options.stop = &platform::asked_to_stop();
  const auto outcome = measure::sanitize(std::move(request), options);
  if (const auto* failure = std::get_if<measure::Failure>(&outcome))
    throw CommandFailure(exit_code_of(failure->kind), failure->words().english());
  const auto& found = std::get<measure::Sanitized>(outcome);
  print(measure::in_words(found.report, source));
  if (found.report.findings.empty() && found.ended) print(found.ended->words().english() + "\n");
  return found.clean() ? kDone : kCheckFailed;
}

}  // namespace warplens::cli
