// A session without its window: a state, what is simulated for it, and what its views ask for.
#pragma once

#include <string>
#include <utility>

#include "app/actions/apply.h"
#include "app/simulate/simulation.h"
#include "app/simulate/simulator.h"
#include "app/storage/files.h"
#include "app/views/plot_worker.h"
#include "tests/app/gallery.h"
#include "tests/app/waits.h"
#include "tests/scenario/folder.h"

namespace warplens::app {

// The app's loop: every action sees the simulation of the state before it.
struct Windowless : Unsimulated {
  explicit Windowless(const std::string& scenario = "transpose_shared",
                      jobs::RunnerOptions jobs = jobs::waits_for_all())
      : Unsimulated(scenario), runner(std::move(jobs)) {
    Windowless::derive();
  }

  // What follows from the state.
  virtual void derive() {
    runner.begin_frame();
    seen = simulator.derive(state);
  }
  Windowless& act(const Action& action) override {
    state = apply(std::move(state), action, *seen, gallery());
    derive();
    return *this;
  }
  void set(const std::string& name, std::int64_t value) { act(SetParameter{name, value, {}}); }
  std::int64_t value(const std::string& name) const { return state.settings.values.at(name); }

  std::shared_ptr<Programs> programs = std::make_shared<Programs>();
  jobs::Runner runner;
  Simulator simulator{&gallery(), runner, {.programs = programs}};
  std::shared_ptr<const Simulation> seen;
};

// With what actions ask of files, and what becomes of kernels of one's own.
struct FileDesk : Windowless {
  using Windowless::Windowless;
  void derive() override {
    runner.begin_frame();
    for (const Action& settled : settler.update(state))
      state = apply(std::move(state), settled, *seen, gallery());
    seen = simulator.derive(state);
  }
  FileDesk& act(const Action& action) override {
    Windowless::act(action);
    for (const Request& request : std::exchange(state.requests, {})) {
      for (const Action& answer : perform(request, state, gallery(), places)) act(answer);
    }
    return *this;
  }

  scenario::Folder folder;
  Places places{WARPLENS_SOURCE_DIR "/kernels", folder.path() / "state", {}};
  KernelSettler settler{runner, programs};
};

// With what the views ask for.
struct PlotDesk : Windowless {
  explicit PlotDesk(const std::string& scenario, jobs::RunnerOptions jobs = jobs::waits_for_all(),
                    RegistersOf registers = {})
      : Windowless(scenario, std::move(jobs)), plotter(&gallery(), runner, std::move(registers)) {
    PlotDesk::derive();
  }
  void derive() override {
    runner.begin_frame();
    seen = visible(simulator.derive(state), hidden_by(state.classroom));
    made = plotter.derive(state, *seen).first;
  }

  PlotWorker plotter;
  std::shared_ptr<const Made> made;
};

}  // namespace warplens::app
