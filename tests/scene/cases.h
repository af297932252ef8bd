// Accesses whose pictures tell something: what the tests look at.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "app/scene/views.h"
#include "app/views/banks.h"
#include "app/views/blocks.h"
#include "app/views/global.h"
#include "app/views/times.h"

namespace warplens::scene {
using views::bank_scene;
using views::BankView;
using views::block_at;
using views::block_map_scene;
using views::BlockMapView;
using views::global_scene;
using views::GlobalView;
using views::time_bars_scene;
}  // namespace warplens::scene

namespace warplens::scene::cases {

struct GlobalCase {
  std::string name;
  GlobalView view;
};

struct BankCase {
  std::string name;
  sim::Program program;  // with one shared array and one site
  memory::WarpAccess access, previous;
  int padding_words = 0, wavefront = 0;
  bool has_previous = false;
  float slide = 1;

  // Points into this case, which must stay where it is.
  BankView view() const;
};

const std::vector<GlobalCase>& global_cases();
// The same with who touched the sectors before, all kinds in turn.
GlobalView with_reuse(GlobalView view);
const std::deque<BankCase>& bank_cases();

// Lane i at base + i * stride bytes.
memory::WarpAccess strided(memory::Op op, int bytes, memory::Address base, std::int64_t stride);
// A warp of a rows x columns float tile, read by columns as a transpose does: lane i at [i % rows][i / rows].
BankCase column_case(const std::string& name, int rows, int columns, int padding);

BlockMapView block_map_case(std::uint32_t x, std::uint32_t y, std::uint32_t z, int warp);
TimeBarsView time_bars_case();
ScrubberView scrubber_case();

// English, from the source tree.
const language::Strings& english();
const language::Strings& chinese();
Canvas canvas(float width, float height, float scale = 1, const language::Strings& strings = english());

}  // namespace warplens::scene::cases
