// Follows the words of a block through its trace: from the input through the tile to the output.
//
//   FollowedTurn f = follow_turn(compiled, trace);
//   f.turn->elements[17].tile_row        or, where there is none, f.why
#pragma once

#include "app/derive/corner_turn.h"

namespace warplens::app {

FollowedTurn follow_turn(std::shared_ptr<const Compiled> compiled, std::shared_ptr<const sim::Trace> trace);

}  // namespace warplens::app
