// What a state shows, made at once and not beside a frame: for what is told of it before a window opens.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/simulate/simulation.h"
#include "app/state/catalog.h"
#include "app/state/state.h"

namespace warplens::app {

struct Look {
  std::shared_ptr<const Compiled> compiled;      // null: the settings are wrong
  std::shared_ptr<const Simulation> simulation;  // of the block looked at; null: see problems
  std::vector<Message> problems;                 // of block, warp and run, in words
  bool limit = false;                            // the run came to a limit: what is there is not all
};
Look look_at(const Catalog& catalog, const Settings& settings, const Position& position,
             const sim::Limits& limits);

}  // namespace warplens::app
