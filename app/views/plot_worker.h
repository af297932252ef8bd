// Makes beside the frame what the view on screen shows, and keeps it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "app/jobs/memo.h"
#include "app/simulate/simulator.h"
#include "app/views/inputs.h"
#include "app/views/reuse.h"

namespace warplens::app {

// Registers of a thread, as a measurement of the state's launch says; empty: not known.
using RegistersOf = std::function<std::optional<int>(const State&)>;

class PlotWorker {
 public:
  // `registers_of`: for what the caches answer; may be empty.
  PlotWorker(const Catalog* catalog, jobs::Runner& runner, RegistersOf registers_of = {});
  // Of the view on screen, and who touched its sectors before. Null, and no work, where it is not shown or
  // what it tells is hidden. The same pointer where nothing changed.
  std::pair<std::shared_ptr<const Made>, std::shared_ptr<const views::Reuse>> derive(
      const State& state, const Simulation& simulation);

 private:
  const Catalog* catalog_;
  RegistersOf registers_of_;
  jobs::Memos memos_;
};

}  // namespace warplens::app
