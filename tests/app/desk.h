// A session without its window: a state, what is simulated for it, and the plots that it asks for.
#pragma once

#include <string>
#include <utility>

#include "app/actions/apply.h"
#include "app/input/keys.h"
#include "app/simulate/simulation.h"
#include "app/views/plot_worker.h"
#include "tests/app/gallery.h"
#include "tests/app/waits.h"

namespace warplens::app {

struct PlotDesk {
  explicit PlotDesk(const std::string& scenario, jobs::RunnerOptions jobs = jobs::waits_for_all(),
                    RegistersOf registers = {})
      : runner(jobs),
        simulator(&gallery(), runner),
        plotter(&gallery(), runner, {}, std::move(registers)),
        state(opening(gallery(), scenario)) {
    derive();
  }
  void derive() {
    runner.begin_frame();
    seen = visible(simulator.derive(state), hidden_by(state.classroom));
    made = plotter.derive(state, *seen);
  }
  void act(const Action& action) {
    state = apply(std::move(state), action, *seen, gallery());
    derive();
  }
  void press(const KeyPress& press) {
    for (const Action& action : actions_of(press, state, gallery(), Clipboard{})) act(action);
  }
  void key(Key key, bool shift = false) { press({key, 0, {}, shift, false}); }
  void letter(char c, bool control = false) { press({Key::Character, c, {}, false, control}); }
  void set(const std::string& name, std::int64_t value) { act(SetParameter{name, value, {}}); }
  std::int64_t value(const std::string& name) const { return state.settings.values.at(name); }

  jobs::Runner runner;
  Simulator simulator;
  PlotWorker plotter;
  State state;
  std::shared_ptr<const Simulation> seen;
  std::shared_ptr<const Made> made;
};

}  // namespace warplens::app
