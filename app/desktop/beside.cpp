#include "app/desktop/beside.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <variant>

#include "app/measure/gpu_client.h"
#include "app/measure/toolkit.h"
#include "app/simulate/simulation.h"
#include "app/state/catalog.h"
#include "app/state/user_kernel.h"
#include "sim/memory/gpu_model.h"

namespace warplens::desktop {

panels::GpuLine recorded_line(const std::vector<measure::Pack>& packs, const std::vector<Message>& errors,
                              const language::Strings& strings) {
  panels::GpuLine line;
  if (packs.empty()) {
    line.text = strings("gpu.none");
    line.tooltip = strings("gpu.none.tip");
  } else {
    line.kind = panels::GpuLine::Kind::Recorded;
    std::string names;
    for (const measure::Pack& pack : packs) {
      measure::add_gpu_name(pack.device, &names);
      line.tooltip += (line.tooltip.empty() ? "" : "\n") + pack.provenance();
    }
    line.text = strings("gpu.recorded", {{"gpu", names}});
  }
  for (const Message& words : errors) line.tooltip += "\n" + strings(words);
  return line;
}

void tell(App& app, const char* key, Message words, bool bad) {
  app.act({app::ShowNotice{{key, std::move(words), bad, false}}});
}

namespace {

// `text`: of the scenario, as edited. Errors in words where it does not compile, cannot be launched, or a
// buffer has no length.
scenario::Outcome<measure::MeasureRequest> gpu_request(const scenario::Scenario& scenario,
                                                       const scenario::ParameterValues& values,
                                                       const std::string& text, measure::CompileMode mode,
                                                       const app::Means& means) {
  const auto setup = scenario::make_setup(scenario, values, text);
  if (!setup) return {std::nullopt, setup.errors};
  const app::Programs::Result result = means.compile(setup.value->compile);
  const sim::CompileResult& compiled = *result;
  if (!compiled.program) {
    const auto& diagnostics = compiled.diagnostics;
    return {std::nullopt,
            {diagnostics.empty() ? Message("the kernel does not compile") : diagnostics.front().message}};
  }
  const auto problems =
      sim::check_launch(*compiled.program, setup.value->launch, memory::default_gpu_model());
  if (!problems.empty()) return {std::nullopt, {problems.front()}};
  return measure::make_request(*setup.value, *compiled.program, mode);
}

// The kernel on screen as a compiler leaves it: A│B with the text. Asked once more it is stopped, and no
// longer waited for once the settings have changed.
using CompileOutcome = std::variant<app::Settings, measure::Failure>;
class KernelCompiler final : public Beside {
 public:
  explicit KernelCompiler(jobs::Runner& runner) : work_(runner) {}
  void update(App& app, double) override {
    if (of_ && !(*of_ == app.state().settings)) stop(app);
    if (app.take_wish(Wish::Compile)) {
      if (of_)
        stop(app);
      else
        begin(app);
    }
    if (!of_) return;
    std::optional<CompileOutcome> outcome = work_.take();
    if (const Message words = work_.failure(); !outcome && !words.empty())
      outcome = measure::make_failure(measure::FailureKind::Internal, words);
    if (outcome) finish(app, *std::exchange(of_, std::nullopt), *outcome);
  }

