#include "app/desktop/kernel_check.h"

#include <algorithm>
#include <filesystem>

#include "app/desktop/gpu_request.h"
#include "app/session/findings.h"
#include "app/session/own_actions.h"

namespace warplens::desktop {
namespace {

constexpr double kDeadlineSeconds = 60;  // instrumented kernels are ten and a hundred times slower
constexpr double kPatienceSeconds = 8;   // for the report; a window that is being closed does not wait longer

void tell(App& app, const char* key, std::string words, bool bad) {
  std::replace(words.begin(), words.end(), '\n', ' ');
  app.act({session::Tell{{key, std::move(words), bad, false}}});
}

session::Findings findings_of(const measure::SanitizerReport& report, const session::Settings& settings,
                              const std::string& file) {
  session::Findings findings{settings, "compute-sanitizer", {}};
  for (const measure::SanitizerFinding& f : report.findings)
    findings.list.push_back({f.file == file ? f.line : 0, measure::in_words(f)});
  return findings;
}

}  // namespace

KernelCheck::KernelCheck(std::function<void()> wake, const std::string& via)
    : is_elsewhere_(!via.empty()), work_(std::move(wake)) {}

void KernelCheck::update(App& app) {
  if (of_ && !(*of_ == app.state().settings)) {  // nobody waits for it any more
    of_.reset();
    work_.cancel();
    tell(app, "check.stopped", {}, false);
  }
  if (app.take_check_wish()) begin(app);
  if (!of_) return;
  if (const std::optional<Outcome> outcome = work_.take({})) finish(app, *outcome);
}

void KernelCheck::begin(App& app) {
  if (of_) {
    of_.reset();
    work_.cancel();
    return tell(app, "check.stopped", {}, false);
  }
  if (is_elsewhere_) return tell(app, "check.elsewhere", {}, true);
  const session::Settings& settings = app.state().settings;
  const scenario::Scenario* here = session::scenario_of(app.catalog(), settings);
  if (here == nullptr) return;
  const std::string& text = settings.text ? *settings.text : here->text;
  const auto mode =
      app.state().optimised ? measure::CompileMode::AsOptimised : measure::CompileMode::AsWritten;
  auto request = gpu_request(*here, settings.values, text, measure::effective_mode(text, mode));
  if (!request) return tell(app, "check.cannot", request.errors.front(), true);
  request.value->deadline_seconds = kDeadlineSeconds;
  of_ = settings;
  file_ = std::filesystem::path(request.value->subject.source_name).filename().string();
  if (file_.empty()) file_ = "kernel.cu";
  tell(app, "check.running", request.value->subject.kernel, false);
  work_.start([request = std::move(*request.value)](const std::atomic<bool>* cancel, std::atomic<double>*) {
    measure::SanitizeOptions options;
    options.patience_seconds = kPatienceSeconds;
    options.stop = cancel;
    return measure::sanitize(request, options);
  });
}

void KernelCheck::finish(App& app, const Outcome& outcome) {
  const session::Settings settings = *of_;
  of_.reset();
  if (const auto* failure = std::get_if<measure::Failure>(&outcome))
    return tell(app, "check.cannot", failure->words(), true);
  const auto& found = std::get<measure::Sanitized>(outcome);
  auto findings = std::make_shared<session::Findings>(findings_of(found.report, settings, file_));
  if (findings->list.empty() && found.ended) findings->list.push_back({0, found.ended->words()});
  const bool clean = findings->list.empty();
  std::string words;
  if (!clean) {
    const session::Finding& first = findings->list.front();
    words = (first.line > 0 ? file_ + ":" + std::to_string(first.line) + ": " : "") + first.words;
  }
  app.act({session::TakeFindings{std::move(findings)}});
  tell(app, clean ? (found.report.complete ? "check.clean" : "check.unfinished") : "check.found",
       std::move(words), !clean);
}

}  // namespace warplens::desktop
