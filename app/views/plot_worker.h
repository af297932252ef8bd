// Makes beside the frame what the view on screen shows, and keeps it.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "app/jobs/memo.h"
#include "app/simulate/simulator.h"
#include "app/views/inputs.h"

namespace warplens::app {

// Registers of a thread, as a measurement of the state's launch says; empty: not known.
using RegistersOf = std::function<std::optional<int>(const State&)>;

class PlotWorker {
 public:
  // `registers_of`: for what the caches answer; may be empty.
  PlotWorker(const Catalog* catalog, jobs::Runner& runner, RegistersOf registers_of = {});
  // Null, and no work, where neither is shown or what they tell is hidden. The same pointer where nothing
  // changed.
  std::shared_ptr<const Made> derive(const State& state, const Simulation& simulation);

 private:
  void rest();

  const Catalog* catalog_;
  RegistersOf registers_of_;
  std::shared_ptr<const Made> current_;
  jobs::Memos memos_;
};

}  // namespace warplens::app