 private:
  void stop(App& app) {
    of_.reset();
    work_.cancel();
    tell(app, "compile.stopped", {}, false);
  }
  void begin(App& app) {
    const app::Settings& settings = app.state().settings;
    const scenario::Scenario* here = app::scenario_of(app.catalog(), settings);
    if (here == nullptr) return;
    tell(app, "compile.running", Message::verbatim(here->source.filename().string()), false);
    of_ = settings;
    work_.start([here = *here, settings, programs = app.programs()](const std::atomic<bool>* cancel,
                                                                    std::atomic<double>*) -> CompileOutcome {
      Budget budget(app::app_allowance(cancel));
      const std::string& text = settings.text ? *settings.text : here.text;
      auto written = scenario::make_setup(here, settings.values, text, &budget);
      if (!written) return measure::make_failure(measure::FailureKind::Launch, written.errors.front());
      measure::CompileOrder order;
      order.written = std::move(*written.value);
      order.architecture = app::predicted_gpu().name;
      order.stop = cancel;
      if (settings.own && settings.own->has_place) order.folder = settings.own->file.parent_path();
      measure::Failure failure;
      const auto compiled = measure::compiled_setup(order, budget, &failure);
      if (!compiled) return failure;
      const std::filesystem::path file = here.source.stem().string() + ".ptx";
      app::UserKernel own = app::given_kernel(*compiled.value, file, {programs.get(), &budget});
      own.written = std::make_shared<const app::Settings>(settings);
      return app::settings_of(std::move(own),
                              std::make_shared<const std::string>(compiled.value->compile.text));
    });
  }
  static void finish(App& app, const app::Settings& of, const CompileOutcome& outcome) {
    if (const auto* compiled = std::get_if<app::Settings>(&outcome)) {
      app.act({app::TakeCompiled{of, *compiled}});
      return tell(app, app.state().pinned ? "compile.done" : "compile.alone",
                  Message::verbatim(compiled->own->compiler), false);
    }
    const auto& failure = std::get<measure::Failure>(outcome);
    Message words =
        failure.remedy.empty() ? failure.message : Message("{}; {}", failure.message, failure.remedy);
    auto findings = std::make_shared<app::Findings>(app::Findings{of, "nvcc", {}});
    for (const measure::CompilerDiagnostic& said : failure.diagnostics) {
      if (!said.is_error) continue;
      if (findings->list.empty())
        words = Message("{}, line {}: {}", failure.message, said.line, said.message);
      findings->list.push_back({said.line, said.message});
    }
    if (!findings->list.empty()) app.act({app::TakeFindings{std::move(findings)}});
    tell(app, "compile.cannot", std::move(words), true);
  }

  std::optional<app::Settings> of_;  // being compiled; nothing: none
  jobs::Job<CompileOutcome> work_;
};

constexpr double kRestSeconds = 0.35;        // a slider that is being dragged asks for nothing
constexpr double kLauncherSeconds = 120;     // ssh has to connect, srun may queue
constexpr double kLiveDeadlineSeconds = 15;  // a kernel that takes longer is stopped: a class is waiting

// The request for one rung, or nothing where it cannot be compiled or has already been measured here.
std::optional<measure::MeasureRequest> request_for(const scenario::Scenario& rung,
                                                   const scenario::ParameterValues& values,
                                                   const std::string& text, measure::CompileMode mode,
                                                   const std::set<measure::MeasurementKey>& known,
                                                   const app::Means& means) {
  if (mode != measure::effective_mode(text, mode)) return std::nullopt;  // the same program as written
  const auto setup = scenario::make_setup(rung, values, text);
  if (!setup || known.contains(measure::key_of(*setup.value, mode))) return std::nullopt;
  auto request = gpu_request(rung, values, text, mode, means);
  if (!request) return std::nullopt;
  request.value->deadline_seconds = kLiveDeadlineSeconds;
  return std::move(*request.value);
}

// A GPU needs the length of every buffer of a user's kernel: which has none, in words, or empty.
std::string without_end(const app::Settings& settings, const language::Strings& strings) {
  if (!settings.own) return {};
  for (const app::LaunchForm::Buffer& buffer : settings.own->form.buffers) {
    if (buffer.elements.find_first_not_of(" \t") == std::string::npos)
      return strings("gpu.endless", {{"name", buffer.name}});
  }
  return {};
}

// Live times: once the parameters have come to rest, the rungs of the ladder are measured on the GPU at hand,
// the one on screen first. What was asked for other parameters is called off. Without a GPU nothing changes
// on screen.
class LiveGpu final : public Beside {
 public:
  // Starts warplens-gpu beside the app, if there is one, or elsewhere through `via` ("ssh host"). The runner
  // is woken when it has answered.
  LiveGpu(jobs::Runner& runner, const std::string& via) : preparing_(runner), is_elsewhere_(!via.empty()) {
    Message error;
    std::vector<std::string> command = measure::gpu_command(via, error);
    if (command.empty() && via.empty())
      return;  // with a launcher that is no command line, the client says so
    measure::ClientOptions options;
    if (is_elsewhere_) options.hello_seconds = kLauncherSeconds;
    options.on_event = [&runner] { runner.wake(); };
    client_ = std::make_unique<measure::GpuClient>(std::move(command), std::move(options));
  }
  void update(App& app, double now) override {
    if (client_ == nullptr) return;
    if (!seen_ || !(*seen_ == app.state().settings)) {
      seen_ = app.state().settings;
      changed_at_ = now;
      preparing_.cancel();
      if (!open_.empty()) client_->cancel_all();
    }
    collect(app);
    submit_prepared(app);
    if (client_->status().state == measure::ClientState::Ready && due_in(now) == 0) ask(app);
    tell(app);
  }
  double due_in(double now) const override {
    if (client_ == nullptr || !seen_ || (asked_for_ && *asked_for_ == *seen_)) return -1;
    if (client_->status().state != measure::ClientState::Ready) return -1;  // its greeting wakes the loop
    return std::max(0.0, changed_at_ + kRestSeconds - now);
  }

