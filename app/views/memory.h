// The memory of the access looked at: where its lanes go in global memory (global.h) or under the banks of
// shared memory (banks.h). While a question is open neither shows more than what is asked about.
#pragma once

#include <optional>
#include <string>

#include "app/scene/pen.h"
#include "app/views/inputs.h"
#include "app/views/views.h"

namespace warplens::views {

const Row& memory();

struct Looked {
  const std::optional<app::PricedAccess>& moment;  // that access to this memory, or the nearest one
  const char* title;                               // of the languages: while there is no picture
  const char* none;                                // likewise: the warp makes no such access
  scene::Scene (*draw)(const Inputs&, const app::PricedAccess&, const scene::Canvas&);
};
scene::Scene memory_picture(const Inputs& inputs, const Looked& looked, const scene::Canvas& canvas);
// The memory that the access looked at goes to.
scene::Scene memory_looked_at(const Inputs& inputs, const scene::Canvas& canvas);
bool looks_at_shared(const app::Simulation& simulation);
// Of the languages: "load", "async copy".
std::string op_key(memory::Op op);
// Dots in the middle of a place where memory is left out of the picture.
void draw_left_out(scene::Pen* pen, std::size_t layer, scene::Point middle);

}  // namespace warplens::views
