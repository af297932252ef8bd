#include "app/desktop/gpu/live_gpu.h"

#include <algorithm>

#include "app/desktop/gpu/gpu_request.h"
#include "app/state/chosen_kernel.h"
#include "app/state/user_kernel.h"

namespace warplens::desktop {
namespace {

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

}  // namespace

LiveGpu::LiveGpu(jobs::Runner& runner, const std::string& via)
    : preparing_(runner), is_elsewhere_(!via.empty()) {
  Message error;
  std::vector<std::string> command = measure::gpu_command(via, error);
  if (command.empty() && via.empty()) return;  // with a launcher that is no command line, the client says so
  measure::ClientOptions options;
  if (is_elsewhere_) options.hello_seconds = kLauncherSeconds;
  options.on_event = [&runner] { runner.wake(); };
  client_ = std::make_unique<measure::GpuClient>(std::move(command), std::move(options));
}

void LiveGpu::update(App& app, double now) {
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

double LiveGpu::due_in(double now) const {
  if (client_ == nullptr || !seen_ || (asked_for_ && *asked_for_ == *seen_)) return -1;
  if (client_->status().state != measure::ClientState::Ready) return -1;  // its greeting wakes the loop
  return std::max(0.0, changed_at_ + kRestSeconds - now);
}

void LiveGpu::collect(App& app) {
  for (measure::ClientEvent& event : client_->poll()) {
    if (std::holds_alternative<measure::Progress>(event.what)) continue;
    open_.erase(event.ticket);
    if (auto* measured = std::get_if<measure::Measurement>(&event.what)) {
      if (!measured->is_valid()) {
        wrong_[measured->key] = measure::wrong_result(*measured);
        trouble_ =
            measure::in_words(wrong_[measured->key], [&](std::string_view key) { return words(app)(key); });
        continue;
      }
      trouble_.clear();
      app.measurements().live.insert_or_assign(measured->key, std::move(*measured));
      app.measurements_changed();
    } else if (const auto& failure = std::get<measure::Failure>(event.what);
               failure.kind != measure::FailureKind::Cancelled) {
      trouble_ = words(app)(failure.words());
    }
  }
}

void LiveGpu::ask(App& app) {
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
  preparing_.start([settings, here, rungs, known, programs = app.programs()](const std::atomic<bool>* cancel,
                                                                             std::atomic<double>*) {
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

void LiveGpu::submit_prepared(App& app) {
  auto prepared = preparing_.take();
  if (!prepared) return;
  for (Prepared::Rung& rung : prepared->rungs) submit(app, std::move(rung.request), rung.current);
  if (prepared->lacks_current) trouble_ = without_end(app.state().settings, words(app));
}

// What is known to be wrong is not asked again: its first differing element is told in place of a time.
void LiveGpu::submit(const App& app, measure::MeasureRequest request, bool current) {
  const auto known = wrong_.find(measure::key_of(request.subject));
  if (known == wrong_.end()) {
    open_.insert(client_->submit(std::move(request)));
    ++asked_;
  } else if (current) {
    trouble_ = measure::in_words(known->second, [&](std::string_view key) { return words(app)(key); });
  }
}

const language::Strings& LiveGpu::words(const App& app) {
  if (strings_of_ != app.state().language) {
    strings_of_ = app.state().language;
    std::string error;
    strings_ = language::Strings::load(scenario::data_folder("assets") / "languages", strings_of_, &error);
    told_.clear();
  }
  return strings_;
}

// What the top bar says of the GPU; it is left alone where there is none.
void LiveGpu::tell(App& app) {
  const measure::ClientStatus status = client_->status();
  const language::Strings& strings = words(app);
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

}  // namespace warplens::desktop