 private:
  // What to measure, the kernel on screen first; compiled beside the frame.
  struct Prepared {
    struct Rung {
      measure::MeasureRequest request;
      bool current = false;
    };
    std::vector<Rung> rungs;
    bool lacks_current = false;  // it cannot be measured as written, or has been
  };
  void collect(App& app) {
    for (measure::ClientEvent& event : client_->poll()) {
      if (std::holds_alternative<measure::Progress>(event.what)) continue;
      open_.erase(event.ticket);
      if (auto* measured = std::get_if<measure::Measurement>(&event.what)) {
        if (!measured->is_valid()) {
          trouble_ = wrong_words(wrong_[measured->key] = measured->check, words_of(app));
          continue;
        }
        trouble_.clear();
        app.measurements().live.insert_or_assign(measured->key, std::move(*measured));
        app.measurements_changed();
      } else if (const auto& failure = std::get<measure::Failure>(event.what);
                 failure.kind != measure::FailureKind::Cancelled) {
        trouble_ = words_of(app)(failure.words());
      }
    }
  }
  void ask(App& app) {
    const app::Settings& settings = app.state().settings;
    asked_for_ = settings;
    trouble_.clear();
    const scenario::Scenario* here = app::scenario_of(app.catalog(), settings);
    if (here == nullptr || !app.simulation().problems.empty()) return;
    std::vector<const scenario::Scenario*> rungs = app.catalog().ladder_of(*here);
    std::stable_partition(rungs.begin(), rungs.end(), [&](const auto* rung) { return rung == here; });
    asked_ = 0;
    std::set<measure::MeasurementKey> known;
    for (const auto& [key, unused] : app.measurements().live) known.insert(key);
    preparing_.start([settings, here, rungs, known, programs = app.programs()](
                         const std::atomic<bool>* cancel, std::atomic<double>*) {
      Budget budget(app::app_allowance(cancel));
      const app::Means means{programs.get(), &budget};
      Prepared prepared;
      for (const scenario::Scenario* rung : rungs) {
        const bool current = rung == here;
        const auto values = current ? settings.values : app::carried_in_size(*here, settings.values, *rung);
        const std::string& text = current && settings.text ? *settings.text : rung->text;
        for (const auto mode : {measure::CompileMode::AsWritten, measure::CompileMode::AsOptimised}) {
          auto request = request_for(*rung, values, text, mode, known, means);
          if (request)
            prepared.rungs.push_back({std::move(*request), current});
          else if (current && mode == measure::CompileMode::AsWritten)
            prepared.lacks_current = true;
        }
      }
      return prepared;
    });
  }
  void submit_prepared(App& app) {
    auto prepared = preparing_.take();
    if (!prepared) return;
    for (Prepared::Rung& rung : prepared->rungs) submit(app, std::move(rung.request), rung.current);
    if (prepared->lacks_current) trouble_ = without_end(app.state().settings, words_of(app));
  }
  // What is known to be wrong is not asked again: its first differing element is told in place of a time.
  void submit(App& app, measure::MeasureRequest request, bool current) {
    const auto known = wrong_.find(measure::key_of(request.subject));
    if (known == wrong_.end()) {
      open_.insert(client_->submit(std::move(request)));
      ++asked_;
    } else if (current) {
      trouble_ = wrong_words(known->second, words_of(app));
    }
  }
  // What the top bar says of the GPU; it is left alone where there is none.
  void tell(App& app) {
    const measure::ClientStatus status = client_->status();
    const language::Strings& strings = words_of(app);
    panels::GpuLine line;
    if (!status.gpu) {
      // A machine without a GPU is nothing special; a launcher that was named and does not bring one is.
      if (!is_elsewhere_ || status.state == measure::ClientState::Starting) return;
      line.kind = panels::GpuLine::Kind::Broken;
      line.text = strings("gpu.broken");
      line.tooltip = strings(status.failure.words());
      if (line.tooltip == told_) return;
      told_ = line.tooltip;
      return app.set_gpu(std::move(line));
    }
    line.tooltip = status.gpu->name + ", " + status.gpu->sm() + ", driver " + status.gpu->driver + ", CUDA " +
                   status.gpu->cuda;
    if (status.state != measure::ClientState::Ready) {
      line.kind = panels::GpuLine::Kind::Broken;
      line.text = strings("gpu.broken");
      line.tooltip += "\n" + strings(status.failure.words());
    } else if (!open_.empty()) {
      line.kind = panels::GpuLine::Kind::Measuring;
      const int done = std::max(0, asked_ - static_cast<int>(open_.size()));
      line.text = strings("gpu.measuring", {{"gpu", status.gpu->name},
                                            {"percent", std::to_string(100 * done / std::max(1, asked_))}});
    } else {
      line.kind = trouble_.empty() ? panels::GpuLine::Kind::Live : panels::GpuLine::Kind::Broken;
      line.text = strings(trouble_.empty() ? "gpu.live" : "gpu.trouble", {{"gpu", status.gpu->name}});
    }
    if (!trouble_.empty()) line.tooltip += "\n" + trouble_;
    line.trouble = trouble_;
    if (app.state().settings.own) line.tooltip += "\n" + strings("gpu.unchecked");
    const std::string now_told = line.text + "\n" + line.tooltip;  // holds the trouble as well
    if (now_told == told_) return;
    told_ = now_told;
    app.set_gpu(std::move(line));
  }
  static const language::Strings& words_of(App& app) { return app.words(app.state().language); }
  // The first differing element of an output that failed its check.
  static std::string wrong_words(const measure::OutputResult& check, const language::Strings& strings) {
    return strings("result.wrong", {{"buffer", check.buffer},
                                    {"element", check.element},
                                    {"got", check.got},
                                    {"expected", check.expected},
                                    {"differing", grouped(check.differing)},
                                    {"compared", grouped(check.compared)}});
  }
  jobs::Job<Prepared> preparing_;
  std::unique_ptr<measure::GpuClient> client_;  // null: there is no warplens-gpu here
  std::optional<app::Settings> asked_for_, seen_;
  double changed_at_ = 0;
  std::set<std::uint64_t> open_;  // tickets that have not been answered
  int asked_ = 0;                 // since the parameters changed
  std::string trouble_;           // why the last measurement failed, in words
  bool is_elsewhere_ = false;     // through a launcher: what goes wrong with it is told too
  std::map<measure::MeasurementKey, measure::OutputResult> wrong_;  // they failed it: no time is shown
  std::string told_;
};

}  // namespace

std::unique_ptr<Beside> live_gpu(jobs::Runner& runner, const std::string& via) {
  return std::make_unique<LiveGpu>(runner, via);
}
std::unique_ptr<Beside> kernel_compiler(jobs::Runner& runner) {
  return std::make_unique<KernelCompiler>(runner);
}

}  // namespace warplens::desktop
