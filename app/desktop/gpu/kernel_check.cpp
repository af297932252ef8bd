#include "app/desktop/gpu/kernel_check.h"

#include <algorithm>
#include <filesystem>

#include "app/desktop/gpu/gpu_request.h"
#include "app/simulate/findings.h"
#include "app/state/chosen_kernel.h"

namespace warplens::desktop {
namespace {

constexpr double kDeadlineSeconds = 60;  // instrumented kernels are ten and a hundred times slower
constexpr double kPatienceSeconds = 8;   // for the report; a window that is being closed does not wait longer

void tell(App& app, const char* key, Message words, bool bad) {
  app.act({app::ShowNotice{{key, std::move(words), bad, false}}});
}

// A tool's words on one line.
Message in_line(std::string words) {
  std::replace(words.begin(), words.end(), '\n', ' ');
  return Message::verbatim(std::move(words));
}

app::Findings findings_of(const measure::SanitizerReport& report, const app::Settings& settings,
                          const std::string& file) {
  app::Findings findings{settings, "compute-sanitizer", {}};
  for (const measure::SanitizerFinding& f : report.findings)
    findings.list.push_back({f.file == file ? f.line : 0, measure::in_words(f)});
  return findings;
}

}  // namespace

KernelCheck::KernelCheck(jobs::Runner& runner, const std::string& via)
    : is_elsewhere_(!via.empty()), work_(runner) {}

void KernelCheck::update(App& app) {
  if (of_ && !(*of_ == app.state().settings)) {  // it is not waited for any more
    of_.reset();
    work_.cancel();
    tell(app, "check.stopped", {}, false);
  }
  if (app.take_check_wish()) begin(app);
  if (!of_) return;
  if (const std::optional<Outcome> outcome = work_.take()) {
    finish(app, *outcome);
  } else if (const Message words = work_.failure(); !words.empty()) {
    finish(app, Outcome{Refused{words}, {}});
  }
}

void KernelCheck::begin(App& app) {
  if (of_) {
    of_.reset();
    work_.cancel();
    return tell(app, "check.stopped", {}, false);
  }
  if (is_elsewhere_) return tell(app, "check.elsewhere", {}, true);
  const app::Settings& settings = app.state().settings;
  const scenario::Scenario* here = app::scenario_of(app.catalog(), settings);
  if (here == nullptr) return;
  const std::string& text = settings.text ? *settings.text : here->text;
  const auto mode =
      app.state().optimised ? measure::CompileMode::AsOptimised : measure::CompileMode::AsWritten;
  of_ = settings;
  tell(app, "check.running",
       Message::verbatim(app.simulation().empty() ? here->name : app.simulation().program().kernel), false);
  work_.start([here, settings, text, mode, programs = app.programs()](const std::atomic<bool>* cancel,
                                                                      std::atomic<double>*) {
    Budget budget(app::app_allowance(cancel));
    auto request = gpu_request(*here, settings.values, text, measure::effective_mode(text, mode),
                               {programs.get(), &budget});
    if (!request) return Outcome{Refused{request.errors.front()}, {}};
    request.value->deadline_seconds = kDeadlineSeconds;
    std::string file = std::filesystem::path(request.value->subject.source_name).filename().string();
    if (file.empty()) file = "kernel.cu";
    measure::SanitizeOptions options;
    options.patience_seconds = kPatienceSeconds;
    options.stop = cancel;
    auto sanitized = measure::sanitize(*request.value, options);
    return Outcome{std::visit([](auto& of) { return decltype(Outcome::what)(std::move(of)); }, sanitized),
                   std::move(file)};
  });
}

void KernelCheck::finish(App& app, const Outcome& outcome) {
  const app::Settings settings = *of_;
  of_.reset();
  if (const auto* refused = std::get_if<Refused>(&outcome.what))
    return tell(app, "check.cannot", refused->words, true);
  if (const auto* failure = std::get_if<measure::Failure>(&outcome.what))
    return tell(app, "check.cannot", failure->words(), true);
  const auto& found = std::get<measure::Sanitized>(outcome.what);
  auto findings = std::make_shared<app::Findings>(findings_of(found.report, settings, outcome.file));
  if (findings->list.empty() && found.ended) findings->list.push_back({0, found.ended->words().english()});
  const bool clean = findings->list.empty();
  std::string words;
  if (!clean) {
    const app::Finding& first = findings->list.front();
    words = (first.line > 0 ? outcome.file + ":" + std::to_string(first.line) + ": " : "") + first.words;
  }
  app.act({app::TakeFindings{std::move(findings)}});
  tell(app, clean ? (found.report.complete ? "check.clean" : "check.unfinished") : "check.found",
       in_line(std::move(words)), !clean);
}

}  // namespace warplens::desktop
