#include "app/simulate/compilation.h"

#include "app/source/predicted_gpu.h"
#include "app/state/user_kernel.h"

namespace warplens::app {
namespace {

Problem problem_of(const cuda::Diagnostic& diagnostic) {
  return {diagnostic.severity, diagnostic.message, diagnostic.remedy, diagnostic.range};
}

Compilation failed(const std::vector<Message>& errors, Compilation out = {}) {
  for (const Message& error : errors) out.problems.push_back({cuda::Severity::Error, error, {}, {}});
  return out;
}

// The buffer of the launch form that the access at `range` goes through, where its length was guessed.
std::string guessed_buffer_at(const cuda::SourceRange& range, const Compiled& compiled) {
  if (!compiled.settings.own) return {};
  for (const sim::AccessSite& site : compiled.program.sites) {
    if (site.range.begin.offset == range.begin.offset && site.range.end.offset == range.end.offset &&
        has_guessed_length(*compiled.settings.own, site.array))
      return site.array;
  }
  return {};
}

}  // namespace

Problem problem_of(const sim::RunError& error, const Compiled& compiled) {
  Problem problem{cuda::Severity::Error, error.message, error.remedy, {}};
  if (error.kind != sim::RunError::Kind::BadLaunch && error.range.begin.line > 0) problem.range = error.range;
  problem.kind = error.kind;
  if (error.warp >= 0) problem.at = RunPlace{error.block, error.warp, error.lane};
  const std::string guessed = error.kind == sim::RunError::Kind::OutOfRange && error.remedy.empty()
                                  ? guessed_buffer_at(error.range, compiled)
                                  : std::string();
  if (!guessed.empty())
    problem.remedy = Message("its length of {} is a guess: where {} is longer, say so in the launch form",
                             field_text(compiled.settings.own->form, "elements." + guessed), guessed);
  return problem;
}

Compilation compile_settings(const Settings& settings, const scenario::Scenario* scenario,
                             const Means& means) {
  if (scenario == nullptr) return failed({Message("there is no scenario {}", settings.scenario)});
  if (settings.own && !settings.own->values.errors.empty()) {
    std::vector<Message> errors;
    for (const auto& [field, error] : settings.own->values.errors)
      errors.push_back(Message("launch: {}: {}", field, error));
    return failed(errors);
  }
  scenario::Outcome<scenario::Setup> setup;
  const auto stopped = stopped_in(Stage::Preparing, [&] {
    setup = scenario::make_setup(*scenario, settings.values, settings.text ? *settings.text : scenario->text,
                                 means.budget);
  });
  if (stopped) return failed({stopped->message()});
  if (!setup) return failed(setup.errors);
  setup.value->compile.literal = settings.literal;
  const Programs::Result result = means.compile(setup.value->compile);
  Compilation out;
  for (const cuda::Diagnostic& diagnostic : result->diagnostics)
    out.problems.push_back(problem_of(diagnostic));
  if (!result->program) return out;
  // The program lives in the result, which others share.
  const std::shared_ptr<const sim::Program> program(result, &*result->program);
  const memory::GpuModel& gpu = predicted_gpu();
  const std::vector<Message> refused = sim::check_launch(*program, setup.value->launch, gpu);
  if (!refused.empty()) return failed(refused, std::move(out));
  auto compiled = std::make_shared<Compiled>(program, std::move(*setup.value), gpu, *means.budget);
  compiled->settings = settings;
  compiled->scenario = scenario;
  out.compiled = std::move(compiled);
  return out;
}

}  // namespace warplens::app
